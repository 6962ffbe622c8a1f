"""Trips: their state machine, their estimated times of arrival, and their part in location updates."""
