"""The events that ``simulate --expect`` compares with: reading them from a file, and describing the difference."""

from argparse import ArgumentTypeError
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import orjson
from msgspec import Struct

from app.api.commands.tracking import explain
from app.api.wire.common.encoding import Encoded, encode_time, wire_name
from app.cli.terminal.values import read_moment
from app.cli.workspaces import ReachedWorkspace
from app.expectations import Actual, Difference, Expected, Fact, Fault, Near, compare
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, NotFound
from engine.domain.tracking.explaining import UpdateQuery

MAX_FILE: Final = 64 * 1024 * 1024
MAX_EVENTS: Final = 10_000
MAX_EXPLAINED: Final = 20
"""Maximum number of missing events to explain; further ones mostly have the same cause."""

_OPTION: Final = "--expect"
_SUBJECTS: Final = ("geofence", "beacon")


class RecordedEvent(Struct, frozen=True):
    """An event as read from a file or a response; `tag` and `external_id` belong to its subject."""

    type: str
    at: datetime | None
    tag: str | None
    external_id: str | None

    @property
    def facts(self) -> frozenset[Fact]:
        """Properties to compare; absent properties may have any value."""
        values = {"type": self.type, "tag": self.tag, "external_id": self.external_id}
        return frozenset((name, value) for name, value in values.items() if value is not None)


def read_expected(path: Path) -> tuple[RecordedEvent, ...]:
    """Return the events of a file as ``simulate --json`` writes them, one per line or as a list.

    Raises `InvalidParameter` naming the line, or the position in the list.
    """
    with path.open("rb") as file:
        content = file.read(MAX_FILE + 1)
    if len(content) > MAX_FILE:
        raise _wrong(f"the file must not be larger than {MAX_FILE // 1024**2} MiB")
    expected = tuple(_expected(record, location) for record, location in _records(content))
    if len(expected) > MAX_EVENTS:
        raise _wrong(f"at most {MAX_EVENTS:,} events can be compared, not {len(expected):,}")
    return expected


def _records(content: bytes) -> Iterator[tuple[object, str]]:
    """Yield each record and its position in the file."""
    try:
        whole = orjson.loads(content)
    except ValueError:
        for number, line in enumerate(content.splitlines(), 1):
            if line.strip():
                yield _parsed(line, number), f"line {number}"
        return
    events = whole.get("events", [whole]) if isinstance(whole, dict) else whole
    if not isinstance(events, list):
        raise _wrong("the file must hold events as a JSON list, or one JSON object per line")
    yield from ((record, f"event {number}") for number, record in enumerate(events, 1))


def _parsed(line: bytes, number: int) -> object:
    try:
        return orjson.loads(line)
    except ValueError as error:
        raise _wrong(f"line {number} is not JSON: {error}") from None


def _expected(record: object, location: str) -> RecordedEvent:
    if not isinstance(record, dict):
        raise _wrong(f"{location} must be a JSON object")
    fields = _fields(record)
    if not isinstance(fields["type"], str):
        raise _wrong(f"{location} needs a type such as user.entered_geofence")
    for name in ("tag", "external_id", "created_at"):
        if not isinstance(fields[name], str | None):
            raise _wrong(f"{location}: {wire_name(name)} must be a string")
    try:
        at = None if fields["created_at"] is None else read_moment(fields["created_at"])
    except ArgumentTypeError as error:
        raise _wrong(f"{location}: createdAt {error}") from None
    return RecordedEvent(fields["type"], at, fields["tag"], fields["external_id"])


def _fields(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields to compare; tag and external ID may be in the event itself."""
    subject = next((record[name] for name in _SUBJECTS if isinstance(record.get(name), dict)), record)
    return {
        "type": record.get("type"),
        "created_at": record.get("createdAt"),
        "tag": subject.get("tag"),
        "external_id": subject.get("externalId"),
    }


def _wrong(problem: str) -> InvalidParameter:
    return InvalidParameter(_OPTION, f"{_OPTION}: {problem}.")


def _happened(event: Encoded) -> tuple[RecordedEvent, Actual]:
    """Return an event from a response, and the facts to compare."""
    fields = _fields(event)
    at = read_moment(fields["created_at"])
    recorded = RecordedEvent(fields["type"], at, fields["tag"], fields["external_id"])
    return recorded, Actual(recorded.facts, at)


class Comparison:
    """Compares expected events with the events of a device's run, and explains the missing ones."""

    def __init__(self, expected: Sequence[RecordedEvent], events: Sequence[Encoded], tolerance_s: float) -> None:
        self._expected = expected
        self._happened = [_happened(event) for event in events]
        # If all events have times, the times define the order, and events of one update may come in any order.
        in_order = any(each.at is None for each in expected)
        tolerance = timedelta(seconds=tolerance_s)
        wanted = [Expected(each.facts, each.at, tolerance) for each in expected]
        self.difference: Difference = compare(wanted, [actual for _, actual in self._happened], in_order=in_order)

    def lines(self, workspace: ReachedWorkspace, environment: Environment, device_id: str) -> Iterator[str]:
        """Yield the difference as readable lines, with the engine's reasons for missing events."""
        found = self.difference
        for place in found.missing:
            yield f"- missing     {_shown(self._expected[place])}"
            if place in found.missing[:MAX_EXPLAINED]:
                yield from self._reasons(workspace, environment, device_id, self._expected[place])
        for near in found.near:
            yield f"~ {self._fault(near):<11} {_shown(self._expected[near.expected])}"
            yield f"  actual      {_shown(self._happened[near.actual][0])}"
        for place in found.unexpected:
            yield f"+ unexpected  {_shown(self._happened[place][0])}"

    def _fault(self, near: Near) -> str:
        expected, (came, _) = self._expected[near.expected], self._happened[near.actual]
        if Fault.ORDER in near.faults or expected.at is None or came.at is None:
            return "wrong order"
        offset_s = (came.at - expected.at).total_seconds()
        return f"{abs(offset_s):g} s {'late' if offset_s > 0 else 'early'}"

    def _reasons(
        self, workspace: ReachedWorkspace, environment: Environment, device_id: str, wanted: RecordedEvent
    ) -> Iterator[str]:
        """Yield why the update at the event's time, or the latest update if it has no time, did not cause the event."""
        try:
            explained = workspace.run(explain, UpdateQuery(device_id=device_id, at=wanted.at), environment)
        except NotFound as error:
            yield f"    {error.message}"
            return
        at = explained["update"]["updatedAt"]
        about = [each for each in explained["explanations"] if _is_about(each["geofence"], wanted)]
        for explanation in about:
            yield f"    update of {at}: {explanation['text']}"
        if not about:
            yield f"    update of {at}: the geofence is not nearby"


def _is_about(geofence: Mapping[str, Any], wanted: RecordedEvent) -> bool:
    return wanted.tag in (None, geofence.get("tag")) and wanted.external_id in (None, geofence.get("externalId"))


def _shown(event: RecordedEvent) -> str:
    named = "/".join(filter(None, (event.tag, event.external_id)))
    at = "at any time" if event.at is None else encode_time(event.at)
    return "  ".join(filter(None, (at, event.type, named)))
