"""Natural sort order of names: "Load 2" before "Load 10"."""

import re
from collections.abc import Iterable
from typing import Final

_DIGITS = re.compile(r"(\d+)")
_LENGTHS: Final = tuple(f"{length:06}" for length in range(64))
"""Zero-padded lengths of most numbers."""
_WITH_ONE_NUMBER: Final = 3
"""Number of parts of a text that contains one number: the text before it, the number and the text after it."""


def natural_key(text: str) -> str:
    """Return the sort key of a name, which ignores case and compares the numbers in it by value."""
    parts = _DIGITS.split(text.casefold())
    if len(parts) == _WITH_ONE_NUMBER:
        before, digits, after = parts
        return f"{before}{_by_value(digits)}{after}"
    parts[1::2] = map(_by_value, parts[1::2])
    return "".join(parts)


def naturally_sorted(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct texts in natural order."""
    return tuple(sorted(set(texts), key=lambda text: (natural_key(text), text)))


def _by_value(digits: str) -> str:
    value = digits.lstrip("0")
    length = len(value)
    return (_LENGTHS[length] if length < len(_LENGTHS) else f"{length:06}") + value
