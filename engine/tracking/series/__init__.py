"""Fixes over time: how far from each geofence they are, and what the rules made of those that are kept."""
