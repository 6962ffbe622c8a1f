"""Positions in written form: coordinates in all usual formats, map links, geo URIs and plus codes."""
