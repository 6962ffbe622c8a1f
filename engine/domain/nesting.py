"""Limit of how deeply JSON may be nested: parsers, and what handles their results, may not survive more."""

import json
from array import array
from itertools import accumulate
from typing import Final

MAX_DEPTH: Final = 100

WINDOW: Final = 64 * 1024
"""Looked at in one go: other threads get their turn in between."""

_STEPS: Final = bytes.maketrans(b"[{]}", bytes((1, 1, 255, 255)))
"""One down, or one up, which is -1 as a signed byte."""

_OTHERS: Final = bytes(set(range(256)) - set(b"{}[]"))


class NestedTooDeeply(ValueError):
    """JSON that nobody writes by hand or needs."""

    def __init__(self) -> None:
        super().__init__(f"it is nested more than {MAX_DEPTH} levels deep")


def not_too_deep[T: bytes | str](text: T) -> T:
    """Return JSON text as it is; raises `NestedTooDeeply`, or `ValueError` where its bytes are no text.

    It is looked at without being parsed, in a time that grows with its length.
    """
    raw = _utf8(text)
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and _depth(_without_texts(raw)) > MAX_DEPTH:
        raise NestedTooDeeply
    return text


def _without_texts(raw: bytes) -> bytes:
    """Return JSON without its texts; what is no JSON keeps the brackets that a parser would come to."""
    unescaped = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
    return b"".join(unescaped.split(b'"')[::2])


def _depth(text: bytes) -> int:
    """Return how deep brackets and braces open at most."""
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
