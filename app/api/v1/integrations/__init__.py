"""Integrations with other systems."""
