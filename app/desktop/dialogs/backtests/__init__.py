"""Dialogs of back-tests: their request and progress, and their results."""
