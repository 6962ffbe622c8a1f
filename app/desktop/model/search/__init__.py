"""Questions, results and history of the search box."""
