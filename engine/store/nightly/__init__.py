"""What the nightly sync keeps in a workspace."""
