"""Back-tests for users: the report, other formats of the events, and the geofences that were given."""
