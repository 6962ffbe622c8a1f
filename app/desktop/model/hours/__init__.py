"""Drawing, choosing and writing operating hours."""
