"""Time zones of positions, from the outlines in tzfpy (based on OpenStreetMap, ODbL)."""

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import tzfpy

from engine.domain.addresses.address import Address, TimeZone
from engine.domain.clock import utc_text
from engine.domain.geometry import Point

_UTC = "Etc/UTC"

_NONE: Final = timedelta()
_HALF_A_YEAR: Final = timedelta(days=182)
_LOCALE: Final = "en_US"
_OTHER_WAY_ROUND: Final = str.maketrans("+-", "-+")


@lru_cache(maxsize=65_536)
def zone_at(longitude: float, latitude: float) -> ZoneInfo:
    """Return the time zone of a position in degrees, which at sea is the nautical one."""
    try:
        return ZoneInfo(tzfpy.get_tz(longitude, latitude) or _UTC)
    except ZoneInfoNotFoundError:  # a zone newer than the time zone database of this machine
        return ZoneInfo(_UTC)


def zoned_text(moment: datetime, zone: ZoneInfo) -> str:
    """Return a local time with its offset and zone, such as ``2026-05-12T08:00:07+02:00 (Europe/Vienna)``."""
    try:
        local = moment.astimezone(zone)
    except OverflowError:  # the first or last day of the calendar
        return utc_text(moment)
    return f"{local.isoformat(timespec='milliseconds' if local.microsecond else 'seconds')} ({zone.key})"


def time_zone_at(point: Point, now: datetime) -> TimeZone:
    """Return the time zone of a position at `now`, which must be timezone-aware.

    The name is the English one from CLDR (``Eastern Standard Time``). The code is that of the time zone database
    (``EST``), which for some zones is an offset (``+03``).
    """
    zone = zone_at(point.longitude, point.latitude)
    local = now.astimezone(zone)
    is_summer = bool(local.dst())
    return TimeZone(
        id=zone.key,
        name=_name(zone.key, is_summer=is_summer),
        code=local.tzname() or zone.key,
        now=local,
        utc_offset_s=int((local.utcoffset() or _NONE).total_seconds()),
        dst_offset_s=int((local.dst() or _NONE).total_seconds()),
    )


def time_zone_of_country(country: Address, now: datetime) -> TimeZone | None:
    """Return the time zone of a country, or None if it has several."""
    return time_zone_at(country.point, now) if _is_alike_everywhere(country.country_code or "", now) else None


def _is_alike_everywhere(country_code: str, now: datetime) -> bool:
    """Return whether clocks show the same time everywhere in a country, now and in half a year, by CLDR's zones."""
    # Imported only here and in `_name`, so that a workspace without address lookups does not load Babel.
    from babel.core import get_global

    zones = [ZoneInfo(zone) for zone in get_global("territory_zones").get(country_code, ())]
    moments = (now, now + _HALF_A_YEAR)
    return len({tuple(moment.astimezone(zone).utcoffset() for moment in moments) for zone in zones}) <= 1


@lru_cache(maxsize=2_000)
def _name(zone: str, *, is_summer: bool) -> str:
    if zone.startswith("Etc/"):
        # CLDR has no names for the nautical zones used at sea, and their signs are inverted.
        return zone.removeprefix("Etc/").translate(_OTHER_WAY_ROUND)
    from babel.dates import get_timezone_name

    return get_timezone_name(zone, width="long", zone_variant="daylight" if is_summer else "standard", locale=_LOCALE)
