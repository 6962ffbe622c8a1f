"""Sandbox of edited geofences, and the findings of a replay."""
