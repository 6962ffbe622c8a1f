"""Beacons: created, changed, imported, found near a position, and heard by devices."""
