"""Wording of queries: the regions and the titles that they name."""
