"""Checks of geofences: what is suspicious about them, and what can be put right safely."""
