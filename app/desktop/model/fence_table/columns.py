"""The columns of the table of geofences, with their texts and sort keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Final

from msgspec import Struct

from app.desktop.language import tr, translated
from app.desktop.model.editing.metadata import line_of, text_of
from app.desktop.model.isochrones import travel_text
from app.desktop.model.natural import natural_key
from app.desktop.model.shaping.measures import area_text
from app.desktop.model.words import capital, size_text, zone_name
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, Geometry, Isochrone
from engine.domain.metadata import MetadataValue
from engine.geo.shaping.measuring import area_m2
from engine.geo.zones import zone_at

type SortKey = str | float | tuple[int, float, str]
"""The sort key of a cell. All keys of a column have the same form; None, for a cell without a value, sorts last."""

MOST_KEYS: Final = 64
"""Maximum number of metadata keys, the most frequent ones, that can have columns."""

_OF_KEY: Final = "metadata."


class Column(Struct, frozen=True):
    """A column. The content of a `volatile` one changes with time, so it is recomputed whenever it is sorted by."""

    name: str
    title: str
    width_px: int
    text: Callable[[Geofence], str]
    key: Callable[[Geofence], SortKey | None]
    numeric: bool = False
    volatile: bool = False


def moment_text(at: datetime, fence: Geofence) -> str:
    """Return a moment in the time zone of a geofence."""
    point = anchor_of(fence.geometry)
    local = at.astimezone(zone_at(*point))
    return f"{local:%Y-%m-%d %H:%M} {zone_name(local, local.tzinfo)}"


def anchor_of(geometry: Geometry) -> tuple[float, float]:
    """Return a position in or near a geofence, without measuring."""
    if isinstance(geometry, Circle | Isochrone):
        return geometry.center.longitude, geometry.center.latitude
    return geometry.ring[0]


def _type_text(fence: Geofence) -> str:
    if isinstance(fence.geometry, Isochrone):
        return tr("Isochrone, {travel_time}", travel_time=travel_text(fence.geometry.minutes, fence.geometry.mode))
    return translated(capital(fence.geometry.type))


def _type_key(fence: Geofence) -> SortKey:
    minutes = fence.geometry.minutes if isinstance(fence.geometry, Isochrone) else 0
    return f"{fence.geometry.type} {minutes:09.3f}"


def _radius(fence: Geofence) -> float | None:
    return fence.geometry.radius_m if isinstance(fence.geometry, Circle) else None


def _radius_text(fence: Geofence) -> str:
    radius = _radius(fence)
    return "" if radius is None else size_text(radius)


def _vertices(fence: Geofence) -> float | None:
    geometry = fence.geometry
    return None if isinstance(geometry, Circle) else float(geometry.position_count - len(geometry.rings))


def _parts(fence: Geofence) -> float | None:
    return None if isinstance(fence.geometry, Circle) else 1.0 + len(fence.geometry.others)


def _holes(fence: Geofence) -> float | None:
    geometry = fence.geometry
    return None if isinstance(geometry, Circle) else float(sum(len(part.holes) for part in geometry.parts))


def _number_text(number: float | None) -> str:
    return "" if number is None else f"{number:,.0f}"


def _expiry_text(fence: Geofence) -> str:
    at = fence.expires_at
    if at is None:
        return ""
    outcome = tr("deleted") if at == fence.rules.delete_after else tr("disabled")
    return f"{moment_text(at, fence)} ({outcome})"


def _expiry_key(fence: Geofence) -> SortKey | None:
    at = fence.expires_at
    return None if at is None else at.timestamp()


def _pairs_key(fence: Geofence) -> SortKey | None:
    return natural_key(line_of(fence.metadata)) if fence.metadata else None


def _value_key(value: MetadataValue) -> SortKey:
    """Return a sort key with numbers, sorted by value, before texts in natural order."""
    if isinstance(value, str):
        return 1, 0.0, natural_key(value)
    return 0, float(value), ""


NAME: Final = Column(
    "description",
    tr("Description"),
    184,
    lambda fence: fence.description,
    # A single text compares faster than several. No name has a character before the zero.
    lambda fence: f"{natural_key(fence.description)}\0{natural_key(fence.external_id)}\0{fence.id}",
)
TAG: Final = Column("tag", tr("Tag"), 104, lambda fence: fence.tag, lambda fence: natural_key(fence.tag))
HOURS: Final = Column("hours", tr("Hours"), 92, lambda _: "", lambda _: None, volatile=True)
"""The column of the hours. Its text and key depend on which geofences are closed, so `FenceRows` provides them."""

FIXED: Final = (
    NAME,
    TAG,
    Column(
        "external_id", tr("External ID"), 104, lambda fence: fence.external_id, lambda f: natural_key(f.external_id)
    ),
    Column("type", tr("Type"), 84, _type_text, _type_key),
    Column("radius", tr("Radius"), 76, _radius_text, _radius, numeric=True),
    Column(
        "area",
        tr("Area"),
        88,
        lambda fence: area_text(area_m2(fence.geometry)),
        lambda fence: area_m2(fence.geometry),
        numeric=True,
    ),
    Column("vertices", tr("Vertices"), 76, lambda f: _number_text(_vertices(f)), lambda f: _vertices(f), numeric=True),
    Column("parts", tr("Parts"), 64, lambda f: _number_text(_parts(f)), lambda f: _parts(f), numeric=True),
    Column("holes", tr("Holes"), 64, lambda f: _number_text(_holes(f)), lambda f: _holes(f), numeric=True),
    Column(
        "enabled",
        tr("State"),
        80,
        lambda fence: tr("Enabled") if fence.enabled else tr("Disabled"),
        lambda fence: 0.0 if fence.enabled else 1.0,
    ),
    HOURS,
    Column("expires", tr("Expires"), 216, _expiry_text, _expiry_key),
    Column(
        "metadata",
        tr("Metadata"),
        160,
        lambda fence: line_of(fence.metadata) if fence.metadata else "",
        _pairs_key,
    ),
    Column("updated", tr("Updated"), 148, lambda f: moment_text(f.updated_at, f), lambda f: f.updated_at.timestamp()),
    Column("created", tr("Created"), 148, lambda f: moment_text(f.created_at, f), lambda f: f.created_at.timestamp()),
)
"""The fixed columns, from left to right. Each metadata key may have a further one."""

AT_FIRST: Final = ("description", "tag", "external_id", "type", "radius", "enabled", "hours", "expires", "updated")
"""The default columns."""

_BY_NAME: Final[Mapping[str, Column]] = {column.name: column for column in FIXED}


def column_of_key(key: str) -> Column:
    """Return the column of a metadata key."""

    def text(fence: Geofence) -> str:
        value = fence.metadata.get(key)
        return "" if value is None else text_of(value)

    def sort_key(fence: Geofence) -> SortKey | None:
        value = fence.metadata.get(key)
        return None if value is None else _value_key(value)

    return Column(f"{_OF_KEY}{key}", key, 104, text, sort_key)


def column_named(name: str) -> Column | None:
    """Return a column by its name, or None if it does not exist."""
    if name.startswith(_OF_KEY) and len(name) > len(_OF_KEY):
        return column_of_key(name.removeprefix(_OF_KEY))
    return _BY_NAME.get(name)


def columns_named(names: Iterable[str]) -> tuple[Column, ...]:
    """Return the columns with these names, each once, in this order, or the default ones if none exists."""
    found = [column for column in map(column_named, dict.fromkeys(names)) if column is not None]
    return tuple(found) or columns_named(AT_FIRST)
