"""Running a scenario: in an engine of its own, by a clock that stands still unless the scenario moves it."""
