"""The common values of several geofences, and the one change that is made to all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from app.desktop.language import tr
from app.desktop.model.editing.changes import part_of, same_value
from app.desktop.model.editing.metadata import text_of
from app.desktop.model.fences import zone_of
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET, Geofence, GeofenceChange
from engine.domain.geometry import Circle
from engine.domain.metadata import MetadataValue
from engine.domain.values import replace

_MOST_KEYS: Final = 40
_MOST_ZONES: Final = 1_000
_LONGEST: Final = 40


class _Mixed(Enum):
    MIXED = "mixed"


type Mixed = Literal[_Mixed.MIXED]
MIXED: Final = _Mixed.MIXED
"""Placeholder for a field in which the geofences differ."""


def shared(fences: Sequence[Geofence], name: str) -> Any | Mixed:
    """Return the value that a field has in all geofences, or `MIXED`."""
    first = part_of(fences[0], name)
    return first if all(same_value(part_of(fence, name), first) for fence in fences) else MIXED


def all_circles(fences: Iterable[Geofence]) -> bool:
    """Return whether every geofence is a circle, with a radius of its own."""
    return all(isinstance(fence.geometry, Circle) for fence in fences)


def zone_of_all(fences: Sequence[Geofence]) -> ZoneInfo:
    """Return the common time zone of the geofences, or UTC if they have several or are too many to look up."""
    if len(fences) > _MOST_ZONES:
        return ZoneInfo("UTC")
    zones = {zone_of(fence.geometry) for fence in fences}
    return zones.pop() if len(zones) == 1 else ZoneInfo("UTC")


def keys_text(fences: Sequence[Geofence]) -> str:
    """Return the metadata keys in use: ``city: mixed, floor: 2, manager: on 3 of 12``."""
    counted = Counter(key for fence in fences for key in fence.metadata)
    listed = [f"{key}: {_value_text(fences, key, number)}" for key, number in counted.most_common(_MOST_KEYS)]
    more = len(counted) - len(listed)
    return ", ".join(listed) + (tr(" and {more:,} more", more=more) if more > 0 else "")


def keys_of(fences: Iterable[Geofence]) -> tuple[str, ...]:
    """Return the metadata keys in use, most frequent first."""
    counted = Counter(key for fence in fences for key in fence.metadata)
    return tuple(key for key, _ in counted.most_common(_MOST_KEYS))


def _value_text(fences: Sequence[Geofence], key: str, number: int) -> str:
    if number < len(fences):
        return tr("on {count:,} of {total:,}", count=number, total=len(fences))
    first = fences[0].metadata[key]
    if any(not same_value({"": first}, {"": fence.metadata[key]}) for fence in fences):
        return "mixed"
    text = text_of(first)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def bulk_change(
    values: Mapping[str, object], added: Mapping[str, MetadataValue], removed: Iterable[str]
) -> GeofenceChange:
    """Return the change of the edited fields. Raises `InvalidParameter` for a key both set and removed."""
    unset = dict.fromkeys(removed)
    both = next((key for key in unset if key in added), None)
    if both is not None:
        raise InvalidParameter("metadata", tr("metadata: {key!r} is both set and removed.", key=both))
    items = {**added, **unset}
    change = replace(GeofenceChange(), **dict(values))  # type: ignore[arg-type]
    return replace(change, metadata_items=items) if items else change


def is_empty(change: GeofenceChange) -> bool:
    """Return whether a change sets no field."""
    return all(getattr(change, name) is UNSET for name in GeofenceChange.__struct_fields__)
