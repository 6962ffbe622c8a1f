"""Coordinate systems: coordinates other than degrees are reprojected, or refused with the system's name."""

from collections.abc import Callable
from functools import lru_cache
from math import isfinite
from typing import Any, Final

from engine.domain.errors import InvalidParameter
from engine.tabular.formats.source import FILE, Part

_DEGREES: Final = frozenset({"EPSG:4326", "OGC:CRS84", "URN:OGC:DEF:CRS:OGC:1.3:CRS84", "URN:OGC:DEF:CRS:EPSG::4326"})

type Reproject = Callable[[Part], Part]


def reprojection(crs: str | None) -> Reproject | None:
    """Return a function that converts a part to degrees, or None if it is in degrees already.

    Raises `InvalidParameter` for a coordinate system that is unknown or cannot be converted to degrees.
    """
    if crs is None or crs.strip().upper() in _DEGREES:
        return None
    return _reprojection(crs)


@lru_cache(maxsize=16)
def _reprojection(crs: str) -> Reproject | None:
    # Imported here because it takes long to load, and few files need it.
    from pyproj import CRS, Transformer
    from pyproj.exceptions import ProjError

    try:
        known = CRS.from_user_input(crs)
        if known.equals("EPSG:4326", ignore_axis_order=True):
            return None
        transformer = Transformer.from_crs(known, "EPSG:4326", always_xy=True)
    except ProjError:
        raise InvalidParameter(
            FILE, f"The coordinate system {crs[:60]!r} is not known. Save the file in WGS 84 (EPSG:4326)."
        ) from None
    return lambda part: Part(part.type, _turned(part.coordinates, transformer), part.holes)


def _turned(coordinates: tuple[object, ...], transformer: Any) -> tuple[object, ...]:
    if coordinates and isinstance(coordinates[0], tuple):
        return tuple(_turned(position, transformer) for position in coordinates if isinstance(position, tuple))
    if len(coordinates) != 2 or not all(isinstance(number, int | float) for number in coordinates):
        return coordinates
    longitude, latitude = transformer.transform(*coordinates)
    if not (isfinite(longitude) and isfinite(latitude)):
        raise InvalidParameter("coordinates", "coordinates: are outside the file's coordinate system.")
    return longitude, latitude
