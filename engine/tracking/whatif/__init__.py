"""Analysis of alternatives: changes that would have made an event fire, and other settings, geofences or fixes."""
