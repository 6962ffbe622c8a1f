"""Location updates, the decisions about them, and the reasons."""
