"""Importing geofences from files: reading and validating rows, storing, the history, and undo."""
