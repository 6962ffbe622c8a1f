"""The event filter: words, and names with a value such as ``device:phone-1``. Each part narrows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, tzinfo
from functools import partial
from typing import Final

from msgspec import Struct

from app.desktop.model.editing.metadata import text_of
from app.desktop.model.moments import parse_moment
from app.desktop.model.search.parts import parts, pattern_of
from app.desktop.model.words import error_text, event_sentence
from engine.domain.errors import InvalidParameter
from engine.domain.tracking.updates import Event

AFTER, BEFORE = "after", "before"

type Check = Callable[[Event], bool]


class EventSieve(Struct, frozen=True):
    """A filter read from a text.

    `problem` describes the part that cannot be understood; that part is ignored.
    """

    text: str = ""
    checks: tuple[Check, ...] = ()
    problem: str | None = None

    @classmethod
    def of(cls, text: str, zone: tzinfo) -> EventSieve:
        """Return the filter for a text. Times without an offset are in `zone`."""
        checks, problem = list[Check](), None
        for name, value in _parts(text):
            try:
                checks.append(_check(name, value, zone))
            except InvalidParameter as error:
                problem = problem or error_text(error)
        return cls(text, tuple(checks), problem)

    @property
    def is_open(self) -> bool:
        """Whether every event passes."""
        return not self.checks

    def passes(self, event: Event) -> bool:
        """Return whether an event passes the filter."""
        return all(check(event) for check in self.checks)


def _parts(text: str) -> Iterator[tuple[str, str]]:
    for given, value, whole in parts(text):
        name = given.lower()
        # An unknown name, such as https:, is treated as a word.
        yield (name, value) if name in NAMES or not name else ("", whole)


def _check(name: str, value: str, zone: tzinfo) -> Check:
    if name in (AFTER, BEFORE):
        moment = parse_moment(value, zone, name)
        assert moment is not None
        return partial(_is_within, moment, later=name == AFTER)
    if not name:
        return partial(_has_word, value.lower())
    if name == "type":
        return partial(_is_of_type, value.lower())
    return partial(_is_named, pattern_of(value), _NAMED[name])


def _is_within(moment: datetime, event: Event, *, later: bool) -> bool:
    return event.created_at >= moment if later else event.created_at <= moment


def _is_of_type(word: str, event: Event) -> bool:
    return word in event.type.lower()


def _is_named(pattern: re.Pattern[str], names: Callable[[Event], Iterator[str | None]], event: Event) -> bool:
    return any(name and pattern.match(name.lower()) for name in names(event))


def _has_word(word: str, event: Event) -> bool:
    return any(text and word in text.lower() for text in _texts(event))


def _texts(event: Event) -> Iterator[str | None]:
    yield event.type
    for names in _NAMED.values():
        yield from names(event)
    yield event_sentence(event)
    for key, value in event.metadata.items():
        yield f"{key}: {text_of(value)}"


def _devices(event: Event) -> Iterator[str | None]:
    yield event.user.device_id


def _users(event: Event) -> Iterator[str | None]:
    yield event.user.user_id


def _tags(event: Event) -> Iterator[str | None]:
    for about in (event.geofence, event.beacon):
        if about is not None:
            yield about.tag


def _geofences(event: Event) -> Iterator[str | None]:
    if (fence := event.geofence) is not None:
        yield from (f"{fence.tag}/{fence.external_id}", fence.external_id, fence.description, fence.id)


_NAMED: Final[Mapping[str, Callable[[Event], Iterator[str | None]]]] = {
    "device": _devices,
    "user": _users,
    "tag": _tags,
    "geofence": _geofences,
}
NAMES: Final = ("type", *_NAMED, AFTER, BEFORE)
