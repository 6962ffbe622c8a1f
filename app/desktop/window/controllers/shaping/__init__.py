"""Shapes of geofences between the user and the engine: as numbers and text, and by operations that are tried out."""
