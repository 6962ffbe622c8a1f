"""Tracks from files, and playing them through the engine."""
