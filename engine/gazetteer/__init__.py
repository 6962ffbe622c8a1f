"""The file in which an area, or the world pack, keeps what can be found: one SQLite database, read by many."""
