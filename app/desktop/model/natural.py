"""The order in which people list names: "Load 2" before "Load 10"."""

import re
from collections.abc import Iterable
from functools import lru_cache

_DIGITS = re.compile(r"\d+")


def natural_key(text: str) -> str:
    """Return what a name is sorted by: without its case, and with every number in it by its value."""
    return _DIGITS.sub(_by_value, text.casefold())


@lru_cache(10_000)
def natural_key_of_tag(tag: str) -> str:
    """Return the same for a tag, which many geofences have."""
    return natural_key(tag)


def naturally_sorted(texts: Iterable[str]) -> tuple[str, ...]:
    """Return each of these texts once, as people list them."""
    return tuple(sorted(set(texts), key=lambda text: (natural_key(text), text)))


def _by_value(digits: re.Match[str]) -> str:
    value = digits[0].lstrip("0")
    return f"{len(value):06}{value}"
