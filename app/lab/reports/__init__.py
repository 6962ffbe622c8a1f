"""Reports of runs: for people, for programs, for CI, and on the coverage of a set of scenarios."""
