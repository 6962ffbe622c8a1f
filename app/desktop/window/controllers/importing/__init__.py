"""Importing and exporting files in the window."""
