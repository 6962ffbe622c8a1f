"""The condition of the open workspace."""
