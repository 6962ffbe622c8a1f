"""How the window starts: its imports, and the map that begins first."""
