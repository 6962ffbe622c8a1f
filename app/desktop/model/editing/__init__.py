"""Changes of geofences and settings: applied, undone, typed, and pending for Live."""
