"""Controllers of checks and promotion."""
