"""Evaluation of a run: missing and unexpected events, and their reasons."""
