"""The nightly sync: files from elsewhere that become geofences, every night and when somebody asks for it."""
