"""Integrations with other systems on the wire."""
