"""Changes of geofences and settings: made, undone, typed and waiting for Live."""
