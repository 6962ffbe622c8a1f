"""The window's state without Qt: what is shown, what is selected, what can be undone."""
