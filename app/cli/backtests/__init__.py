"""The command for back-tests: its geofences and settings, the run, and its summary."""
