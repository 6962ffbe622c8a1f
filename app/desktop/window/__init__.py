"""The main window and what connects its parts."""
