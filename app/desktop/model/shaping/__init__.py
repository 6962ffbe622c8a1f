"""Shapes of geofences as numbers and as text, and operations on them that are tried out before they are applied."""
