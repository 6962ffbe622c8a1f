"""Commands that examine geofences as a whole: checks, and promotion from one environment to the other."""
