"""Help: the documentation pages and their search."""
