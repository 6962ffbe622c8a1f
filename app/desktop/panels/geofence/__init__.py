"""The list of geofences and the form of a geofence."""
