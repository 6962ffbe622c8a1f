"""Several geofences at once: their table, and the operations on the selected ones."""
