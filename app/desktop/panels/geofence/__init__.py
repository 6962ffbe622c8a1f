"""The list of geofences and the form of one."""
