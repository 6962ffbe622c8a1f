"""Trips on the wire."""
