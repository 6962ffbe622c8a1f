"""Kept updates: keeping them, listing them, explaining and replaying them."""
