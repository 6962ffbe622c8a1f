"""The search index of an area or of the world pack: one SQLite database for concurrent reading."""
