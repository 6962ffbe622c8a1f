"""Location updates, what was decided about them, and why."""
