"""The history of geofences: what they were, and who or what changed them."""
