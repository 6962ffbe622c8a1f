"""Panels for reviewing geofences as a whole."""
