"""Faults on purpose from the command line."""
