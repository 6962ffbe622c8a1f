"""The dialog of a sweep."""
