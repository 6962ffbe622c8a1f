"""Controllers join the panels, the map and the engine: one per task."""
