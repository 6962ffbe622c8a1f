"""Dialogs that look over geofences as a whole."""
