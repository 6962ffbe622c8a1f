"""Human-readable numbers, durations and moments, and suggestions for misspelled names."""

import re
from collections.abc import Iterable
from math import inf, nextafter
from typing import Final

from engine.domain.geometry import Polygon

_PART: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h|d)\s*")
_SECONDS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
_LONGEST_TEXT: Final = 60
_LONGEST_NAME: Final = 100
_UNITS: Final = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def count(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun: ``1 geofence``, ``1,204 geofences``. `nouns` is an irregular plural."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {nouns or noun + 's'}"


def counts_of_rings(polygon: Polygon) -> tuple[str, ...]:
    """Return the numbers of parts and of holes of a polygon that has several, such as ``2 parts`` and ``1 hole``."""
    holes = sum(len(part.holes) for part in polygon.parts)
    parts = (count(len(polygon.parts), "part"),) if polygon.others else ()
    return (*parts, count(holes, "hole")) if holes else parts


def closest(name: str, known: Iterable[str], similarity: float = 0.66) -> str | None:
    """Return the known name that a misspelled one probably means, or None if no name is similar enough.

    Case, hyphens and underscores do not count.
    """
    if len(name) > _LONGEST_NAME:
        return None
    from difflib import get_close_matches  # only needed for errors

    plain = {_plain(each): each for each in known}
    found = get_close_matches(_plain(name), plain, n=1, cutoff=similarity)
    return plain[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str], otherwise: str = ".") -> str:
    """Return the end of a message about an unknown name: a suggestion, or `otherwise` if no name is similar."""
    found = closest(name, known)
    return otherwise if found is None else f"; did you mean {found}?"


def _plain(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


def brief_duration(seconds: float) -> str:
    """Return a duration in its two largest units: ``0.4 s``, ``50 s``, ``12 min 30 s``, ``2 h``."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.3g} s"
    first = next(number for number, (size, _) in enumerate(_UNITS) if whole >= size)
    (size, unit), (next_size, next_unit) = _UNITS[first : first + 2]
    large, small = divmod(round(whole / next_size) * next_size, size)
    text = f"{large:,} {unit}"
    return f"{text} {small // next_size} {next_unit}" if small else text


def spelled_seconds(text: str) -> float | None:
    """Return the seconds of a duration with units, such as ``90s``, ``5m`` or ``1h30m``, or None for any other text."""
    text = text.strip()
    if not text or len(text) > _LONGEST_TEXT or _PART.sub("", text):
        return None
    return sum(float(number) * _SECONDS[unit] for number, unit in _PART.findall(text))


def exact_minutes(seconds: float | None) -> float | None:
    """Return the minutes that convert back to exactly these seconds."""
    if seconds is None:
        return None
    minutes = seconds / 60
    near = (minutes, nextafter(minutes, inf), nextafter(minutes, -inf))
    return next((each for each in near if each * 60 == seconds), minutes)
