"""Edits of very many geofences or beacons: their turns, and what is staged of them before they are in force."""
