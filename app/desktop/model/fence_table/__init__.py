"""The table of all geofences: its columns, its filter and its rows."""
