"""From a location update to events."""
