"""Questions, results and memory of the search box."""
