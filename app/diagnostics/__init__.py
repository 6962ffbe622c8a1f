"""Diagnostics: the condition of the program and of a workspace, without secrets and without users' data."""
