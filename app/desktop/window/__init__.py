"""The main window and the connections between its parts."""
