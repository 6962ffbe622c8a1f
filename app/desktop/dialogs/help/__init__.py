"""The documentation inside the application."""
