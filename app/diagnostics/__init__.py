"""Diagnostics: the state of the program and of a workspace, without secrets and users' data."""
