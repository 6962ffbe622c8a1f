"""Stops in the middle of work, by real processes."""
