"""Noise: the difference between the true position of a device and the one its phone reports."""
