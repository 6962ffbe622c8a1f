"""Sandbox with edited geofences, and the findings of a replay."""
