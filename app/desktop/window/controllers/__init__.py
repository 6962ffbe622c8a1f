"""Controllers, one per task, that connect the panels, the map and the engine."""
