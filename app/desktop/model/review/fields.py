"""Side-by-side comparison of geofence fields as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.desktop.language import counted, tr, translated
from app.desktop.model.editing.pending_words import fence_text, fence_title
from app.desktop.model.words import polygon_text, position
from engine.domain.fields.geofence import part_of
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, GeometryType, Isochrone, PackedRing, Point, Polygon
from engine.geofences.promotion.differences import FIELDS, OUTLINE, FieldDifference, fields_between

OLD_COLOR: Final = "#D55E00"
NEW_COLOR: Final = "#009E73"
"""Colours of the current shape and of the shape that would replace it."""

_TITLES: Final = {"coordinates": tr("Position"), "type": tr("Type"), OUTLINE: tr("Outline")}
_KEY: Final = ("tag", "external_id")

type FieldRow = tuple[str, str, str]
"""A field, its current value, and the value that would replace it."""


def title_of(name: str, fence: Geofence) -> str:
    """Return the title of a geofence field."""
    if name == "coordinates" and not isinstance(fence.geometry, Circle | Isochrone):
        return tr("Vertices")
    return _TITLES.get(name) or fence_title(name, fence)


def text_of(name: str, value: object, fence: Geofence) -> str:
    """Return the value of a geofence field as text."""
    match value:
        case Point():
            return position(value)
        case PackedRing() | tuple() if name == "coordinates" and isinstance(fence.geometry, Polygon):
            return polygon_text(fence.geometry)
        case PackedRing() | tuple() if name == OUTLINE:
            return counted(len(value) - 1, "vertex", "vertices")
        case GeometryType():
            return translated(value.value.capitalize())
        case None if name in ("size", "mode", OUTLINE):
            return "–"
        case str() if name in _KEY:
            return value
    return fence_text(name, value, fence)


def differing(before: Geofence, after: Geofence) -> tuple[FieldDifference, ...]:
    """Return the fields in which two states of a geofence differ, including its tag and external ID."""
    keys = ((name, getattr(before, name), getattr(after, name)) for name in _KEY)
    changed = [FieldDifference(name, was, now) for name, was, now in keys if was != now]
    return (*changed, *fields_between(before, after))


def valued_fields(fence: Geofence) -> tuple[FieldDifference, ...]:
    """Return the fields of a geofence that have a value."""
    values = [(name, part_of(fence, name)) for name in FIELDS if name != OUTLINE]
    return tuple(FieldDifference(name, value, value) for name, value in values if value not in (None, (), {}))


def rows_of(fields: Sequence[FieldDifference], before: Geofence | None, after: Geofence | None) -> tuple[FieldRow, ...]:
    """Return fields side by side, as text. A missing geofence has empty values."""
    fence = after or before
    assert fence is not None
    return tuple(
        (
            title_of(field.name, fence),
            "" if before is None else text_of(field.name, field.before, before),
            "" if after is None else text_of(field.name, field.after, after),
        )
        for field in fields
    )
