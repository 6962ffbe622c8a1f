"""Commands that look over geofences as a whole: checks, and promotion from one environment to the other."""
