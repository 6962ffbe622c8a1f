"""Diagnostics: the state of the program and of a workspace, without secrets or users' data."""
