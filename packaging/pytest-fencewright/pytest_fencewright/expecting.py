"""Expectations of a test on the events of a served instance: one event, several in order, or none."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

MAX_EVENTS: Final = 1_000
"""Number of the newest events that are looked at."""

LOOK_EVERY_S: Final = 0.05

__tracebackhide__ = True
"""A failing test shows the line of the test instead of those of this file."""

Body = dict[str, Any]

EVENT_TYPES: Final = (
    "user.entered_geofence",
    "user.exited_geofence",
    "user.dwelled_in_geofence",
    "user.entered_place",
    "user.exited_place",
    "user.nearby_place_chain",
    "user.entered_region_country",
    "user.exited_region_country",
    "user.entered_region_state",
    "user.exited_region_state",
    "user.entered_region_dma",
    "user.exited_region_dma",
    "user.entered_region_postal_code",
    "user.exited_region_postal_code",
    "user.entered_beacon",
    "user.exited_beacon",
    "user.failed_fraud",
    "user.started_trip",
    "user.updated_trip",
    "user.approaching_trip_destination",
    "user.arrived_at_trip_destination",
    "user.arrived_at_wrong_trip_destination",
    "user.stopped_trip",
)
"""Types of the engine's events."""

_SWITCHES: Final = {"dwelled": "dwellEvent", "place": "places", "region": "regions", "fraud": "fraud"}
"""Settings without which there are no events with such a word in their type."""

_COLLECTIONS: Final = {"geofence": "geofences", "beacon": "beacons"}


class Wanted(NamedTuple):
    """An event described by the given fields."""

    type: str | None = None
    geofence: str | None = None
    device_id: str | None = None
    confidence: int | None = None

    def __str__(self) -> str:
        """Return the description of the event in a failure."""
        words = [self.type or "event"]
        words += [f"of {self.geofence}"] if self.geofence is not None else []
        words += [f"by {self.device_id}"] if self.device_id is not None else []
        words += [f"with confidence {self.confidence}"] if self.confidence is not None else []
        return " ".join(words)

    @property
    def query(self) -> dict[str, str]:
        """The parameters of ``GET /v1/events`` that narrow down the events the most."""
        found = {"type": self.type, "deviceId": self.device_id}
        if self.geofence is not None:
            found |= dict(zip(("tag", "externalId"), tag_and_id(self.geofence), strict=True))
        return {name: value for name, value in found.items() if value is not None}

    def names(self, event: Body) -> bool:
        """Whether an event matches the given fields."""
        found = Wanted(
            event["type"],
            _name(event["geofence"]) if "geofence" in event else None,
            event.get("user", {}).get("deviceId"),
            event.get("confidence"),
        )
        return all(wanted in (None, has) for wanted, has in zip(self, found, strict=True))


class ExpectsEvents:
    """The part of a served instance that looks for events. Each event is returned once."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._explained: list[Body] = []

    def request(self, method: str, path: str, /, **body: Any) -> Body:
        """Send a request and return the response."""
        raise NotImplementedError

    def events(self, **query: str) -> list[Body]:
        """Return events, newest first."""
        raise NotImplementedError

    def find_geofence(self, tag: str, external_id: str) -> Body | None:
        """Return a geofence, or None if it does not exist."""
        raise NotImplementedError

    def expect_event(
        self,
        kind: str,
        *,
        geofence: str | None = None,
        device_id: str | None = None,
        confidence: int | None = None,
        within: float = 5.0,
    ) -> Body:
        """Wait up to `within` seconds for the next event of this type that no call has returned yet, and return it.

        If none arrives, the failure lists the events that did, with the reasons of the engine.
        """
        wanted = _wanted({"type": kind, "geofence": geofence, "device_id": device_id, "confidence": confidence})
        for _ in _until(within):
            for event in self._unseen(wanted):
                if wanted.names(event):
                    self._seen.add(event["_id"])
                    return event
        raise AssertionError(self._failure_text(f"no {wanted} came", wanted))

    def expect_events(
        self, events: Sequence[str | Mapping[str, Any]], *, others: str = "ignore", within: float = 5.0
    ) -> list[Body]:
        """Wait up to `within` seconds for events in this order that no call has returned yet, and return them.

        Each is a type, or a mapping with ``type`` and with ``geofence``, ``device_id`` and ``confidence`` as
        `expect_event` takes them. Events between them are ignored. With ``others="fail"``, any other event fails.
        """
        if others not in ("ignore", "fail"):
            raise ValueError(f"others must be 'ignore' or 'fail', not {others!r}")
        if isinstance(events, str | Mapping):
            raise ValueError(f"expect_events takes a list of events, not {events!r}; expect_event takes one")
        wanted = [_wanted({"type": each} if isinstance(each, str) else each) for each in events]
        if not wanted:
            raise ValueError("no events are given; expect_no_event checks that none came")
        found: list[Body] = []
        for _ in _until(within):
            unseen = list(self._unseen(Wanted()))
            found = _in_order(wanted, unseen)
            if len(found) == len(wanted):
                ids = {event["_id"] for event in found}
                if others == "fail" and (other := next((each for each in unseen if each["_id"] not in ids), None)):
                    raise AssertionError(self._failure_text(f"another event came: {self._describe_event(other)}", None))
                self._seen |= ids
                return found
        missing = wanted[len(found)]
        after = f" after {wanted[len(found) - 1]}" if found else ""
        raise AssertionError(self._failure_text(f"no {missing} came{after}", missing))

    def expect_no_event(
        self,
        kind: str | None = None,
        *,
        geofence: str | None = None,
        device_id: str | None = None,
        confidence: int | None = None,
        within: float = 1.0,
    ) -> None:
        """Fail if an event that no call has returned yet has arrived, or arrives within this many seconds.

        Without a type, any event fails. Raises `ValueError` for a type that cannot occur with the current settings.
        """
        wanted = _wanted({"type": kind, "geofence": geofence, "device_id": device_id, "confidence": confidence})
        if kind is not None:
            self._check_possible(kind)
        if geofence is not None:
            self._check_geofence(geofence)
        for _ in _until(within):
            if came := next((each for each in self._unseen(wanted) if wanted.names(each)), None):
                raise AssertionError(self._failure_text(f"an event came: {self._describe_event(came)}", wanted))

    def _unseen(self, wanted: Wanted) -> Iterator[Body]:
        """Return the events that no call has returned yet and that may match, oldest first."""
        events = reversed(self.events(**wanted.query, limit=str(MAX_EVENTS)))
        return (event for event in events if event["_id"] not in self._seen)

    def _check_possible(self, kind: str) -> None:
        """Raise `ValueError` for a type that cannot occur, since a test that expects none could not fail."""
        settings = self.request("GET", "/v1/settings")["settings"]
        for word, switch in _SWITCHES.items():
            if word in kind and not settings[switch]:
                raise ValueError(f"{kind} cannot come, so the test could not fail: the setting {switch} is off")
        for word, collection in _COLLECTIONS.items():
            if kind.endswith(f"_{word}") and not self.request("GET", f"/v1/{collection}?limit=1")[collection]:
                raise ValueError(f"{kind} cannot come, so the test could not fail: there are no {collection}")
        if "dwelled" in kind and "defaultDwellThreshold" not in settings and not self._has_threshold():
            raise ValueError(f"{kind} cannot come, so the test could not fail: there is no dwell threshold")
        if "region" in kind and not self._has_world():
            raise ValueError(f"{kind} cannot come: the server has no world data; run 'fencewright setup' there")

    def _check_geofence(self, name: str) -> None:
        """Raise `ValueError` for a geofence that does not exist or is disabled."""
        if (found := self.find_geofence(*tag_and_id(name))) is None:
            raise ValueError(f"there is no geofence {name}, so the test could not fail")
        if not found["enabled"]:
            raise ValueError(f"the geofence {name} is disabled, so the test could not fail")

    def _has_threshold(self) -> bool:
        """Whether any geofence may have a threshold of its own. If there are too many to look at, assume so."""
        found = self.request("GET", f"/v1/geofences?limit={MAX_EVENTS}")["geofences"]
        return len(found) == MAX_EVENTS or any("dwellThreshold" in geofence for geofence in found)

    def _has_world(self) -> bool:
        """Whether the server knows regions, which are in the world pack. Without one, a search warns."""
        meta = self.request("GET", "/v1/geocode/forward?query=Berlin")["meta"]
        return not any("no world pack" in warning for warning in meta.get("warnings", ()))

    def _failure_text(self, summary: str, wanted: Wanted | None) -> str:
        events = [self._describe_event(event) for event in reversed(self.events(limit="100"))]
        # The summary of a run shows the first line.
        lines = [summary]
        if wanted is not None and summary.startswith("no "):
            instead = f"but {events[-1]}" if events else "and no other event"
            lines = [f"{summary}{_hint(wanted.type)}, {instead}"]
        if len(events) > 1:
            lines += ["the events are:", *(f"  {event}" for event in events)]
        reasons = []
        for answer in self._explained[-3:]:
            for each in answer.get("explanations", ()):
                name = _name(each["geofence"])
                if wanted is None or wanted.geofence in (None, name):
                    reasons.append(f"  {answer['user']['updatedAt']} {name}: {each['text']}")
            for each in answer.get("eventExplanations", ()):
                if wanted is not None and each["type"] == wanted.type:
                    about = f" {each['about']['name']}" if "about" in each else ""
                    reasons.append(f"  {answer['user']['updatedAt']}{about}: {each['text']}")
        return "\n".join([*lines, *(["the reasons of the engine:", *reasons] if reasons else [])])

    def _describe_event(self, event: Body) -> str:
        geofence = f" of {_name(event['geofence'])}" if "geofence" in event else ""
        user = event.get("user", {})
        who = f" by {user['deviceId']}" if user.get("deviceId") else ""
        sure = f", confidence {event['confidence']}" if "confidence" in event else ""
        seen = ", returned before" if event["_id"] in self._seen else ""
        return f"{event['createdAt']} {event['type']}{geofence}{who}{sure}{seen}"


def tag_and_id(name: str) -> tuple[str, str]:
    """Return the tag and the external ID in the name of a geofence, or raise `ValueError`."""
    tag, _, external_id = name.partition("/")
    if not (tag and external_id):
        raise ValueError(f"a geofence is named tag/externalId, such as store/1, not {name!r}")
    return tag, external_id


def _in_order(wanted: Sequence[Wanted], events: Sequence[Body]) -> list[Body]:
    """Return the first events that match in the given order, as far as they arrived."""
    found: list[Body] = []
    for event in events:
        if len(found) < len(wanted) and wanted[len(found)].names(event):
            found.append(event)
    return found


def _until(within: float) -> Iterator[None]:
    """Yield immediately and then repeatedly until this many seconds have passed."""
    deadline = time.monotonic() + within
    yield
    while time.monotonic() < deadline:
        time.sleep(LOOK_EVERY_S)
        yield


def _wanted(given: Mapping[str, Any]) -> Wanted:
    """Return the described event, or raise `ValueError`."""
    if unknown := given.keys() - set(Wanted._fields):
        raise ValueError(f"an event has {', '.join(Wanted._fields)}, not {', '.join(sorted(unknown))}")
    wanted = Wanted(**given)
    if wanted.confidence not in (None, 1, 2, 3):
        raise ValueError(f"the confidence of an event is 1, 2 or 3, not {wanted.confidence!r}")
    if wanted.type is not None:
        _check_type(wanted.type)
    if wanted.geofence is not None:
        tag_and_id(wanted.geofence)
    return wanted


def _name(geofence: Body) -> str:
    return f"{geofence.get('tag', '')}/{geofence.get('externalId', '')}"


def _check_type(kind: str) -> None:
    """Raise `ValueError` for a type that no event can have. Custom events do not begin like the engine's."""
    if not kind:
        raise ValueError("the type of an event is empty")
    if kind.startswith("user.") and kind not in EVENT_TYPES:
        raise ValueError(f"there are no events of the type {kind!r}{_hint(kind)}")


def _hint(kind: str | None) -> str:
    """Return a suggestion in parentheses for a type that the engine does not have."""
    if kind is None or kind in EVENT_TYPES:
        return ""
    close = get_close_matches(kind, EVENT_TYPES, 1) or get_close_matches(f"user.{kind}", EVENT_TYPES, 1)
    return f" (did you mean {close[0]}?)" if close else ""
