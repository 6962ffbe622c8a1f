"""The location engine: geofences, tracking and everything around them, without an interface."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.engine import Engine

__all__ = ["Engine"]


def __getattr__(name: str) -> Any:
    # Commands that only use values of the domain start without importing the database and the geometry.
    if name == "Engine":
        from engine.engine import Engine

        return Engine
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
