"""Addresses and places: queries, results and categories."""
