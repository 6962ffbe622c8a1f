"""Helpers for all encoders: the response envelope, times and durations.

Absent fields are left out and never null; times are ``YYYY-MM-DDTHH:MM:SS.mmmZ``; durations are minutes; positions are
``[longitude, latitude]``. Results contain only types that JSON has.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, cast

import orjson
from pydantic import Field

from app.api.wire.common.answers import LongitudeLatitude, Meta, PageMeta, Record
from engine.domain.clock import utc_text
from engine.domain.errors import Conflict, InvalidParameter, NotFound, renamed
from engine.domain.fields.rows import column_of
from engine.domain.geometry import Point, Polygon

type Encoded = Mapping[str, Any]
"""A response, or a part of one."""

OK: Final[Meta] = {"code": 200}

encode_time: Final = utc_text
"""Formatter for times in the only form that every SDK reads."""

_OTHERS: Final = {"advance_s": "advanceSeconds", "metadata_items": "metadata", "size": "radius"}
_OF_LEG: Final = re.compile(r"(?<=^legs: leg )(\d+: )(\w+)(?=: )")


def encode_answer(content: Encoded, *, has_more: bool | None = None) -> Encoded:
    """Return the body of a successful response; for lists, ``meta.hasMore`` says whether more records follow."""
    meta: Meta | PageMeta = OK if has_more is None else {"code": 200, "hasMore": has_more}
    return {"meta": meta, **content}


def with_warnings(answer: Encoded, warnings: Sequence[str]) -> Encoded:
    """Return an answer with unique warnings in ``meta.warnings``, or unchanged without warnings."""
    if not warnings:
        return answer
    return {**answer, "meta": {**answer["meta"], "warnings": list(dict.fromkeys(warnings))}}


def in_json(encoded: Encoded) -> orjson.Fragment:
    """Return one of many records as JSON for a response.

    Encoding a response of several megabytes in one call would hold Python's lock, and block all other clients, until it
    is done.
    """
    return orjson.Fragment(orjson.dumps(encoded))


def minutes(seconds: float) -> float:
    """Return a measured duration in minutes, rounded to three decimals."""
    return round(seconds / 60, 3)


def set_minutes(seconds: float) -> float:
    """Return a configured duration in minutes as exactly as it was set; a value greater than 0 never becomes 0."""
    return float(f"{seconds / 60:.12g}")


def known[R: Mapping[str, Any]](record: R) -> R:
    """Return a record without empty texts, which stand for unknown values."""
    return cast(R, {name: value for name, value in record.items() if value != ""})


class PointAnswer(Record):
    """A GeoJSON Point."""

    type: Literal["Point"]
    coordinates: LongitudeLatitude


type ClosedRing = Annotated[tuple[LongitudeLatitude, ...], Field(min_length=4)]
type ClosedRings = Annotated[tuple[ClosedRing, ...], Field(min_length=1)]


class PolygonAnswer(Record):
    """A GeoJSON Polygon with one closed ring."""

    type: Literal["Polygon"]
    coordinates: Annotated[tuple[ClosedRing, ...], Field(min_length=1, max_length=1)]


class HoledPolygonAnswer(Record):
    """A GeoJSON Polygon with holes."""

    type: Literal["Polygon"]
    coordinates: Annotated[tuple[ClosedRing, ...], Field(min_length=2)]


class MultiPolygonAnswer(Record):
    """A GeoJSON MultiPolygon, the largest part first."""

    type: Literal["MultiPolygon"]
    coordinates: Annotated[tuple[ClosedRings, ...], Field(min_length=2)]


def encode_point(point: Point) -> PointAnswer:
    """Return a GeoJSON Point."""
    return {"type": "Point", "coordinates": (point.longitude, point.latitude)}


def encode_polygon(ring: Sequence[tuple[float, float]]) -> PolygonAnswer:
    """Return a GeoJSON Polygon with one ring."""
    return {"type": "Polygon", "coordinates": (tuple(ring),)}


def encode_parts(polygon: Polygon) -> HoledPolygonAnswer | MultiPolygonAnswer:
    """Return a polygon with holes or several parts as a GeoJSON Polygon or MultiPolygon."""
    if polygon.others:
        return {"type": "MultiPolygon", "coordinates": encode_coordinates(polygon)}
    return {"type": "Polygon", "coordinates": encode_coordinates(polygon)}


def encode_coordinates(polygon: Polygon) -> tuple[Any, ...]:
    """Return a polygon's ring, or the coordinates of a GeoJSON Polygon or MultiPolygon, as tuples."""
    if polygon.is_single_ring:
        return tuple(polygon.ring)
    parts = tuple(tuple(map(tuple, (part.ring, *part.holes))) for part in polygon.parts)
    return parts if polygon.others else parts[0]


def wire_name(field: str) -> str:
    """Return the wire name of a field, also at the end of a path; wire names are returned unchanged."""
    before, dot, last = field.rpartition(".")
    return f"{column_of(before)}{dot}{_OTHERS[last]}" if last in _OTHERS else column_of(field)


def on_the_wire[T](outcome: T) -> T:
    """Return an error of the engine with its field renamed as on the wire; other values are returned unchanged.

    Errors of the decoding already use the client's names and must not be passed to this function.
    """
    if isinstance(outcome, InvalidParameter | Conflict | NotFound):
        name = wire_name(outcome.param)
        message = renamed(outcome.message, outcome.param, name)
        outcome.message = _OF_LEG.sub(lambda found: f"{found[1]}{wire_name(found[2])}", message)
        outcome.param = name
    return outcome
