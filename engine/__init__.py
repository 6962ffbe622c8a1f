"""The location engine: geofences, tracking and everything around them, without a face."""

from engine.engine import Engine

__all__ = ["Engine"]
