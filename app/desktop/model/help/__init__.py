"""Help: the pages of the documentation, and the search in them."""
