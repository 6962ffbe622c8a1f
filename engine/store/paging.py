"""Helpers for queries that list records."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import Any

import sqlalchemy as sa

from engine.domain.queries import Page
from engine.store.records.cells import to_ms


def between(
    column: sa.ColumnElement[Any], after: datetime | None, before: datetime | None
) -> Iterator[sa.ColumnElement[bool]]:
    """Yield the conditions that a time is after one moment and before another, if they are given."""
    if after is not None:
        yield column > to_ms(after)
    if before is not None:
        yield column < to_ms(before)


def page_of[T](found: Iterable[T], limit: int) -> Page[T]:
    """Return the first records, and whether there are more."""
    items = tuple(islice(found, limit + 1))
    return Page(items[:limit], len(items) > limit)
