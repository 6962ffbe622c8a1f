"""Scenario files: read with the location of every value, validated, and described by a JSON schema."""
