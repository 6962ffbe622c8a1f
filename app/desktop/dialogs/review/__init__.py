"""Dialogs to review changes of geofences."""
