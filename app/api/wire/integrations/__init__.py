"""Integrations with other systems, as the wire spells them."""
