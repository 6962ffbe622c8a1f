"""Helpers of all encoders: the envelope of answers, times and durations.

Absent fields are left out and never null; times are ``YYYY-MM-DDTHH:MM:SS.mmmZ``; durations are minutes; positions
are ``[longitude, latitude]``. What is returned holds only types that JSON has.
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
from engine.domain.geometry import Point

type Encoded = Mapping[str, Any]
"""An answer or a part of one, whichever it is."""

OK: Final[Meta] = {"code": 200}

encode_time: Final = utc_text
"""Returns a time in the only form that every SDK reads."""

_OTHERS: Final = {"advance_s": "advanceSeconds", "metadata_items": "metadata", "size": "radius"}
_OF_LEG: Final = re.compile(r"(?<=^legs: leg )(\d+: )(\w+)(?=: )")


def encode_answer(content: Encoded, *, has_more: bool | None = None) -> Encoded:
    """Return the body of a successful answer; lists say in ``meta.hasMore`` whether more follow."""
    meta: Meta | PageMeta = OK if has_more is None else {"code": 200, "hasMore": has_more}
    return {"meta": meta, **content}


def with_warnings(answer: Encoded, warnings: Sequence[str]) -> Encoded:
    """Return an answer whose ``meta.warnings`` holds these sentences, each once; the same answer without any."""
    if not warnings:
        return answer
    return {**answer, "meta": {**answer["meta"], "warnings": list(dict.fromkeys(warnings))}}


def in_json(encoded: Encoded) -> orjson.Fragment:
    """Return one of many records as the JSON it will be in the answer.

    Writing an answer of megabytes as one holds Python's lock, and so every other client, until it is written.
    """
    return orjson.Fragment(orjson.dumps(encoded))


def minutes(seconds: float) -> float:
    """Return how long something took, to a thousandth of a minute."""
    return round(seconds / 60, 3)


def set_minutes(seconds: float) -> float:
    """Return a duration that somebody set, as exactly as it was set: nothing that is greater than 0 becomes 0."""
    return float(f"{seconds / 60:.12g}")


def known[R: Mapping[str, Any]](record: R) -> R:
    """Return a record without the texts that are empty, since nothing is known of what they stand for."""
    return cast(R, {name: value for name, value in record.items() if value != ""})


class PointAnswer(Record):
    """A GeoJSON Point."""

    type: Literal["Point"]
    coordinates: LongitudeLatitude


class PolygonAnswer(Record):
    """A GeoJSON Polygon with one closed ring."""

    type: Literal["Polygon"]
    coordinates: Annotated[
        tuple[Annotated[tuple[LongitudeLatitude, ...], Field(min_length=4)], ...],
        Field(min_length=1, max_length=1),
    ]


def encode_point(point: Point) -> PointAnswer:
    """Return a GeoJSON Point."""
    return {"type": "Point", "coordinates": (point.longitude, point.latitude)}


def wire_name(field: str) -> str:
    """Return the name on the wire of a field, or of one at a place; a name of the wire stays as it is."""
    before, dot, last = field.rpartition(".")
    return f"{column_of(before)}{dot}{_OTHERS[last]}" if last in _OTHERS else column_of(field)


def on_the_wire[T](outcome: T) -> T:
    """Return an error of the engine, now with its field as the wire spells it; anything else as it is.

    What decoding refuses already names what the client wrote, and is not to go through here.
    """
    if isinstance(outcome, InvalidParameter | Conflict | NotFound):
        name = wire_name(outcome.param)
        message = renamed(outcome.message, outcome.param, name)
        outcome.message = _OF_LEG.sub(lambda found: f"{found[1]}{wire_name(found[2])}", message)
        outcome.param = name
    return outcome
