"""Panels at the edges of the map."""
