"""Finding ways."""
