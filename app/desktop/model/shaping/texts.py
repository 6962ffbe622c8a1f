"""A geofence as text in several formats, and parsing of such texts with the positions of errors."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from enum import Enum
from typing import Final

from msgspec import Struct

from app.desktop.language import tr
from app.desktop.model.editing.changes import part_of, same_value
from app.desktop.model.shaping.faults import Fault, fault_of, json_fault, unreadable, wkt_fault
from app.desktop.model.words import error_text
from engine.domain.errors import Conflict, InvalidParameter
from engine.domain.fields.geofence import GEOFENCE, OTHERS, RULES, SHAPE
from engine.domain.geofence import UNSET, Geofence, GeofenceChange
from engine.domain.values import replace
from engine.geofences.imports.texts import geojson_of, read_geojson_shape, read_wkt_shape, wkt_of
from engine.tabular.formats.wkt import is_wkt

MOST_LETTERS: Final = 1_000_000
_PAIR: Final = re.compile(r"\[\s+(-?[\d.eE+-]+),\s+(-?[\d.eE+-]+)\s+\]")
_SPAN: Final = re.compile(r'\[\s+("[\d:]+"),\s+("[\d:]+")\s+\]')


class Format(Enum):
    """A text format of geofences."""

    GEOJSON = "GeoJSON"
    WKT = "WKT"
    API = "API JSON"


type Encode = Callable[[Geofence], str]
type Decode = Callable[[str], GeofenceChange]
type Judge = Callable[[Geofence, GeofenceChange], Geofence]


class Wire(Struct, frozen=True):
    """Encoding and decoding of the API format, which the window does not know itself."""

    encode: Encode
    decode: Decode


class Read(Struct, frozen=True):
    """The result of reading a text: the change and the resulting geofence, or the error."""

    text: str
    change: GeofenceChange | None = None
    fence: Geofence | None = None
    fault: Fault | None = None

    @property
    def changes(self) -> bool:
        """Whether the text differs from the stored geofence."""
        return self.change is not None and self.change != GeofenceChange()


def write_text(fence: Geofence, format: Format, wire: Wire) -> str:
    """Return a geofence as text, with one position per line."""
    match format:
        case Format.GEOJSON:
            return _compact(json.dumps(geojson_of(fence.geometry), indent=2, ensure_ascii=False))
        case Format.WKT:
            return wkt_of(fence.geometry)
        case Format.API:
            return _compact(wire.encode(fence))


def read_text(text: str, format: Format, fence: Geofence, wire: Wire, judge: Judge) -> Read:
    """Return the change that a text makes to a geofence. Fields missing in the API's JSON get their default values."""
    format = _recognised(text, format)
    fault = _unreadable(text, format)
    if fault is not None:
        return Read(text, fault=fault)
    try:
        change = _differing(fence, _change(text, format, fence, wire))
        judged = judge(fence, change)
        return Read(text, _found(change, judged), judged)
    except (InvalidParameter, Conflict) as error:
        at = error if isinstance(error, InvalidParameter) else InvalidParameter(error.param, error.message)
        return Read(text, fault=fault_of(at, text, error_text(error)))


def _recognised(text: str, format: Format) -> Format:
    """Return the format of a text, which may be well-known text in place of GeoJSON, or the reverse."""
    if format is Format.GEOJSON and is_wkt(text):
        return Format.WKT
    return Format.GEOJSON if format is Format.WKT and text.lstrip().startswith("{") else format


def _found(change: GeofenceChange, judged: Geofence) -> GeofenceChange:
    """Return a change with the shape that was found for its address or place."""
    if change.address is UNSET and change.place_id is UNSET:
        return change
    shape = {name: value for name in _SHAPE if (value := part_of(judged, name)) is not None}
    return replace(change, address=UNSET, place_id=UNSET, **shape)  # type: ignore[arg-type]


def _unreadable(text: str, format: Format) -> Fault | None:
    find = wkt_fault if format is Format.WKT else json_fault
    return unreadable(text, MOST_LETTERS, tr("The text is empty. Esc brings the geofence's own back.")) or find(text)


def _change(text: str, format: Format, fence: Geofence, wire: Wire) -> GeofenceChange:
    match format:
        case Format.GEOJSON:
            return read_geojson_shape(text, fence.geometry)
        case Format.WKT:
            return read_wkt_shape(text, fence.geometry)
        case Format.API:
            return _whole(wire.decode(text))


def _whole(change: GeofenceChange) -> GeofenceChange:
    """Return a change in which missing fields have the values of a new geofence."""
    missing = {row.name: row.unset for row in (*OTHERS, *RULES) if getattr(change, row.name) is UNSET}
    return replace(change, **missing)


def _differing(fence: Geofence, change: GeofenceChange) -> GeofenceChange:
    """Return the fields of a change that differ from the stored geofence."""
    same = [
        name
        for name in change.__struct_fields__
        if (value := getattr(change, name)) is not UNSET
        and name in _STORED
        and same_value(_plain(value), _plain(part_of(fence, name)))
    ]
    if "type" not in same and change.type is not UNSET:
        same = [name for name in same if name not in _SHAPE]
    return replace(change, **dict.fromkeys(same, UNSET))


_SHAPE: Final = tuple(row.name for row in SHAPE)
_STORED: Final = frozenset(row.name for row in GEOFENCE)


def _plain(value: object) -> object:
    """Convert lists in a value to tuples."""
    if isinstance(value, list | tuple):
        return tuple(map(_plain, value))
    return dict(value) if isinstance(value, dict) else value


def _compact(text: str) -> str:
    """Return JSON with each position and each span of hours on one line."""
    return _SPAN.sub(r"[\1, \2]", _PAIR.sub(r"[\1, \2]", text))
