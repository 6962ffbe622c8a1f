"""The window's state without Qt: the displayed data, the selection, and the changes to undo."""
