"""The table of all geofences."""
