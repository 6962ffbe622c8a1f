"""Fleets: many devices on their own trips, planned from a seed and sent by one thread."""
