"""Reading of rows in the specification's columns, from any kind of file, as one change per row or geometry part.

The meaning of a row beyond its cells (whether the geofence exists, whether the geometry is valid) is determined when it
is stored. Here every cell becomes a field of a `GeofenceChange`, or an error that names its row and column.

- A missing column keeps the stored value; an empty cell resets: ``enabled`` to true, ``metadata`` to nothing,
  ``metadata.{key}`` to no such key, the rules to none. The required fields cannot be reset, so an empty cell of
  theirs is an error.
- ``operatingHours`` may contain OpenStreetMap's ``opening_hours``, and have that name. Valid hours that no week can
  express keep the stored value, with a warning.
- The columns ``operatingHours.{day}`` together form the hours; so do ``userIds`` and the deprecated ``userId`` for the
  users.
- ``address`` and ``placeId`` locate the geofence in addition to, or instead of, ``coordinates``; empty ones are
  ignored.
- ``latitude`` and ``longitude`` are another way to give a position; both are needed.
- The polygons of a geometry are one geofence; several points are several (see `shapes.py`).
- A table with a column unknown to the specification is refused, unless the caller assigns its columns: a typo must not
  lose data.
- Spaces around a cell, and the case of a column's name, do not matter.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.fields.geofence import RULES, Row
from engine.domain.fields.rows import ValueKind, of_kind
from engine.domain.fields.rows import column_of as spelled
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import GeometryType
from engine.domain.hours import DAYS, Days, OperatingHours, Span, day_of
from engine.domain.imports import WHOLE_FILE, Channel, ImportFile, ImportOptions, RowError, check_line_width
from engine.domain.ports import Progress
from engine.geofences.imports import cells
from engine.geofences.imports.opening_hours import NotWeekly, kept_note
from engine.geofences.imports.shapes import LocatedRow, Shape
from engine.tabular.cells import enabled, flag, metadata, number, text
from engine.tabular.formats.opening import open_source
from engine.tabular.formats.source import MEMORY_OF_FILE, MEMORY_OF_SYNC, POINT, Part, nothing_in
from engine.tabular.identifying import ID, NUMBERS
from engine.tabular.kinds import ColumnKind
from engine.tabular.layouts import METADATA_KEY, TableFormat
from engine.tabular.reading import ParsedRow, RowReader, columns_of_fields, parse_source

type _Reader = Callable[[str, str], object]

_OF_KIND: Final[Mapping[ValueKind, _Reader]] = {
    ValueKind.FLAG: flag,
    ValueKind.MOMENT: cells.date,
    ValueKind.RANGES: cells.ip_ranges,
}


def _reader(row: Row) -> _Reader:
    """Return the function that reads a cell of a rule."""
    return cells.seconds(row.check) if row.kind is ValueKind.SECONDS else _OF_KIND[row.kind]


READERS: Final[Mapping[str, tuple[str, _Reader]]] = {
    "tag": ("tag", text),
    "externalId": ("external_id", text),
    "description": ("description", text),
    "type": ("type", cells.geometry_type),
    "mode": ("mode", cells.mode),
    "enabled": ("enabled", enabled),
    "metadata": ("metadata", metadata),
    **{spelled(row.name): (row.name, _reader(row)) for row in RULES if row.name not in ("operating_hours", "user_ids")},
}
"""The independent columns, with the field of the change and the function that reads a cell."""

_LOCATED = {"address": "address", "placeId": "place_id"}
"""The columns that need a lookup; an empty cell is ignored."""

_COLUMNS = columns_of_fields(
    READERS,
    {
        "coordinates": "coordinates",
        "size": "radius",
        "operating_hours": "operatingHours",
        "user_ids": "userIds",
        **{field: column for column, field in _LOCATED.items()},
    },
)
_NUMERIC = ("radius", "latitude", "longitude", *(spelled(row.name) for row in of_kind(RULES, ValueKind.SECONDS)))
_HOURS: Final = "operatingHours"
_OTHER_HOURS: Final = frozenset({"opening_hours", "openinghours"})
"""Names of the column of hours in OpenStreetMap and schema.org, in lower case."""

_DAY_OF_HOURS = "operatingHours."
_DAY_COLUMNS = tuple(_DAY_OF_HOURS + day for day in DAYS)


def column_of(field: str) -> str:
    """Return the column from which a field of a change is read."""
    return _COLUMNS.get(field, field)


class ReadFile(Struct, frozen=True):
    """The rows and columns of a file, its ignored columns, and warnings about the file as a whole.

    The rows of a file `of_map` are features with their own geometries. External IDs that are `numbered` are given to
    rows when these are judged, since they depend on the stored geofences.
    """

    rows: tuple[ParsedRow[GeofenceChange], ...]
    columns: tuple[str, ...]
    ignored: tuple[str, ...]
    warnings: tuple[RowError, ...] = ()
    of_map: bool = False
    numbered: bool = False


def read_file(file: ImportFile, options: ImportOptions, progress: Progress) -> ReadFile:
    """Return the rows of a file; raises `InvalidParameter` if it cannot be used as a whole."""
    if options.line_width_m is not None:
        check_line_width(options.line_width_m, "line_width_m")
    memory = MEMORY_OF_SYNC if file.channel is Channel.SYNC else MEMORY_OF_FILE
    source = open_source(
        file.data, file.name, options.layer, progress, memory, sheet=options.sheet, encoding=options.encoding
    )
    if not source.rows and not source.strict:
        return ReadFile((), source.columns, (), (nothing_in(source.format),))
    layout = FORMAT.layout(source, options)
    parse = partial(_parse, options=options, kinds=layout.kinds)
    rows = parse_source(source, layout, _NUMERIC, parse, progress)
    notes = (*(RowError(WHOLE_FILE, None, note) for note in source.notes), *layout.warnings)
    warnings = notes if source.rows else (*notes, nothing_in(source.format))
    return ReadFile(rows, source.columns, layout.ignored, warnings, source.located, layout.made == NUMBERS)


def _parse(
    row: int,
    values: dict[str, str],
    parts: tuple[Part, ...] | None,
    *,
    options: ImportOptions,
    kinds: Mapping[str, ColumnKind],
) -> Sequence[ParsedRow[GeofenceChange]]:
    located = LocatedRow(row, values, parts, options)
    if len(located.shapes) <= 1:
        return (_RowParser(row, values, located, next(iter(located.shapes), None), kinds).parse(),)
    return [
        _RowParser(row, _of_part(values, number), located, shape, kinds).parse()
        for number, shape in enumerate(located.shapes, 1)
    ]


def _of_part(values: dict[str, str], number: int) -> dict[str, str]:
    """Return the cells for one of several geofences; a row without an external ID will get a number for each."""
    return {**values, ID: f"{values[ID]}-{number}"} if ID in values else dict(values)


def _hours_column(name: str) -> str | None:
    """Return the column of hours, or of one day's, if a name is another one for it, or None."""
    if name.lower() in _OTHER_HOURS:
        return _HOURS
    if not name.lower().startswith(_DAY_OF_HOURS.lower()):
        return None
    try:
        return _DAY_OF_HOURS + DAYS[day_of(name[len(_DAY_OF_HOURS) :])]
    except InvalidParameter:
        return None


_ELSEWHERE: Final[Mapping[str, tuple[str, ...]]] = {
    "tag": ("group", "category", "layer", "gruppe", "kategorie", "groupe", "grupo", "gruppo", "groep"),
    "externalId": (
        *("external id", "external_id", "id", "objectid", "object_id", "globalid", "fid", "ogc_fid", "gid", "uuid"),
        *("no", "nr", "number", "nummer", "code", "line", "kennung", "numéro"),
    ),
    "description": (
        *("name", "title", "label", "desc", "bezeichnung", "beschreibung", "titel", "nom", "nombre", "nome", "naam"),
    ),
    "latitude": ("lat", "y", "breite", "breitengrad", "geografische breite", "latitud", "latitudine", "breedtegraad"),
    "longitude": (
        *("lon", "lng", "long", "x", "länge", "laenge", "längengrad", "laengengrad", "geografische länge"),
        *("longitud", "longitudine", "lengtegraad"),
    ),
    "coordinates": ("geometry", "geom", "wkt", "geojson", "the_geom"),
    "radius": ("radius_m", "size", "r", "größe", "groesse", "umkreis", "rayon", "radio", "raggio", "straal"),
    _HOURS: ("opening_hours", "openinghours", "opening hours"),
}
"""Names of fields in other systems. They are only suggestions; the user decides."""

FORMAT: Final = TableFormat(
    (*READERS, "coordinates", "radius", _HOURS, "userIds", "userId", *_LOCATED, "latitude", "longitude"),
    ("tag", "externalId"),
    prefixed=_hours_column,
    exclusive=(
        ("metadata", METADATA_KEY),
        (_HOURS, _DAY_OF_HOURS),
        ("coordinates", "latitude"),
        ("coordinates", "longitude"),
    ),
    elsewhere=_ELSEWHERE,
)


class _RowParser(RowReader):
    """Converts the cells of one row, with one of its shapes, into a change of a geofence."""

    def __init__(
        self,
        row: int,
        values: dict[str, str],
        located: LocatedRow,
        shape: Shape | None,
        kinds: Mapping[str, ColumnKind],
    ) -> None:
        super().__init__(row, values)
        self._located = located
        self._shape = shape
        self._kinds = kinds

    def parse(self) -> ParsedRow[GeofenceChange]:
        self.reject_unnamed_columns()
        self._read_location()
        for column, (field, reader) in READERS.items():
            self.read(column, field, reader)
        self._read_radius()
        self.read_metadata_items(self._kinds)
        self._read_hours()
        self._read_days()
        self._read_users()
        self.warnings.extend(self._located.notes)
        return self.parsed(GeofenceChange)

    def _read_location(self) -> None:
        """Read the address and place ID: with either, coordinates may be empty, and with a place ID also the radius."""
        for column, field in _LOCATED.items():
            if self.values.get(column):
                self.fields[field] = self.cell(column, text)
        looked_up, located = bool(self.fields), self._located
        if self._shape is not None:
            self._take_shape(self._shape)
        if not (looked_up and not self.values.get("coordinates")):
            self._refuse_shape(located)
        if "place_id" in self.fields and not self.values.get("radius"):
            self.values.pop("radius", None)

    def _refuse_shape(self, located: LocatedRow) -> None:
        """Take the errors of the shape, and what was found, so that the map can show it."""
        self.errors.extend(located.errors)
        if located.errors and located.found:
            self.fields["coordinates"] = tuple(part.coordinates for part in located.found)

    def _take_shape(self, shape: Shape) -> None:
        self.fields["coordinates"] = shape.coordinates
        if self.values.get("type") or not self._located.typed:
            return
        point = GeometryType.ISOCHRONE if self.values.get("mode") else GeometryType.CIRCLE
        self.values["type"] = (point if shape.type == POINT else GeometryType.POLYGON).value

    def _read_radius(self) -> None:
        """Read the radius, which the specification ignores for a polygon.

        If the row has no type, only the stored geofence determines whether an empty radius is an error.
        """
        kind = self.fields.get("type")
        if kind == GeometryType.POLYGON:
            return
        if kind is None and self.values.get("radius") == "":
            self.fields["size"] = None
            return
        self.read("radius", "size", number)

    def _read_hours(self) -> None:
        """Read the column of all hours, with warnings about what they leave out."""
        if _HOURS not in self.values:
            return
        try:
            read = self.cell(_HOURS, cells.hours)
        except NotWeekly:
            self.warn(_HOURS, kept_note(self.values[_HOURS]))
            return
        if read is not None:
            self.fields["operating_hours"] = read.hours
            for note in read.notes:
                self.warn(_HOURS, note)

    def _read_days(self) -> None:
        """Read the columns of single days, which together form the hours.

        A day without a value is closed, and one without a column is not listed.
        """
        given = [column for column in _DAY_COLUMNS if column in self.values]
        if not given:
            return
        days: Days = tuple(self._day(column) for column in _DAY_COLUMNS)
        filled = any(self.values[column] for column in given)
        listed = tuple(day for day, column in enumerate(_DAY_COLUMNS) if column in self.values)
        self.fields["operating_hours"] = OperatingHours(days, listed) if filled else None

    def _day(self, column: str) -> tuple[Span, ...]:
        if column not in self.values:
            return ()
        day = column[len(_DAY_OF_HOURS) :]
        return self.cell(column, lambda column, cell: cells.spans(column, cell, day)) or ()

    def _read_users(self) -> None:
        readers = (("userIds", cells.user_ids), ("userId", cells.user_id))
        given = [self.cell(column, reader) or () for column, reader in readers if column in self.values]
        if given:
            self.fields["user_ids"] = tuple(dict.fromkeys(chain.from_iterable(given)))
