"""Geofence shapes as numbers and as text, and operations that are previewed before they are applied."""
