"""Commands about integrations with other systems."""
