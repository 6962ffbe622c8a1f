"""Scenario files: read with the place of every value, checked, and described by a JSON schema."""
