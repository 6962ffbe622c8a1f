"""The nightly sync: what is set for it, and what came of it."""
