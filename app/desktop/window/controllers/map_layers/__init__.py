"""Layers of the map, between the panel, the map and the workspace."""
