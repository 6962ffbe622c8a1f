"""A workspace that another process has open."""
