"""Many geofences at once: their table, and what is done with those that are selected."""
