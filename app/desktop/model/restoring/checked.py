"""Validation of values in files that may have been edited by hand."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

import orjson

from engine.domain.nesting import not_too_deep


def read_object(file: Path, max_bytes: int) -> Mapping[str, Any]:
    """Return the JSON object in a file; raises `OSError` or `ValueError`."""
    with file.open("rb") as stream:
        content = stream.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise ValueError(f"it is larger than {max_bytes:,} bytes")
    return as_object(orjson.loads(not_too_deep(content)), "it")


def as_object(value: Any, name: str) -> Mapping[str, Any]:
    """Return an object; raises `ValueError`."""
    if not isinstance(value, dict):
        raise ValueError(f"{name} is not a JSON object")
    return value


def as_number(value: Any, name: str, least: float, most: float) -> float:
    """Return a number within limits; raises `ValueError`."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"{name} is not a number")
    if not least <= value <= most:
        raise ValueError(f"{name} is not from {least:g} to {most:g}")
    return float(value)


def as_whole(value: Any, name: str, least: int, most: int) -> int:
    """Return a whole number within limits; raises `ValueError`."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{name} is not a whole number from {least} to {most}")
    return value


def as_text(value: Any, name: str, most: int) -> str:
    """Return a string that is not longer than `most`; raises `ValueError`."""
    if not isinstance(value, str) or len(value) > most:
        raise ValueError(f"{name} is not a string of at most {most} characters")
    return value


def as_flag(value: Any, name: str) -> bool:
    """Return a boolean; raises `ValueError`."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} is neither true nor false")
    return value


def as_list(value: Any, name: str, most: int) -> list[Any]:
    """Return a list that is not longer than `most`; raises `ValueError`."""
    if not isinstance(value, list) or len(value) > most:
        raise ValueError(f"{name} is not a list of at most {most:,}")
    return value
