"""Reports of runs: for people, for programs, for CI, and of what a set of scenarios has exercised."""
