"""Fields with labels, errors and units, used in panels and dialogs."""
