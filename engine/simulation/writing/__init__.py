"""Track files that other programs read: GPX, also for Xcode, CSV, GeoJSON, and commands for the Android emulator."""
