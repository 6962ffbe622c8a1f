"""Dialogs for the map layers below the geofences."""
