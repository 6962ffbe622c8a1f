"""Injected faults from the command line."""
