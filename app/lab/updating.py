"""A scenario's text with the events that happened as its expectations.

What is as expected keeps its lines, and so does everything else in the file, with its comments.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

import yaml

from app.lab.files.faults import Mark
from app.lab.files.words import spell_duration
from app.lab.files.yaml_tree import Document
from app.lab.judging.matching import Pairs
from app.lab.judging.patterns import about_of
from app.lab.running.recording import Happened, Run, key_of
from engine.domain.text import utc_text
from engine.domain.tracking.updates import Confidence

_INDENT: Final = "  "
_EVENTS: Final = ("expect", "events")


def updated_text(run: Run, pairs: Pairs) -> str:
    """Return the text of the run's scenario that expects what happened; `pairs` say what it expects already."""
    document = run.scenario.document
    if _is_up_to_date(run, pairs):
        return document.text
    lines = document.text.splitlines()
    if _EVENTS in document.values:
        lines = _replaced(document, lines, run, pairs)
    elif document.data.get("expect") is not None:
        lines = _inserted(document, lines, run)
    else:
        lines = _appended(document, lines, run)
    end = "\r\n" if "\r\n" in document.text else "\n"
    return end.join(lines) + end


def event_item(happened: Happened, *, devices: bool = False, users: bool = False) -> dict[str, Any]:
    """Return what a file expects for an event to come as it came, with its device and user where there are several."""
    event = happened.event
    item: dict[str, Any] = {"type": str(event.type)}
    if devices and event.user.device_id:
        item["deviceId"] = event.user.device_id
    if users and event.user.user_id is not None:
        item["userId"] = event.user.user_id
    if event.geofence is not None:
        key = key_of(event.geofence)
        item["geofence"] = {"tag": key.tag, "externalId": key.external_id} if "/" in key.tag else str(key)
    elif event.beacon is not None:
        item["beacon"] = about_of(event)
    elif event.place is not None:
        item["place"] = event.place.name
    elif event.region is not None:
        item["region"] = event.region.code
    if event.trip is not None:
        item["trip"] = event.trip.external_id
    if happened.at >= timedelta(0):
        item["at"] = spell_duration(happened.at)
    else:
        item["at"] = utc_text(event.created_at)
    if event.confidence is not None and event.confidence != Confidence.HIGH:
        item["confidence"] = int(event.confidence)
    return item


def _several(run: Run) -> dict[str, bool]:
    """Return whether there are several devices, and several users."""
    devices = {sent.device_id for sent in run.sent} | {device.device_id for device in run.scenario.body.devices}
    return {"devices": len(devices) > 1, "users": len({sent.user_id for sent in run.sent}) > 1}


def flow(value: Any) -> str:
    """Return a value as YAML on one line."""
    text: str = yaml.safe_dump(
        value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=2**31, explicit_end=False
    )
    return text.removesuffix("\n").removesuffix("\n...")


def _is_up_to_date(run: Run, pairs: Pairs) -> bool:
    expected, happened = run.scenario.body.expect.events, len(run.happened)
    return expected is not None and len(expected) == happened and None not in pairs


def _replaced(document: Document, lines: list[str], run: Run, pairs: Pairs) -> list[str]:
    span, key = document.values[_EVENTS], document.keys[_EVENTS]
    indent = " " * (key.column - 1) + _INDENT
    items = _items(document, lines, run, pairs, indent)
    head = lines[key.line - 1][: key.column - 1] + "events:"
    tail = lines[span.end.line - 1][span.end.column - 1 :].rstrip()
    if span.is_flow and not tail.lstrip().startswith("#"):
        tail = ""
    before = lines[: key.line - 1]
    if not span.is_flow and span.start.line > key.line:
        head = lines[key.line - 1]  # with its comment
        before += [head, *_between(lines, key.line, _first_line(document, lines))] if items else [f"{head} []"]
        return [*before, *items, *lines[span.end.line :]]
    return [*before, f"{head}{'' if items else ' []'}{tail}", *items, *lines[span.end.line :]]


def _first_line(document: Document, lines: list[str]) -> int:
    """Return where the first item begins, with the comments above it."""
    return _start_of(document, lines, 0)


def _between(lines: list[str], first: int, last: int) -> list[str]:
    return lines[first : last - 1]


def _items(document: Document, lines: list[str], run: Run, pairs: Pairs, indent: str) -> list[str]:
    """Return the lines of all events: those of expectations that hold, and new ones."""
    kept = {event: index for index, event in enumerate(pairs) if event is not None}
    is_block = _EVENTS in document.values and not document.values[_EVENTS].is_flow
    if is_block and (_EVENTS[0], _EVENTS[1], 0) in document.values:
        indent = " " * (document.values[_EVENTS].start.column - 1)
    found, several = [], _several(run)
    for number, happened in enumerate(run.happened):
        if is_block and number in kept:
            found += _lines_of(document, lines, kept[number])
        elif number in kept:
            assert document.data is not None
            found.append(f"{indent}- {flow(document.data['expect']['events'][kept[number]])}")
        else:
            found.append(f"{indent}- {flow(event_item(happened, **several))}")
    return found


def _lines_of(document: Document, lines: list[str], index: int) -> list[str]:
    """Return the lines of an item of a list, with the comments above it."""
    return lines[_start_of(document, lines, index) - 1 : document.values[(*_EVENTS, index)].end.line]


def _start_of(document: Document, lines: Sequence[str], index: int) -> int:
    line = document.values[(*_EVENTS, index)].start.line
    limit = document.keys[_EVENTS].line if index == 0 else document.values[(*_EVENTS, index - 1)].end.line
    while line - 1 > limit and not lines[line - 1].lstrip().startswith("-"):  # a dash may have a line of its own
        line -= 1
    while line - 1 > limit and lines[line - 2].lstrip().startswith("#"):
        line -= 1
    return line


def _inserted(document: Document, lines: list[str], run: Run) -> list[str]:
    span: Mark = document.values[("expect",)].start
    if document.values[("expect",)].is_flow:
        raise document.invalid(("expect",), "must be written in lines of its own, without braces, to be updated.")
    indent = " " * (span.column - 1)
    return [*lines[: span.line - 1], *_written(run, indent), *lines[span.line - 1 :]]


def _appended(document: Document, lines: list[str], run: Run) -> list[str]:
    if document.values[()].is_flow:
        raise document.invalid((), "must be written in lines, without braces, to be updated.")
    if ("expect",) in document.keys:
        line = document.keys[("expect",)].line
        return [*lines[:line], *_written(run, _INDENT), *lines[line:]]
    return [*lines, "expect:", *_written(run, _INDENT)]


def _written(run: Run, indent: str) -> list[str]:
    several = _several(run)
    items = [f"{indent}{_INDENT}- {flow(event_item(happened, **several))}" for happened in run.happened]
    return [f"{indent}events:{'' if items else ' []'}", *items]
