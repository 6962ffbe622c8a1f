"""Conversion of location updates to events."""
