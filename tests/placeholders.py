"""Unfilled placeholders such as ``{name}`` in any text for users."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

_PLACEHOLDER: Final = re.compile(r"\{(?:[A-Za-z_][\w.]*|\d)?(?:![rsa])?(?::[^{}\"\s]*)?\}")

_FOR_USERS: Final = ("metadata.{key}", "{ZONE}", "{NR}")
"""Texts that users read or write: a name in descriptions of the schema, and columns in a rule for external IDs."""


def unfilled(text: str) -> list[str]:
    """Return the placeholders left in a text, except JSON braces and choices of options."""
    for own in _FOR_USERS:
        text = text.replace(own, "")
    return [found for found in _PLACEHOLDER.findall(text) if found != "{}"]


def unfilled_in_output(output: str) -> list[str]:
    """Return the placeholders left in a command's output: text, one JSON document, or one per line."""
    return [found for text in _texts(output) for found in unfilled(text)]


def _texts(output: str) -> Iterator[str]:
    try:
        yield from _strings(json.loads(output))
        return
    except ValueError:
        pass
    for line in output.splitlines():
        try:
            yield from _strings(json.loads(line))
        except ValueError:
            yield line


def _strings(value: Any) -> Iterator[str]:
    """Yield the strings in a JSON document, without the patterns of a schema."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
    elif isinstance(value, dict):
        for name, each in value.items():
            if name != "pattern":
                yield from _strings(each)
