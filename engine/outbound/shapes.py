"""Reading of JSON of unknown shape: each function returns a value of its type or raises `WrongShape`."""

from collections.abc import Mapping
from math import inf
from typing import Any, cast

from engine.domain.geometry import Point


class WrongShape(ValueError):
    """A response of an unexpected shape."""


type Record = Mapping[str, Any]


def record(value: object) -> Record:
    """Return a JSON object."""
    if isinstance(value, dict):
        return cast(Record, value)
    raise WrongShape("an object is missing")


def listed(value: object, length: int | None = None) -> list[Any]:
    """Return a list, optionally of a given length."""
    if isinstance(value, list) and (length is None or len(value) == length):
        return value
    raise WrongShape("a list is missing, or too short, or too long")


def records(value: object, length: int | None = None) -> list[Record]:
    """Return a list of objects."""
    return [record(item) for item in listed(value, length)]


def number(value: object, least: float = -inf, most: float = inf) -> float:
    """Return a finite number within bounds; ``true`` and ``false`` are not numbers."""
    if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most and abs(value) < inf:
        return value
    raise WrongShape("a number is missing, or out of bounds")


def whole(value: object, least: int, most: int) -> int:
    """Return a whole number within bounds."""
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise WrongShape("a whole number is missing, or out of bounds")


def text(value: object) -> str:
    """Return a text."""
    if isinstance(value, str):
        return value
    raise WrongShape("a string is missing")


def texts(value: object) -> list[str]:
    """Return a list of texts."""
    return [text(item) for item in listed(value)]


def point(longitude: object, latitude: object) -> Point:
    """Return a position given in degrees."""
    return Point(number(longitude, -180, 180), number(latitude, -90, 90))
