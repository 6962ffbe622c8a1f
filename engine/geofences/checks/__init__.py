"""Checks of geofences for suspicious properties, with safe fixes."""
