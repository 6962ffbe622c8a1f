"""Injected faults, for the API, the window and the command line."""
