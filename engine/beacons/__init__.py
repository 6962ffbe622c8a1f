"""Beacons: creating, changing and importing them, finding them near a position, and detection by devices."""
