"""Lists of records in an answer: each record written by itself, and together no more than an answer may hold."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import orjson

from app.api.wire.common.encoding import Encoded, encode_answer
from engine.domain.queries import Page

MAX_ANSWER: Final = 32 * 1024 * 1024
"""Bytes of the records of a list. More would take memory, and hold every other client while it is put together."""


def in_portion(
    records: Iterable[Mapping[str, Any]], *, has_more: bool, most: int = MAX_ANSWER
) -> tuple[list[orjson.Fragment], bool]:
    """Return as many records in JSON as have room, at least one, and whether others follow the last of them."""
    found: list[orjson.Fragment] = []
    size = 0
    for record in records:
        text = orjson.dumps(record)
        size += len(text)
        if found and size > most:
            return found, True
        found.append(orjson.Fragment(text))
    return found, has_more


def encode_page[T](name: str, encode: Callable[[T], Mapping[str, Any]], page: Page[T]) -> Encoded:
    """Return the answer that lists what is on a page, under a name."""
    records, has_more = in_portion(map(encode, page.items), has_more=page.has_more)
    return encode_answer({name: records}, has_more=has_more)
