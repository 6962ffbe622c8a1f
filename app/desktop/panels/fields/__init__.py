"""Fields with their labels, errors and units, which panels and dialogs are made of."""
