"""Creating, editing and importing geofences."""
