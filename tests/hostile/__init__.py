"""Malicious or broken clients against the program as its users run it."""
