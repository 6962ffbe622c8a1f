"""Filling a new workspace from a seed, going back to it, and the snapshot that can be the next seed."""
