"""Records of the nightly sync in a workspace."""
