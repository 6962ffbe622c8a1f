"""Tracks from files, and their playback through the engine."""
