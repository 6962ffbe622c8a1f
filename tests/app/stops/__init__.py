"""Stops in the middle of work, with real processes."""
