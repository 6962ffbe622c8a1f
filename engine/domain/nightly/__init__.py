"""The nightly sync: its settings and its results."""
