"""The process that runs Valhalla."""
