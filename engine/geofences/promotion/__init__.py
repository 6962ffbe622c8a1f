"""Promotion: geofences of one environment taken over into the other."""
