"""Ways along roads, one module per operation."""
