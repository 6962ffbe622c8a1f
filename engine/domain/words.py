"""Numbers and durations as people read them."""

from typing import Final

_UNITS: Final = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def count(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun: ``1 geofence``, ``1,204 geofences``; `nouns` is for those that are not regular."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {nouns or noun + 's'}"


def brief_duration(seconds: float) -> str:
    """Return a duration in its largest unit and the next one: ``0.4 s``, ``50 s``, ``12 min 30 s``, ``2 h``."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.3g} s"
    first = next(number for number, (size, _) in enumerate(_UNITS) if whole >= size)
    (size, unit), (next_size, next_unit) = _UNITS[first : first + 2]
    large, small = divmod(round(whole / next_size) * next_size, size)
    text = f"{large:,} {unit}"
    return f"{text} {small // next_size} {next_unit}" if small else text
