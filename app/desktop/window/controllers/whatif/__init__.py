"""Controllers of What if, between the panel, the map and the engine."""
