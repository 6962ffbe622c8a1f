"""The history of geofences: their former versions, and the authors of their changes."""
