"""The order in which people list names: "Load 2" before "Load 10"."""

import re
from collections.abc import Iterable
from typing import Final

_DIGITS = re.compile(r"\d+")
_LENGTHS: Final = tuple(f"{length:06}" for length in range(64))
"""How the lengths of most numbers are written."""


def natural_key(text: str) -> str:
    """Return what a name is sorted by: without its case, and with every number in it by its value."""
    folded = text.casefold()
    return _by_value(folded) if folded.isdecimal() else _DIGITS.sub(_value_found, folded)


def naturally_sorted(texts: Iterable[str]) -> tuple[str, ...]:
    """Return each of these texts once, as people list them."""
    return tuple(sorted(set(texts), key=lambda text: (natural_key(text), text)))


def _value_found(digits: re.Match[str]) -> str:
    return _by_value(digits[0])


def _by_value(digits: str) -> str:
    value = digits.lstrip("0")
    length = len(value)
    return (_LENGTHS[length] if length < len(_LENGTHS) else f"{length:06}") + value
