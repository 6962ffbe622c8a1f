"""The filter of the geofence table: words, and names with a value such as ``state:disabled``. Each part narrows it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from msgspec import Struct

from app.desktop.language import tr
from app.desktop.model.editing.metadata import is_same_number, text_of
from app.desktop.model.search.parts import parts, pattern_of
from app.desktop.model.search.words import split
from engine.domain.geofence import Geofence, GeofenceRules
from engine.domain.geometry import GeometryType

EXPIRES_SOON: Final = timedelta(days=7)
MAX_LETTERS: Final = 1_000
"""Maximum length of a filter. Longer texts are cut off, as they are not typed by hand."""

STATES: Final = ("enabled", "disabled", "open", "closed", "expired", "expiring")
TYPES: Final = tuple(kind.value for kind in GeometryType)
TAG, ID, STATE, TYPE = "tag", "id", "state", "type"
_OWN: Final = (TAG, ID, STATE, TYPE)
_KEY: Final = "metadata."

type Check = Callable[[Geofence], bool]


class Moment(Struct, frozen=True):
    """The inputs that geofence states depend on: the time, and which geofences are outside their hours then."""

    now: datetime
    is_closed: Callable[[str], bool]


class FenceSieve(Struct, frozen=True):
    """A filter read from a text.

    `problem` describes the part that cannot be understood; that part is ignored.
    """

    text: str = ""
    words: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    problem: str | None = None
    by_time: bool = False
    """Whether the result may change with time."""

    @classmethod
    def of(cls, text: str, moment: Moment) -> FenceSieve:
        """Return the filter for a text, evaluated at a moment."""
        text = text[:MAX_LETTERS]
        words, checks, problem, by_time = list[str](), list[Check](), None, False
        for given, value, _ in parts(text):
            # Filter names are case-insensitive. Metadata keys are case-sensitive.
            name = given.lower() if given.lower() in _OWN else given
            if not name:
                words += split(value)
            elif name in (STATE, TYPE) and (trouble := _trouble(name, value)) is not None:
                problem = problem or trouble
            else:
                checks.append(_check(name, value, moment))
                by_time = by_time or name == STATE
        return cls(text, tuple(words), tuple(checks), problem, by_time)

    @property
    def is_open(self) -> bool:
        """Whether every geofence passes."""
        return not (self.words or self.checks)


def _trouble(name: str, value: str) -> str | None:
    known = STATES if name == STATE else TYPES
    if value.lower() in known:
        return None
    return tr(
        "{filter_key}: must be {first_values} or {last_value}, not {entered_value!r}.",
        filter_key=name,
        first_values=", ".join(known[:-1]),
        last_value=known[-1],
        entered_value=value,
    )


def _check(name: str, value: str, moment: Moment) -> Check:
    if name == STATE:
        return _STATE_CHECKS[value.lower()](moment)
    if name == TYPE:
        return partial(_is_of_type, value.lower())
    pattern = pattern_of(value)
    if name == TAG:
        return partial(_has_tag, pattern, {})
    if name == ID:
        return partial(_has_id, pattern)
    return partial(_has_value, name.removeprefix(_KEY), value, pattern, {})


def _is_of_type(kind: str, fence: Geofence) -> bool:
    return fence.geometry.type == kind


def _has_tag(pattern: re.Pattern[str], known: dict[str, bool], fence: Geofence) -> bool:
    """Return whether the tag matches; `known` caches the results by tag, since there are few tags."""
    tag = fence.summary.tag
    answer = known.get(tag)
    if answer is None:
        answer = known[tag] = pattern.match(tag.lower()) is not None
    return answer


def _has_id(pattern: re.Pattern[str], fence: Geofence) -> bool:
    return bool(pattern.match(fence.external_id.lower()) or pattern.match(fence.id.lower()))


def _has_value(key: str, wanted: str, pattern: re.Pattern[str], known: dict[str, bool], fence: Geofence) -> bool:
    """Return whether the metadata has a matching value; `known` caches the results, since most values repeat."""
    value = fence.summary.metadata.get(key)
    if value is None:
        return False
    text = value if isinstance(value, str) else text_of(value)
    answer = known.get(text)
    if answer is None:
        answer = known[text] = pattern.match(text.lower()) is not None or is_same_number(value, wanted)
    return answer


def _is_enabled(fence: Geofence) -> bool:
    return fence.enabled


def _is_disabled(fence: Geofence) -> bool:
    return not fence.enabled


def _open_at(moment: Moment) -> Check:
    return lambda fence: not moment.is_closed(fence.id)


def _closed_at(moment: Moment) -> Check:
    return lambda fence: moment.is_closed(fence.id)


def is_expired(fence: Geofence, now: datetime) -> bool:
    """Return whether a geofence is disabled and its ``disable_after`` time has passed."""
    return has_expired(now, enabled=fence.enabled, rules=fence.rules)


def has_expired(now: datetime, *, enabled: bool, rules: GeofenceRules) -> bool:
    """Return whether a geofence with these rules is disabled and its ``disable_after`` time has passed."""
    at = rules.disable_after
    return at is not None and at <= now and not enabled


def _expired_by(moment: Moment) -> Check:
    return lambda fence: is_expired(fence, moment.now)


def _expiring_after(moment: Moment) -> Check:
    until = moment.now + EXPIRES_SOON

    def check(fence: Geofence) -> bool:
        at = fence.expires_at
        return at is not None and at <= until

    return check


_STATE_CHECKS: Final[dict[str, Callable[[Moment], Check]]] = {
    "enabled": lambda _: _is_enabled,
    "disabled": lambda _: _is_disabled,
    "open": _open_at,
    "closed": _closed_at,
    "expired": _expired_by,
    "expiring": _expiring_after,
}
