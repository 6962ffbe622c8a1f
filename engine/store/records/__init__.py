"""Conversion between rows of the tables and records."""
