"""Lists of records in a response: each record is encoded separately, and their total size is limited."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import orjson

from app.api.wire.common.encoding import Encoded, encode_answer
from engine.domain.queries import Page

MAX_ANSWER: Final = 32 * 1024 * 1024
"""Maximum size of a list in bytes; more would take memory and block all other clients during encoding."""


def in_portion(
    records: Iterable[Mapping[str, Any]], *, has_more: bool, most: int = MAX_ANSWER
) -> tuple[list[orjson.Fragment], bool]:
    """Return as many records in JSON as fit, at least one, and whether more follow."""
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
    """Return the response for a page of records, under a name."""
    records, has_more = in_portion(map(encode, page.items), has_more=page.has_more)
    return encode_answer({name: records}, has_more=has_more)
