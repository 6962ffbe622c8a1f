"""Shapes on the earth: containment, distance to the boundary, share of the accuracy circle, and the spatial index."""
