"""Promotion: applying the geofences of one environment to the other."""
