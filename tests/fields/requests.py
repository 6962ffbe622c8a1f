"""Requests with an example of every field of a change."""

from __future__ import annotations

from typing import Any

from msgspec.structs import fields

from app.api.wire.common.encoding import wire_name
from tests.fields.examples import EXAMPLES, Example, example, wire


def example_of(change: type, name: str, records: tuple[type, ...]) -> Example:
    """Return the example of a field of a change: its own, or that of a record that the change is about."""
    for record in (change, *records):
        if name in EXAMPLES.get(record, {}):
            return example(record, name)
    raise AssertionError(f"Give an example of {name} of {change.__name__} in tests.fields.examples.")


def body(change: type, records: tuple[type, ...], *, without: tuple[str, ...] = (), **chosen: Any) -> dict[str, Any]:
    """Return the body that sets all fields of a change, except `without`, and with the `chosen` values."""
    given = {
        wire_name(each.name): wire(example_of(change, each.name, records))
        for each in fields(change)
        if each.name not in without
    }
    return given | chosen


def unapplied_fields(change: Any, records: tuple[type, ...]) -> set[str]:
    """Return the fields in which a change parsed from a request does not hold the example."""
    return {
        each.name
        for each in fields(change)
        if getattr(change, each.name) != example_of(type(change), each.name, records).value
    }
