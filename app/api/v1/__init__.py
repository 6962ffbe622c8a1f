"""One thin module per resource of the wire."""
