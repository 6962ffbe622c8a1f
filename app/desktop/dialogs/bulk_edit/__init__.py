"""Editing several geofences at once."""
