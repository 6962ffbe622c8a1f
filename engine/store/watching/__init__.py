"""Checks that an open workspace has not been replaced."""
