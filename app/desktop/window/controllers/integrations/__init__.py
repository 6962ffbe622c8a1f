"""Controllers of integrations with other systems."""
