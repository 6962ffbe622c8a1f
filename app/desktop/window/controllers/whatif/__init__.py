"""Controllers of What if."""
