"""Addresses and places: queries, answers and categories."""
