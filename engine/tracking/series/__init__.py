"""Series of fixes over time: distances to geofences, and the decisions about kept updates."""
