"""Dialogs for tracks: numbers that an edit needs, and recording a device."""
