"""The time zone of a place, from the outlines that tzfpy brings (made of OpenStreetMap, ODbL)."""

from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import tzfpy

_UTC = "Etc/UTC"


@lru_cache(maxsize=65_536)
def zone_at(longitude: float, latitude: float) -> ZoneInfo:
    """Return the time zone of a position in degrees; at sea it is the nautical one."""
    try:
        return ZoneInfo(tzfpy.get_tz(longitude, latitude) or _UTC)
    except ZoneInfoNotFoundError:  # a zone younger than the database of this machine
        return ZoneInfo(_UTC)
