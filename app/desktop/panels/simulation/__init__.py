"""Panels for simulated devices: the phone that carries a track, and the route of a track along roads."""
