"""Series of fixes."""
