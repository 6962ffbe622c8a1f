"""Geofences from the clipboard: GeoJSON, well-known text, JSON of the API, or coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import orjson

from app.desktop.language import counted, tr
from app.desktop.model.shaping.positions import Order, read_all
from app.desktop.model.shaping.texts import Wire
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET, GeofenceChange
from engine.domain.geometry import GeometryType, Position
from engine.domain.imports import ImportFile, ImportOptions
from engine.domain.nesting import not_too_deep
from engine.domain.ports import no_progress
from engine.domain.values import replace
from engine.geo.written.positions import typed_position
from engine.geofences.imports.rows import read_file
from engine.tabular.formats.wkt import is_wkt

MOST_PASTED: Final = 1_000
RADIUS_M: Final = 100.0
"""Default radius of a circle around a point."""

_MOST_LETTERS: Final = 5_000_000
_UNNAMED: Final = "\N{INVISIBLE SEPARATOR}unnamed"
_NOTHING: Final = tr("clipboard: there is no GeoJSON, WKT, API JSON or coordinates in the clipboard.")
_FEWEST_OF_RING: Final = 4


def read_pasted(text: str, order: Order, wire: Wire) -> tuple[GeofenceChange, ...]:
    """Return the geofences in a text, which may lack a tag, an external ID and a description.

    Raises `InvalidParameter` for an invalid text, with the number of the feature or line.
    """
    text = text.strip()
    if not text:
        raise InvalidParameter("clipboard", _NOTHING)
    if len(text) > _MOST_LETTERS:
        raise _too_much(tr("the clipboard has {count:,} characters", count=len(text)))
    if _is_body(text):
        return (wire.decode(text),)
    if text.startswith(("{", "[")) or (is_wkt(text) and typed_position(text) is None):
        changes = _of_file(text)
    elif typed_position(text.splitlines()[0].rstrip(",;"), longitude_first=order is Order.LONGITUDE_FIRST) is not None:
        changes = _of_positions(read_all(text, order))
    else:
        raise InvalidParameter("clipboard", _NOTHING)
    if len(changes) > MOST_PASTED:
        raise _too_much(tr("the clipboard has {geofences}", geofences=counted(len(changes), "geofence")))
    return tuple(map(_complete, changes))


def _is_body(text: str) -> bool:
    """Return whether a text is a request body rather than GeoJSON."""
    if not text.startswith("{"):
        return False
    try:
        value = orjson.loads(not_too_deep(text))
    except ValueError:
        return False
    kind = str(value.get("type", "")) if isinstance(value, dict) else ""
    return kind in tuple(GeometryType) and "geometry" not in value


def _of_file(text: str) -> list[GeofenceChange]:
    options = ImportOptions(fixed={"tag": _UNNAMED, "externalId": _UNNAMED})
    read = read_file(ImportFile(text.encode(errors="replace"), "clipboard"), options, no_progress)
    changes: list[GeofenceChange] = []
    for row in read.rows:
        if row.change is None:
            message = row.errors[0].message if row.errors else tr("cannot be read.")
            raise InvalidParameter(
                "clipboard", tr("clipboard: number {number}: {message}", number=row.row, message=message)
            )
        if lost := [warning for warning in row.warnings if warning.column == "coordinates"]:
            raise InvalidParameter(
                "clipboard", tr("clipboard: number {number}: {message}", number=row.row, message=lost[0].message)
            )
        changes.append(_named(row.change))
    if not changes:
        raise InvalidParameter("clipboard", _NOTHING)
    return changes


def _named(change: GeofenceChange) -> GeofenceChange:
    """Return a change without placeholder names. The placeholders of parts have a number appended."""
    for name in ("tag", "external_id"):
        if str(getattr(change, name)).startswith(_UNNAMED):
            change = replace(change, **{name: UNSET})
    return change


def _of_positions(positions: Sequence[Position]) -> list[GeofenceChange]:
    """Return a polygon if the ring is closed, else a circle for each position."""
    if len(positions) >= _FEWEST_OF_RING and positions[0] == positions[-1]:
        return [GeofenceChange(type=GeometryType.POLYGON.value, coordinates=tuple(positions))]
    return [GeofenceChange(type=GeometryType.CIRCLE.value, coordinates=position) for position in positions]


def _complete(change: GeofenceChange) -> GeofenceChange:
    if change.type == GeometryType.CIRCLE and change.size in (UNSET, None):
        return replace(change, size=RADIUS_M)
    return change


def _too_much(problem: str) -> InvalidParameter:
    return InvalidParameter(
        "clipboard",
        tr(
            "clipboard: {clipboard_size}; at most {max_geofences:,} geofences can be pasted. "
            "Save it as a file and import it.",
            clipboard_size=problem,
            max_geofences=MOST_PASTED,
        ),
    )
