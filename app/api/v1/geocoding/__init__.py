"""The operations of geocoding, autocomplete, places and address validation."""
