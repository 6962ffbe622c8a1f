"""Conversion of an OpenStreetMap extract to an area: roads for routing, and a map for display."""
