"""The card and the list of search results."""
