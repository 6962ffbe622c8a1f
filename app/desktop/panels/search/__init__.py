"""The card and the list of what the search box found."""
