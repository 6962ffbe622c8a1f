"""Coordinate systems: coordinates other than degrees are reprojected, or refused with the system's name."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Final

from engine.domain.errors import InvalidParameter
from engine.tabular.formats.source import FILE, POINT, Part

_DEGREES: Final = frozenset({"EPSG:4326", "OGC:CRS84", "URN:OGC:DEF:CRS:OGC:1.3:CRS84", "URN:OGC:DEF:CRS:EPSG::4326"})

type _Line = tuple[Any, ...]
type Reproject = Callable[[Any], Any]
"""Converts positions, as an array of shape (n, 2), to degrees; those outside the system become infinite."""


def reprojection(crs: str | None) -> Reproject | None:
    """Return a function that converts positions to degrees, or None if they are in degrees already.

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

    def reproject(positions: Any) -> Any:
        import numpy as np

        return np.column_stack(transformer.transform(positions[:, 0], positions[:, 1]))

    return reproject


def in_degrees(parts: tuple[Part, ...], reproject: Reproject | None) -> tuple[Part, ...]:
    """Return parts in degrees; raises `InvalidParameter` if one is outside the file's coordinate system.

    Longitudes beyond ±180° are turned into this range: other programs write areas across it with up to 360°.
    """
    convert = _within_turn if reproject is None else partial(_reprojected, reproject)
    return tuple(_converted(part, convert) for part in parts)


def _converted(part: Part, convert: Callable[[_Line], _Line]) -> Part:
    if part.type == POINT:
        return Part(POINT, convert((part.coordinates,))[0])
    return Part(part.type, convert(part.coordinates), tuple(map(convert, part.holes)))


def _within_turn(line: _Line) -> _Line:
    """Return positions with longitudes within ±180°. Those beyond ±360° stay, and are refused elsewhere."""
    try:
        if min(line)[0] >= -180 and max(line)[0] <= 180:
            return line
        return tuple((_turned(longitude), *rest) for longitude, *rest in line)
    except (TypeError, ValueError, IndexError):  # not numbers, which is an error of its own
        return line


def _turned(longitude: float) -> float:
    if 180 < longitude <= 360:
        return longitude - 360
    return longitude + 360 if -360 <= longitude < -180 else longitude


def _reprojected(reproject: Reproject, line: _Line) -> _Line:
    import numpy as np

    try:
        positions = np.asarray(line, dtype=float).reshape(len(line), 2)
    except (TypeError, ValueError):
        return line
    degrees = reproject(positions)
    if not np.isfinite(degrees).all():
        raise outside()
    return tuple(map(tuple, degrees.tolist()))


def outside() -> InvalidParameter:
    """Return the error for coordinates that their system does not have."""
    return InvalidParameter("coordinates", "coordinates: are outside the file's coordinate system.")
