"""Whether an open workspace is still the one that was opened."""
