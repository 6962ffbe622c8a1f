"""Houses near a position in a gazetteer, and names of streets."""

from math import hypot
from typing import Final

from engine.domain.addresses.address import AddressLanguage
from engine.domain.geometry import Point
from engine.gazetteer.reader import Gazetteer
from engine.geo.earth import distance_m, metres_per_degree

HOUSE_WITHIN_M: Final = 100.0
"""Maximum distance in metres of a house that is the address of a position."""


def street_name(gazetteer: Gazetteer, street: int, language: AddressLanguage) -> str:
    """Return the name of a street, in a language if it is known."""
    name, names = gazetteer.street_names(street)
    return names.get(language) or name


def nearest_house(
    gazetteer: Gazetteer, point: Point, ring_m: float
) -> tuple[float, int, int, str, float, float, int] | None:
    """Return the nearest house within a distance, or None.

    The tuple holds its distance, ID, street, number as written, longitude, latitude and context.
    """
    rows = gazetteer.rows(
        "SELECT h.id, h.street, h.number, h.longitude, h.latitude, h.context"
        " FROM house_positions p JOIN houses h ON h.id = p.id"
        " WHERE p.west <= ? AND p.east >= ? AND p.south <= ? AND p.north >= ?",
        *box_around(point, ring_m),
    )
    if not rows:
        return None
    per_degree = metres_per_degree(point.latitude)
    row = min(rows, key=lambda row: (_roughly_m(point, row[3], row[4], per_degree), row[0]))
    away_m = distance_m(point.longitude, point.latitude, row[3], row[4])
    return (away_m, *row) if away_m <= ring_m else None


def box_around(point: Point, radius_m: float) -> tuple[float, float, float, float]:
    """Return the limits for finding boxes that overlap a square around a position: its east, west, north and south."""
    x, y = metres_per_degree(point.latitude)
    wide, high = min(radius_m / max(x, 1.0), 180.0), radius_m / y
    return point.longitude + wide, point.longitude - wide, point.latitude + high, point.latitude - high


def _roughly_m(point: Point, longitude: float, latitude: float, per_degree: tuple[float, float]) -> float:
    return hypot((longitude - point.longitude) * per_degree[0], (latitude - point.latitude) * per_degree[1])
