"""Errors and other faults that are wanted: those that settings rehearse, and those that a test sets."""
