"""Noise: from where a device is to what a phone says that it is."""
