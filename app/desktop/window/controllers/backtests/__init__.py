"""Controllers of back-tests: their runs and their results."""
