"""Editing the shapes of geofences: as numbers, as text, and by operations with a preview."""
