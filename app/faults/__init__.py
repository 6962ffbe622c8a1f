"""Faults on purpose, for the API, the window and the command line."""
