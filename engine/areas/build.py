"""Builds an area; run as a process of its own: ``python -m engine.areas.build``."""

from engine.areas.roads import build_roads

__all__ = ["build_roads"]
