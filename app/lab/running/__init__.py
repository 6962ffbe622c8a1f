"""Running of a scenario in an engine of its own, with a clock that only the scenario moves."""
