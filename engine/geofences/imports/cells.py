"""Parsers for the cells specific to geofences: from text to a value, or an `InvalidParameter`."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import GeometryType
from engine.domain.hours import Span, parse_hours, parse_spans
from engine.domain.ip import IpRanges, parse_ip_ranges
from engine.domain.text import check_identifier
from engine.domain.travel import mode_of
from engine.geofences.imports.dates import read_date
from engine.geofences.imports.opening_hours import EXAMPLE, NotOpeningHours, ReadHours, read_opening_hours
from engine.tabular.cells import json_of, number, short, text
from engine.tabular.formats.crs import in_degrees
from engine.tabular.formats.parts import parts_of, polygon_of
from engine.tabular.formats.source import POINT, POLYGON, Part
from engine.tabular.formats.wkt import is_wkt, parts_of_wkt

_JSON_HOURS: Final = '{"Mon": [["09:00", "17:00"]]}'
_TYPES: Final = frozenset(GeometryType)


def geometry_type(column: str, cell: str) -> str:
    """Return the geometry type, ignoring case."""
    kind = text(column, cell).lower()
    if kind not in _TYPES:
        raise InvalidParameter(column, f"{column}: must be {' or '.join(GeometryType)}, not {cell!r}.")
    return kind


def mode(column: str, cell: str) -> str | None:
    """Return the travel mode, ignoring case, or None for an empty cell, which an isochrone cannot have."""
    return mode_of(cell, column).value if cell else None


def hours(column: str, cell: str) -> ReadHours:
    """Return the operating hours in a JSON object or ``opening_hours`` text; an empty cell means always open.

    Raises `NotWeekly` for valid opening hours that no week can express.
    """
    if not cell:
        return ReadHours(None)
    if cell.startswith(("{", "[")):
        return ReadHours(parse_hours(json_of(column, cell), column))
    try:
        return read_opening_hours(cell)
    except NotOpeningHours:
        raise InvalidParameter(
            column,
            f"{column}: {short(cell)} is neither JSON nor OpenStreetMap's opening_hours; "
            f"write it as {_JSON_HOURS} or {EXAMPLE}.",
        ) from None


def spans(column: str, cell: str, day: str) -> tuple[Span, ...]:
    """Return the opening times of one day from a JSON list of pairs; an empty cell means closed."""
    return parse_spans(json_of(column, cell), column, day) if cell else ()


def date(column: str, cell: str) -> datetime | None:
    """Return the time of a date; an empty cell means never."""
    return read_date(cell, column) if cell else None


def user_id(column: str, cell: str) -> tuple[str, ...]:
    """Return one user ID, or nothing for an empty cell."""
    if "," in cell:
        raise InvalidParameter(column, f"{column}: must be one user ID, without commas; use userIds for several.")
    return (check_identifier(cell, column),) if cell else ()


def user_ids(column: str, cell: str) -> tuple[str, ...]:
    """Return distinct user IDs, separated by commas or from a JSON list; an empty cell has none."""
    ids = tuple(dict.fromkeys(_json_ids(cell) or (part.strip() for part in cell.split(",") if part.strip())))
    if cell and not ids:
        raise InvalidParameter(column, f"{column}: {short(cell)} contains no user ID.")
    for one in ids:
        check_identifier(one, column)
    return ids


def _json_ids(cell: str) -> list[str]:
    """Return the strings of a JSON list, or an empty list for any other cell."""
    try:
        value = json_of("", cell) if cell.startswith("[") else None
    except InvalidParameter:
        return []
    return value if isinstance(value, list) and all(isinstance(item, str) for item in value) else []


def ip_ranges(column: str, cell: str) -> IpRanges | None:
    """Return comma-separated ranges of IP addresses; an empty cell means all addresses."""
    ranges = parse_ip_ranges(cell, column)
    if cell and ranges is None:
        raise InvalidParameter(column, f"{column}: {short(cell)} contains no IP address.")
    return ranges


def seconds(check: Callable[[float, str], float] | None) -> Callable[[str, str], float | None]:
    """Return a parser of durations: minutes in the cell, seconds in the result; an empty cell means the project's."""

    def read(column: str, cell: str) -> float | None:
        if not cell:
            return None
        value = number(column, cell) * 60
        return value if check is None else check(value, column)

    return read


def parts(column: str, cell: str) -> tuple[Part, ...]:
    """Return the positions and rings in a cell: JSON as in the specification, GeoJSON, or WKT.

    Whether they form a valid geometry is determined when the geofence is stored.
    """
    if not cell:
        raise InvalidParameter(column, f"{column}: must not be empty.")
    if is_wkt(cell):
        return parts_of_wkt(cell, column)
    value = json_of(column, cell)
    if isinstance(value, dict):
        geometry = value.get("geometry") or {} if value.get("type") == "Feature" else value
        return in_degrees(parts_of(geometry, column), None)
    if not isinstance(value, list):
        raise InvalidParameter(
            column, f"{column}: must be [longitude,latitude] for a circle, or a ring [[lon,lat],…] for a polygon."
        )
    match _depth(value):
        case 3:
            return (polygon_of(value),)
        case 4:
            return tuple(map(polygon_of, value))
        case depth:
            kind = POLYGON if depth == 2 else POINT
            return (Part(kind, tuple(tuple(item) if isinstance(item, list) else item for item in value)),)


def _depth(value: object) -> int:
    """Return the number of lists around the first number, up to five."""
    depth = 0
    while isinstance(value, list) and depth < 5:
        depth += 1
        value = value[0] if value else None
    return depth
