"""Trips: their machine, their estimated time of arrival, and how they join a location update."""
