"""The order in which people list names: "Load 2" before "Load 10"."""

import re
from collections.abc import Iterable
from typing import Final

_DIGITS = re.compile(r"(\d+)")
_LENGTHS: Final = tuple(f"{length:06}" for length in range(64))
"""How the lengths of most numbers are written."""
_WITH_ONE_NUMBER: Final = 3
"""A text with one number in it has so many parts: what is before it, the number and what is after it."""


def natural_key(text: str) -> str:
    """Return what a name is sorted by: without its case, and with every number in it by its value."""
    parts = _DIGITS.split(text.casefold())
    if len(parts) == _WITH_ONE_NUMBER:
        before, digits, after = parts
        return f"{before}{_by_value(digits)}{after}"
    parts[1::2] = map(_by_value, parts[1::2])
    return "".join(parts)


def naturally_sorted(texts: Iterable[str]) -> tuple[str, ...]:
    """Return each of these texts once, as people list them."""
    return tuple(sorted(set(texts), key=lambda text: (natural_key(text), text)))


def _by_value(digits: str) -> str:
    value = digits.lstrip("0")
    length = len(value)
    return (_LENGTHS[length] if length < len(_LENGTHS) else f"{length:06}") + value
