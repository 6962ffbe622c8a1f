"""The cells of the import table, one function per kind: from the text to the value, or an `InvalidParameter`."""

import json
import re
from datetime import datetime
from typing import Any, NoReturn

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import GeometryType
from engine.domain.hours import OperatingHours, Span, parse_hours, parse_spans
from engine.domain.ip import IpRanges, parse_ip_ranges
from engine.domain.metadata import MAX_GEOFENCE_KEYS, Metadata, check_metadata
from engine.domain.settings import check_dwell_threshold
from engine.domain.text import check_identifier
from engine.domain.travel import mode_of
from engine.geofences.csv_dates import read_date

_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def text(column: str, cell: str) -> str:
    """Return the text of a required field."""
    if not cell:
        raise InvalidParameter(column, f"{column}: must not be empty.")
    return cell


def geometry_type(column: str, cell: str) -> str:
    """Return the geometry type; the case does not matter."""
    kind = text(column, cell).lower()
    if kind not in set(GeometryType):
        raise InvalidParameter(column, f"{column}: must be {' or '.join(GeometryType)}, not {cell!r}.")
    return kind


def mode(column: str, cell: str) -> str | None:
    """Return how one travels; the case does not matter, and empty is none, which an isochrone cannot have."""
    return mode_of(cell, column).value if cell else None


def number(column: str, cell: str) -> float:
    """Return a decimal number with a point."""
    if not cell:
        raise InvalidParameter(column, f"{column}: must not be empty.")
    if not _DECIMAL.fullmatch(cell):
        raise InvalidParameter(column, f"{column}: {_short(cell)} is not a number.")
    return float(cell)


def enabled(column: str, cell: str) -> bool:
    """Return the flag; empty is its default, true."""
    return flag(column, cell) is not False


def flag(column: str, cell: str) -> bool | None:
    """Return the flag; empty is None."""
    match cell.lower():
        case "true":
            return True
        case "false":
            return False
        case "":
            return None
        case _:
            raise InvalidParameter(column, f"{column}: must be true or false, not {_short(cell)}.")


def hours(column: str, cell: str) -> OperatingHours | None:
    """Return the operating hours that the JSON object in `cell` spells; empty is always open."""
    return parse_hours(_json(column, cell), column) if cell else None


def spans(column: str, cell: str, day: str) -> tuple[Span, ...]:
    """Return when a geofence is open on one day, from a JSON list of pairs; empty is closed."""
    return parse_spans(_json(column, cell), column, day) if cell else ()


def date(column: str, cell: str) -> datetime | None:
    """Return the moment of a date; empty is never."""
    return read_date(cell, column) if cell else None


def user_id(column: str, cell: str) -> tuple[str, ...]:
    """Return one user ID; empty is none."""
    if "," in cell:
        raise InvalidParameter(column, f"{column}: is one user ID, without commas; use userIds for several.")
    return (check_identifier(cell, column),) if cell else ()


def user_ids(column: str, cell: str) -> tuple[str, ...]:
    """Return comma-separated user IDs, each once; empty is none."""
    ids = tuple(dict.fromkeys(part.strip() for part in cell.split(",") if part.strip()))
    if cell and not ids:
        raise InvalidParameter(column, f"{column}: {_short(cell)} holds no user ID.")
    for one in ids:
        check_identifier(one, column)
    return ids


def ip_ranges(column: str, cell: str) -> IpRanges | None:
    """Return comma-separated ranges of IP addresses; empty is all addresses."""
    ranges = parse_ip_ranges(cell, column)
    if cell and ranges is None:
        raise InvalidParameter(column, f"{column}: {_short(cell)} holds no IP address.")
    return ranges


def dwell_threshold_s(column: str, cell: str) -> float | None:
    """Return a dwell threshold, in minutes in the cell, in seconds; empty is the project's."""
    return check_dwell_threshold(number(column, cell) * 60, column) if cell else None


def metadata(column: str, cell: str) -> Metadata:
    """Return the dictionary that the JSON object in `cell` spells; empty is no metadata."""
    value = _json(column, cell) if cell else {}
    if not isinstance(value, dict):
        raise InvalidParameter(column, f'{column}: must be a JSON object such as {{"key": "value"}}.')
    return check_metadata(value, max_keys=MAX_GEOFENCE_KEYS)


def coordinates(column: str, cell: str) -> tuple[object, ...]:
    """Return a position or a ring of positions as tuples, from JSON in the specification's form or GeoJSON.

    Whether it is a sound geometry is decided where the geofence is stored.
    """
    if not cell:
        raise InvalidParameter(column, f"{column}: must not be empty.")
    value = _json(column, cell)
    if isinstance(value, dict):
        value = _from_geojson(column, value)
    if not isinstance(value, list):
        raise InvalidParameter(
            column, f"{column}: must be [longitude,latitude] for a circle, or a ring [[lon,lat],…] for a polygon."
        )
    return tuple(tuple(item) if isinstance(item, list) else item for item in value)


def _from_geojson(column: str, shape: dict[str, Any]) -> object:
    match shape:
        case {"type": "Point", "coordinates": position}:
            return position
        case {"type": "Polygon", "coordinates": [ring]}:
            return ring
        case {"type": "Polygon", "coordinates": [_, *_]}:
            raise InvalidParameter(column, f"{column}: a polygon with holes is not served.")
        case _:
            raise InvalidParameter(column, f"{column}: as GeoJSON it must be a Point or a Polygon.")


def _json(column: str, cell: str) -> object:
    try:
        value: object = json.loads(cell, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise InvalidParameter(column, f"{column}: {_short(cell)} is not JSON: {error.msg}.") from None
    except (ValueError, RecursionError):  # NaN, a number of thousands of digits, nesting without an end
        raise InvalidParameter(column, f"{column}: {_short(cell)} holds what JSON does not allow.") from None
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


def _short(cell: str) -> str:
    return repr(cell if len(cell) <= 40 else cell[:39] + "…")
