"""The documentation in the window."""
