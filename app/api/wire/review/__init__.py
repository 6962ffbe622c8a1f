"""Checks of geofences, and change sets between environments."""
