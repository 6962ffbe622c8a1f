"""The nightly sync: files from elsewhere imported as geofences, every night and on request."""
