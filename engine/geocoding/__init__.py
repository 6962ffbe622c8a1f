"""Geocoding: addresses, places and regions, by name, position, or IP address."""
