"""Layers of the map."""
