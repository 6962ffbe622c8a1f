"""The location engine: geofences, tracking and everything around them, without a face."""
