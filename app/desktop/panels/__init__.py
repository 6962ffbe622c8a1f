"""The panels at the edges of the map."""
