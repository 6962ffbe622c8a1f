"""A scenario's text with the actual events as its expectations.

Only differences are changed: a time or a confidence in its place, and the lines of events that are new or no longer
occur. The rest of the file remains unchanged, byte for byte.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import yaml
from msgspec import Struct, field

from app.api.wire.common.encoding import wire_name
from app.expectations import Actual, Difference, Expected, Fault
from app.lab.files.expectations import ExpectedEvent
from app.lab.files.faults import Way
from app.lab.files.words import spell_duration
from app.lab.judging.patterns import about_of, actual_of, expected_of
from app.lab.running.recording import Happened, Run, key_of
from app.lab.writing import Draft
from engine.domain.clock import utc_text
from engine.domain.tracking.updates import Confidence

_EVENTS: Final = ("expect", "events")
_FIELDS: Final = {
    "device": wire_name("device_id"),
    "user": wire_name("user_id"),
    **{name: name for name in ("geofence", "beacon", "place", "region", "trip")},
}
"""The keys of an event, by the facts that they state."""


class _Plan(Struct):
    """New contents of the list. `order` contains the indices of items that stay, and new events."""

    order: list[int | Happened] = field(default_factory=list)
    edits: dict[Way, str] = field(default_factory=dict)


def updated_text(run: Run, found: Difference | None) -> str:
    """Return the text of the run's scenario that expects the actual events. `found` is how they differ from it."""
    document = run.scenario.document
    if found is not None and (found.is_none or (_ignores_others(run) and not (found.near or found.missing))):
        return document.prefix + document.text
    draft = Draft(document)
    if found is None:
        draft.add_list(_EVENTS, [_written(run, each) for each in run.happened])
    else:
        plan = _plan(run, found)
        for way, value in plan.edits.items():
            draft.set(way, value)
        items = [item if isinstance(item, int) else _written(run, item) for item in plan.order]
        draft.rewrite_list(_EVENTS, items)
    return draft.text()


def event_item(happened: Happened, *, devices: bool = False, users: bool = False) -> dict[str, Any]:
    """Return an event as a file expects it, with its device and user if there are several."""
    event = happened.event
    item: dict[str, Any] = {"type": str(event.type)}
    if devices and event.user.device_id:
        item[_FIELDS["device"]] = event.user.device_id
    if users and event.user.user_id is not None:
        item[_FIELDS["user"]] = event.user.user_id
    if event.geofence is not None:
        key = key_of(event.geofence)
        item["geofence"] = key.encoded if "/" in key.tag else str(key)
    elif event.beacon is not None:
        item["beacon"] = about_of(event)
    elif event.place is not None:
        item["place"] = event.place.name
    elif event.region is not None:
        item["region"] = event.region.code
    if event.trip is not None:
        item["trip"] = event.trip.external_id
    item["at"] = _time(happened)
    if event.confidence is not None and event.confidence != Confidence.HIGH:
        item["confidence"] = int(event.confidence)
    return item


def flow(value: Any) -> str:
    """Return a value as YAML on one line."""
    text: str = yaml.safe_dump(
        value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=2**31, explicit_end=False
    )
    return text.removesuffix("\n").removesuffix("\n...")


def _time(happened: Happened, *, as_moment: bool = False) -> str:
    if as_moment or happened.at < timedelta(0):
        return utc_text(happened.event.created_at).replace(".000Z", "Z")
    return spell_duration(happened.at)


def _written(run: Run, happened: Happened) -> str:
    devices = {sent.user.device_id for sent in run.sent} | {device.device_id for device in run.scenario.body.devices}
    users = {sent.user.user_id for sent in run.sent}
    return flow(event_item(happened, devices=len(devices) > 1, users=len(users) > 1))


# Plan


def _ignores_others(run: Run) -> bool:
    return run.scenario.body.expect.others == "ignore"


def _plan(run: Run, found: Difference) -> _Plan:
    expect, plan = run.scenario.body.expect, _Plan()
    items = expect.events or []
    came = dict(found.met) | {near.expected: near.actual for near in found.near}
    if not _ignores_others(run):
        came |= _renamed(run, items, found)
    for index, place in came.items():
        plan.edits |= _edits(run, index, items[index], run.happened[place])
    by_event: dict[int, int | Happened] = {place: index for index, place in came.items()}
    new = (
        {}
        if _ignores_others(run)
        else {place: run.happened[place] for place in found.unexpected if place not in by_event}
    )
    if expect.order == "any":
        plan.order = [*sorted(came), *new.values()]
    else:
        plan.order = [item for _, item in sorted({**by_event, **new}.items())]
    return plan


def _renamed(run: Run, items: Sequence[ExpectedEvent], found: Difference) -> dict[int, int]:
    """Return the missing events with an actual event that differs in a single property, such as the geofence."""
    renamed: dict[int, int] = {}
    left = {place: actual_of(run.happened[place], run) for place in found.unexpected}
    for index in found.missing:
        wanted = expected_of(items[index], run.scenario.body.expect, run)
        alike = [(abs(wanted.offset(event)), place) for place, event in left.items() if _is_alike(wanted, event)]
        if alike:
            _, renamed[index] = min(alike)
            del left[renamed[index]]
    return renamed


def _is_alike(wanted: Expected, event: Actual) -> bool:
    wrong = {name for name, _ in wanted.facts - event.facts}
    recorded = {name for name, value in event.facts if value is not None}
    return len(wrong) == 1 and "type" not in wrong and wrong <= recorded


def _edits(run: Run, index: int, item: ExpectedEvent, happened: Happened) -> Iterator[tuple[Way, str]]:
    """Yield the values that differ, as they are written."""
    wanted, event = expected_of(item, run.scenario.body.expect, run), actual_of(happened, run)
    faults, written = set(wanted.faults(event)), event_item(happened, devices=True, users=True)
    for name, _ in wanted.facts - event.facts:
        yield (*_EVENTS, index, _FIELDS[name]), flow(written[_FIELDS[name]])
    if Fault.TIME in faults:
        yield (*_EVENTS, index, "at"), _time(happened, as_moment=isinstance(item.at, datetime))
    if Fault.CONFIDENCE in faults and event.confidence is not None:
        yield (*_EVENTS, index, "confidence"), str(int(event.confidence))
