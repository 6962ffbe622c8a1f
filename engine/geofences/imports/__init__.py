"""Importing geofences from files: reading their rows, judging them, storing, the history, and taking it back."""
