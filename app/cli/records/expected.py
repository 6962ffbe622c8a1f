"""The events that ``simulate --expect`` compares with: read from a file, and the difference in words."""

from argparse import ArgumentTypeError
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import orjson

from app.api.wire.common.encoding import Encoded, encode_time
from app.api.wire.common.names import wire_name
from app.cli.terminal.values import read_moment
from app.cli.workspaces import ReachedWorkspace
from app.expectations import Difference, Expected, Fault, Happened, Near, compare
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, NotFound
from engine.domain.tracking.explaining import UpdateQuery

MAX_FILE: Final = 64 * 1024 * 1024
MAX_EVENTS: Final = 10_000
MAX_EXPLAINED: Final = 20
"""Reasons are told for so many missing events; what is wrong with more is mostly the same."""

_OPTION: Final = "--expect"
_SUBJECTS: Final = ("geofence", "beacon")


def read_expected(path: Path) -> tuple[Expected, ...]:
    """Return the events of a file as ``simulate --json`` writes them, one a line, or as a list.

    Raises `InvalidParameter` naming the line, or the place in the list.
    """
    with path.open("rb") as file:
        content = file.read(MAX_FILE + 1)
    if len(content) > MAX_FILE:
        raise _wrong(f"the file must not be larger than {MAX_FILE // 1024**2} MiB")
    expected = tuple(_expected(record, where) for record, where in _records(content))
    if len(expected) > MAX_EVENTS:
        raise _wrong(f"at most {MAX_EVENTS:,} events can be compared, not {len(expected):,}")
    return expected


def _records(content: bytes) -> Iterator[tuple[object, str]]:
    """Yield each record with where it is."""
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


def _expected(record: object, where: str) -> Expected:
    if not isinstance(record, dict):
        raise _wrong(f"{where} must be a JSON object")
    fields = _fields(record)
    if not isinstance(fields["type"], str):
        raise _wrong(f"{where} needs a type such as user.entered_geofence")
    for name in ("tag", "external_id", "created_at"):
        if not isinstance(fields[name], str | None):
            raise _wrong(f"{where}: {wire_name(name)} must be a string")
    try:
        at = None if fields["created_at"] is None else read_moment(fields["created_at"])
    except ArgumentTypeError as error:
        raise _wrong(f"{where}: createdAt {error}") from None
    return Expected(type=fields["type"], at=at, tag=fields["tag"], external_id=fields["external_id"])


def _fields(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is compared; tag and external ID may stand in the event itself."""
    subject = next((record[name] for name in _SUBJECTS if isinstance(record.get(name), dict)), record)
    return {
        "type": record.get("type"),
        "created_at": record.get("createdAt"),
        "tag": subject.get("tag"),
        "external_id": subject.get("externalId"),
    }


def _wrong(what: str) -> InvalidParameter:
    return InvalidParameter(_OPTION, f"{_OPTION}: {what}.")


def happened(event: Encoded) -> Happened:
    """Return what is compared of an event as it was answered."""
    fields = _fields(event)
    return Happened(
        type=fields["type"],
        at=read_moment(fields["created_at"]),
        tag=fields["tag"],
        external_id=fields["external_id"],
        confidence=event.get("confidence"),
    )


class Comparison:
    """Expected events beside those of a run of a device, and the reasons for what is missing."""

    def __init__(self, expected: Sequence[Expected], events: Sequence[Encoded], tolerance_s: float) -> None:
        self._expected = expected
        self._happened = [happened(event) for event in events]
        # Where all have times, these say the order, and events of one update may come in any.
        in_order = any(each.at is None for each in expected)
        self.difference: Difference = compare(expected, self._happened, tolerance_s, in_order=in_order)

    def lines(self, workspace: ReachedWorkspace, environment: Environment, device_id: str) -> Iterator[str]:
        """Yield the difference for people, in the order of time, with the engine's reasons for what is missing."""
        found = self.difference
        for place in found.missing:
            yield f"- missing     {_shown(self._expected[place])}"
            if place in found.missing[:MAX_EXPLAINED]:
                yield from self._reasons(workspace, environment, device_id, self._expected[place])
        for near in found.near:
            yield f"~ {_fault(near):<11} {_shown(self._expected[near.expected])}"
            yield f"  actual      {_shown(self._happened[near.actual])}"
        for place in found.unexpected:
            yield f"+ unexpected  {_shown(self._happened[place])}"

    def _reasons(
        self, workspace: ReachedWorkspace, environment: Environment, device_id: str, wanted: Expected
    ) -> Iterator[str]:
        """Yield why the update at that time, the last where none is given, did not lead to the event."""
        try:
            explained = workspace.explain(environment, UpdateQuery(device_id=device_id, at=wanted.at))
        except NotFound as error:
            yield f"    {error.message}"
            return
        at = explained["update"]["updatedAt"]
        about = [each for each in explained["explanations"] if _is_about(each["geofence"], wanted)]
        for explanation in about:
            yield f"    update of {at}: {explanation['text']}"
        if not about:
            yield f"    update of {at}: the geofence is not nearby"


def _is_about(geofence: Mapping[str, Any], wanted: Expected) -> bool:
    return wanted.tag in (None, geofence.get("tag")) and wanted.external_id in (None, geofence.get("externalId"))


def _fault(near: Near) -> str:
    match near.fault:
        case Fault.TIME:
            offset_s = near.offset_s or 0.0
            return f"{abs(offset_s):g} s {'late' if offset_s > 0 else 'early'}"
        case Fault.CONFIDENCE:
            return "confidence"
        case Fault.ORDER:
            return "wrong order"


def _shown(event: Expected | Happened) -> str:
    named = "/".join(filter(None, (event.tag, event.external_id)))
    at = "at any time" if event.at is None else encode_time(event.at)
    return "  ".join(filter(None, (at, event.type, named)))
