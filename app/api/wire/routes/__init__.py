"""Routes along roads, one module per operation."""
