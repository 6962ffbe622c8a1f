"""Panels of simulated devices: the phone that carries a track, and the way that one is routed along."""
