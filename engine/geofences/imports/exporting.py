"""Geofences as a file for importing: with the columns of an import, so that a round trip changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from io import StringIO
from typing import Any, Final

import orjson
from msgspec import Struct

from engine.domain.clock import utc_text
from engine.domain.fields.geofence import RULES, Row, size_of
from engine.domain.fields.rows import ValueKind, column_of
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, Isochrone
from engine.domain.hours import spell_hours
from engine.domain.ports import Progress
from engine.domain.words import exact_minutes
from engine.geofences.imports.texts import geometry_of
from engine.tabular.formats.writing import Feature, write_gpkg, write_kml
from engine.tabular.spreadsheet import protected, write_rows

PROGRESS_ROWS: Final = 1_000


class ExportFormat(StrEnum):
    """The file formats of exported geofences."""

    CSV = "csv"
    GEOJSON = "geojson"
    KML = "kml"
    GPKG = "gpkg"


class ExportQuery(Struct, frozen=True, kw_only=True):
    """A query for geofences with any of some tags and with an enabled state; the defaults match all."""

    tags: frozenset[str] = frozenset()
    enabled: bool | None = None

    def wants(self, geofence: Geofence) -> bool:
        """Return whether a geofence matches."""
        return (not self.tags or geofence.tag in self.tags) and self.enabled in (None, geofence.enabled)


ALL: Final = ExportQuery()


def export(geofences: Sequence[Geofence], format: ExportFormat, progress: Progress) -> bytes:
    """Return a file of geofences; raises `InvalidParameter` if a required library is missing."""
    rows = _with_progress(geofences, progress)
    match format:
        case ExportFormat.CSV:
            return _csv(rows)
        case ExportFormat.GEOJSON:
            return _geojson(rows)
        case ExportFormat.KML:
            return write_kml(map(_feature, rows), COLUMNS)
        case ExportFormat.GPKG:
            return write_gpkg(list(map(_feature, rows)), COLUMNS)


def _with_progress(geofences: Sequence[Geofence], progress: Progress) -> Iterable[Geofence]:
    for number, geofence in enumerate(geofences):
        if number % PROGRESS_ROWS == 0:
            progress(number, len(geofences))
        yield geofence
    progress(len(geofences), len(geofences))


def _csv(geofences: Iterable[Geofence]) -> bytes:
    out = StringIO(newline="")
    names = (*COLUMNS[:4], "coordinates", *COLUMNS[4:])

    def rows() -> Iterator[Sequence[str]]:
        yield names
        for geofence in geofences:
            cells = {**_texts(geofence), "coordinates": orjson.dumps(_coordinates(geofence)).decode()}
            yield [cells[name] for name in names]

    write_rows(out, rows(), escape=protected)
    return out.getvalue().encode()


def _geojson(geofences: Iterable[Geofence]) -> bytes:
    features = [
        {
            "type": "Feature",
            "geometry": geometry_of(geofence.geometry),
            "properties": {name: value(geofence) for name, value in _VALUES.items()},
        }
        for geofence in geofences
    ]
    return orjson.dumps({"type": "FeatureCollection", "features": features}, option=orjson.OPT_APPEND_NEWLINE)


def _feature(geofence: Geofence) -> Feature:
    return Feature(_texts(geofence), geometry_of(geofence.geometry))


def _texts(geofence: Geofence) -> dict[str, str]:
    return {name: _text(value(geofence)) for name, value in _VALUES.items()}


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case _:
            return orjson.dumps(value).decode()


def _coordinates(geofence: Geofence) -> list[Any]:
    """Return a position, a ring, or the coordinates of a GeoJSON Polygon or MultiPolygon."""
    geometry = geofence.geometry
    coordinates: list[Any] = geometry_of(geometry)["coordinates"]
    is_ring = not isinstance(geometry, Circle | Isochrone) and geometry.is_single_ring
    return coordinates[0] if is_ring else coordinates


def _mode(geofence: Geofence) -> str | None:
    return geofence.geometry.mode.value if isinstance(geofence.geometry, Isochrone) else None


def _ids(ids: Sequence[str]) -> str:
    """Return user IDs separated by commas, or as a JSON list if that would be ambiguous."""
    if any("," in one or one != one.strip() or one.startswith("[") for one in ids):
        return orjson.dumps(ids).decode()
    return ",".join(ids)


_OF_KIND: Final[Mapping[ValueKind, Callable[[Any], Any]]] = {
    ValueKind.HOURS: spell_hours,
    ValueKind.MOMENT: utc_text,
    ValueKind.IDS: _ids,
    ValueKind.RANGES: lambda ranges: ",".join(ranges.items),
    ValueKind.SECONDS: exact_minutes,
}
"""Functions that write the values of a kind; all other values are written unchanged."""


def _rule(row: Row) -> Callable[[Geofence], Any]:
    """Return a function that returns the value of a rule for a file: None if the geofence does not set the rule."""
    value_of, unset, write = row.value, row.unset, _OF_KIND.get(row.kind, _as_it_is)

    def written(geofence: Geofence) -> Any:
        value = value_of(geofence)
        return None if value == unset else write(value)

    return written


def _as_it_is(value: Any) -> Any:
    return value


_VALUES: Final[Mapping[str, Callable[[Geofence], Any]]] = {
    "description": lambda geofence: geofence.description,
    "type": lambda geofence: geofence.geometry.type.value,
    "tag": lambda geofence: geofence.tag,
    "externalId": lambda geofence: geofence.external_id,
    "radius": size_of,
    "mode": _mode,
    "enabled": lambda geofence: geofence.enabled,
    "metadata": lambda geofence: dict(geofence.metadata),
    **{column_of(row.name): _rule(row) for row in RULES},
}

COLUMNS: Final = tuple(_VALUES)
"""Columns of a geofence in a file, except for its coordinates."""
