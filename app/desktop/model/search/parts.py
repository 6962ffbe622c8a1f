"""Parts of a filter's text: words, and names with a value such as ``device:phone-1``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import translate
from typing import Final

MAX_PARTS: Final = 32

_PART: Final = re.compile(r'(?:([^\s":]+):)?(?:"([^"]*)"?|(\S+))')


def part(name: str, value: str) -> str:
    """Return a part of a filter's text, such as ``tag:"my shop"``."""
    plain = value.replace('"', "*")
    return f'{name}:"{plain}"' if re.search(r"\s", plain) or not plain else f"{name}:{plain}"


def with_part(text: str, name: str, value: str) -> str:
    """Return a filter's text with a new value for a name. Other parts are unchanged."""
    return " ".join([*_others(text, name), part(name, value)])


def without_part(text: str, name: str) -> str:
    """Return a filter's text without values for a name."""
    return " ".join(_others(text, name))


def value_of(text: str, name: str) -> str | None:
    """Return the last value of a name in a filter's text."""
    values = [value for found, value, _ in parts(text) if found.lower() == name]
    return values[-1] if values else None


def parts(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the value and the full text of each part. Words have an empty name."""
    for number, match in enumerate(_PART.finditer(text)):
        value = match[2] if match[2] is not None else match[3]
        if number < MAX_PARTS and value:
            yield match[1] or "", value, match[0]


def pattern_of(value: str) -> re.Pattern[str]:
    """Return the pattern for a value in lower case: ``*`` matches any characters, and all others match themselves."""
    return re.compile(translate(value.lower().replace("[", "[[]").replace("?", "[?]")))


def _others(text: str, name: str) -> list[str]:
    return [match[0] for match in _PART.finditer(text) if (match[1] or "").lower() != name]
