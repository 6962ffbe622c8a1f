"""The edit of several geofences at once."""
