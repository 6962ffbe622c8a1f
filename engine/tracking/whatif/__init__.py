"""What if: what would have made an event fire, and what would have come of other settings, geofences and fixes."""
