"""Fleets: many devices on trips of their own, planned from a seed and sent by one thread."""
