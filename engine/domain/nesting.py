"""A limit on the nesting of JSON: parsers and consumers of their results may not survive deeper levels."""

import json
from array import array
from itertools import accumulate
from typing import Final

MAX_DEPTH: Final = 100

WINDOW: Final = 64 * 1024
"""Number of bytes that are processed in one go, after which other threads have their turn."""

_STEPS: Final = bytes.maketrans(b"[{]}", bytes((1, 1, 255, 255)))
"""One level down, or one up, which is -1 as a signed byte."""

_OTHERS: Final = bytes(set(range(256)) - set(b"{}[]"))


class NestedTooDeeply(ValueError):
    """Raised for JSON that is nested more deeply than any legitimate document."""

    def __init__(self) -> None:
        super().__init__(f"it is nested more than {MAX_DEPTH} levels deep")


def not_too_deep[T: bytes | str](text: T) -> T:
    """Return JSON text unchanged. Raises `NestedTooDeeply`, or `ValueError` if its bytes are not text.

    The text is scanned without parsing, in linear time.
    """
    raw = _utf8(text)
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and _depth(_without_texts(raw)) > MAX_DEPTH:
        raise NestedTooDeeply
    return text


def _without_texts(raw: bytes) -> bytes:
    """Return JSON without its strings; invalid JSON keeps the brackets that a parser would reach."""
    unescaped = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
    return b"".join(unescaped.split(b'"')[::2])


def _depth(text: bytes) -> int:
    """Return the maximum depth of brackets and braces."""
    steps = array("b", text.translate(_STEPS, _OTHERS))
    deepest = depth = 0
    for at in range(0, len(steps), WINDOW):
        window = steps[at : at + WINDOW]
        deepest = max(deepest, max(accumulate(window, initial=depth)))
        depth += sum(window)
    return deepest


def _utf8(text: bytes | str) -> bytes:
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    encoding = json.detect_encoding(text)
    return text if encoding.startswith("utf-8") else text.decode(encoding, "surrogatepass").encode(errors="replace")
