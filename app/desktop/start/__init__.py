"""Start of the window: its imports, and the map, which loads first."""
