"""Dialogs about what the map shows below the geofences."""
