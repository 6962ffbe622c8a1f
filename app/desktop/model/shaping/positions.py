"""Coordinates in forms: formatted and parsed in either order, one or many."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final

from app.desktop.language import tr, within_sentence
from app.desktop.model.editing.numbers import NotANumber, read_number
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import MAX_RING_POSITIONS, PackedRing, Point, Position, check_latitude, check_longitude
from engine.geo.rings import check_ring
from engine.geo.written.positions import typed_position

PARAM: Final = "coordinates"
LATITUDE: Final = tr("Latitude")
LONGITUDE: Final = tr("Longitude")
_MOST_LETTERS: Final = 400
_SHOWN: Final = 40


class Order(Enum):
    """The order in which coordinates are shown, typed and copied."""

    LATITUDE_FIRST = tr("Latitude, longitude")
    LONGITUDE_FIRST = tr("Longitude, latitude")

    @property
    def other(self) -> Order:
        """The other order."""
        return Order.LATITUDE_FIRST if self is Order.LONGITUDE_FIRST else Order.LONGITUDE_FIRST

    @property
    def axes(self) -> tuple[str, str]:
        """The names of the first and the second number."""
        return (LATITUDE, LONGITUDE) if self is Order.LATITUDE_FIRST else (LONGITUDE, LATITUDE)

    def sorted(self, position: Position) -> tuple[float, float]:
        """Return a position with longitude first in this order, or one in this order with longitude first."""
        return (position[1], position[0]) if self is Order.LATITUDE_FIRST else position


def degrees(value: float) -> str:
    """Return degrees with at most seven decimals, which is about a centimetre."""
    return f"{value:.7f}".rstrip("0").rstrip(".") if round(value, 7) else "0"


def spell(position: Position, order: Order) -> str:
    """Return coordinates in the format of `read`."""
    return ", ".join(map(degrees, order.sorted(position)))


def spell_all(positions: Sequence[Position], order: Order) -> str:
    """Return coordinates, one pair per line."""
    return "\n".join(spell(position, order) for position in positions)


def read(text: str, order: Order, *, swap: bool = True) -> Position:
    """Return typed or pasted coordinates; raises `InvalidParameter` for ``coordinates``.

    Text that marks the latitude is read accordingly. With `swap`, numbers that are only valid in the other order are
    swapped.
    """
    typed = typed_position(text[:_MOST_LETTERS], longitude_first=order is Order.LONGITUDE_FIRST)
    if typed is None:
        example = "14.5, 46.05" if order is Order.LONGITUDE_FIRST else "46.05, 14.5"
        raise _bad(
            tr(
                "must be {coordinate_order}, such as {example}, not {entered_text}.",
                coordinate_order=within_sentence(order.value),
                example=example,
                entered_text=_short(text),
            )
        )
    point = typed.point or (typed.swapped if swap else None)
    if point is None:
        raise _bad(typed.hint)
    return point.longitude, point.latitude


def read_point(text: str, param: str) -> Point:
    """Return a typed or pasted position, latitude first; raises `InvalidParameter` naming `param`.

    Numbers that are only valid in the other order are rejected.
    """
    try:
        return Point(*read(text, Order.LATITUDE_FIRST, swap=False))
    except InvalidParameter as error:
        raise InvalidParameter(param, f"{param}: {error.message.removeprefix(f'{PARAM}: ')}") from None


def read_all(text: str, order: Order) -> tuple[Position, ...]:
    """Return the coordinates in several lines. Empty lines are ignored.

    Raises `InvalidParameter` for ``coordinates`` with the number of the line.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) > MAX_RING_POSITIONS:
        raise _bad(
            tr(
                "there are {count:,} lines; at most {max_lines:,} are allowed.",
                count=len(lines),
                max_lines=MAX_RING_POSITIONS,
            )
        )
    found: list[Position] = []
    for number, line in lines:
        try:
            found.append(read(line.strip().rstrip(",;"), order))
        except InvalidParameter as error:
            prefix = tr("line {number}: ", number=number) if len(lines) > 1 else ""
            raise _bad(prefix + error.message.removeprefix(f"{PARAM}: ")) from None
    return tuple(found)


def axis(text: str, name: str) -> float:
    """Return a single latitude or longitude; raises `InvalidParameter` for ``coordinates``."""
    try:
        value = float(read_number(text.strip().rstrip("°º")))
    except NotANumber as error:
        raise _bad(
            tr("the {latitude_or_longitude} {error}", latitude_or_longitude=within_sentence(name), error=error)
        ) from None
    check = check_latitude if name == LATITUDE else check_longitude
    return round(check(value, PARAM), 7)


def ring_of(vertices: Sequence[Position]) -> tuple[Position, ...]:
    """Return the closed ring of some vertices. The last vertex may repeat the first.

    Raises `InvalidParameter` for ``coordinates`` if it is not a valid geofence.
    """
    closed = vertices if len(vertices) > 1 and vertices[0] == vertices[-1] else (*vertices, *vertices[:1])
    return tuple(check_ring(closed).ring)


def middle_of(one: Position, other: Position) -> Position:
    """Return the midpoint of an edge, which takes the shorter way around the earth."""
    east = (other[0] - one[0] + 180.0) % 360.0 - 180.0
    longitude = (one[0] + east / 2 + 540.0) % 360.0 - 180.0
    return round(longitude, 7), round((one[1] + other[1]) / 2, 7)


def words_of(value: object) -> str:
    """Return a short description of the coordinates in a change: the centre, or the number of vertices."""
    match value:
        case (float() | int() as longitude, float() | int() as latitude):
            return spell((longitude, latitude), Order.LATITUDE_FIRST)
        case Point(longitude, latitude):
            return spell((longitude, latitude), Order.LATITUDE_FIRST)
        case (PackedRing() | tuple()) as rings:
            return tr("{count:,} vertices", count=_vertex_count(rings))
    return tr("none")


def _vertex_count(coordinates: Sequence[Any]) -> int:
    """Return the number of vertices of a closed ring, or of the rings of a GeoJSON Polygon or MultiPolygon."""
    if not coordinates or isinstance(coordinates[0][0], int | float):
        return max(len(coordinates) - 1, 0)
    return sum(map(_vertex_count, coordinates))


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")


def _bad(message: str) -> InvalidParameter:
    return InvalidParameter(PARAM, f"{PARAM}: {message}")
