"""Placeholders such as ``{name}`` that nothing has filled, wherever people would read them."""

import re
from typing import Final

_PLACEHOLDER: Final = re.compile(r"\{(?:[A-Za-z_][\w.]*|\d)?(?:![rsa])?(?::[^{}\"\s]*)?\}")


def unfilled(text: str) -> list[str]:
    """Return the placeholders that are left in a text; braces of JSON, and choices of options, are none."""
    return [found for found in _PLACEHOLDER.findall(text) if found != "{}"]
