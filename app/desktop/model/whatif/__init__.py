"""What if: geofences edited in a sandbox, and what a replay found."""
