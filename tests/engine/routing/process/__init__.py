"""The process that has Valhalla."""
