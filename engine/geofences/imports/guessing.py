"""The options with which a file of others can probably be imported: the tag, the external ID, the name, the position.

They are a suggestion that a user confirms; an import without a user never uses them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import MAX_RADIUS_M, MIN_RADIUS_M
from engine.domain.imports import ImportOptions, Repair
from engine.domain.text import MAX_IDENTIFIER
from engine.domain.values import replace
from engine.geofences.imports import cells
from engine.geofences.imports.opening_hours import NotWeekly
from engine.geofences.imports.rows import FORMAT, READERS
from engine.tabular.cells import number
from engine.tabular.formats.source import POINT, Source
from engine.tabular.identifying import ID, NAMES, NUMBERS, safe_name
from engine.tabular.kinds import ALL, ColumnKind, cells_of, kind_of
from engine.tabular.layouts import METADATA

RADIUS_M: Final = 100
"""The suggested radius of points without one, in metres."""

_REPAIRS: Final = frozenset({Repair.RINGS, Repair.SIMPLIFY})
"""The suggested repairs: those that leave out no area, and need no other decision."""

_CHECKED: Final = 200
"""Number of values by which a column is judged."""

_IDS: Final = (
    *("externalid", "id", "gid", "osmid", "code", "geoid", "schluessel", "schlüssel", "kennziffer", "ags", "key"),
    *("no", "nr", "number", "nummer", "uuid", "globalid", "objectid", "fid", "ogcfid", "line"),
)
"""Names of columns with identifiers, as letters and digits in lower case."""

_ID_LIKE: Final = re.compile(
    r".*(?:[^A-Za-z](?i:id)|[a-z]I[dD]|[A-Z]{3}ID|(?i:code|nummer|schl(?:ü|ue)ssel|[^A-Za-z](?:nr|no)))\d*"
)
_NAMES: Final = ("name", "title", "label", "bezeichnung", "titel", "nom", "nombre", "namn", "naam", "navn", "nome")
_NAME_LIKE: Final = re.compile(r".*(?:name|bezeichn)[a-z]{0,3}\d*|name[^a-z].*", re.I)
_AREAS: Final = re.compile(
    r".*(?:bezirk|stadtteil|ortsteil|gemeinde|quartier|kreis|district|borough|county|ward|zone|municipality)\w{0,3}",
    re.I,
)
_LATITUDES: Final = ("latitude", "lat", "breite", "breitengrad", "geobreite", "ycoord", "y")
_LONGITUDES: Final = (
    *("longitude", "lon", "lng", "long", "länge", "laenge", "längengrad", "laengengrad", "geolänge", "xcoord", "x"),
)
_SHAPES: Final = ("coordinates", "geometry", "geom", "wkt", "geojson", "thegeom", "shape", "wkbgeometry", "geoshape")
_RADII: Final = ("radius", "radiusm", "size", "größe", "groesse", "grösse", "r")
_ADDRESSES: Final = ("address", "fulladdress", "adresse", "anschrift", "addr", "adresszeile", "direccion", "indirizzo")
_HOURS: Final = ("hours", "openinghours", "öffnungszeiten", "oeffnungszeiten", "horaires", "horario")
_PLACED_BY: Final = ("coordinates", "latitude", "address", "placeId")
_COPY: Final = re.compile(r"(?:\s*\(\d+\)|\s+-\s+copy)$", re.IGNORECASE)
"""The end of the name of a file that was saved again."""

_ENDING: Final = re.compile(r"\.[A-Za-z0-9]{1,8}$")


def guessed(source: Source, name: str) -> ImportOptions | None:
    """Return the probable options for a file; `name` is that of the file, its layer or its sheet.

    It is None for a file without rows, or with no positions.
    """
    if not source.rows:
        return None
    try:
        return _Guess(source, name).options()
    except InvalidParameter:  # columns that exclude each other
        return None


def title_of(name: str) -> str:
    """Return the name of a file without its extension, and without the number of a copy."""
    return _COPY.sub("", _ENDING.sub("", name)).strip() or name


class _Guess:
    """The fields whose columns are found one after the other; a column belongs to one field."""

    def __init__(self, source: Source, name: str) -> None:
        self._source = source
        self._columns = tuple(column for column in dict.fromkeys(source.columns) if column)
        self._named = FORMAT.named(self._columns)
        self.mapping: dict[str, str] = {}
        self.fixed: dict[str, str] = {}
        self._title = title_of(name)
        # A file with our keys keeps the meaning of all its columns, also of wrong ones.
        self._is_ours = {"tag", ID} <= self._named.keys()
        has_shapes = any(row.parts for row in source.rows)
        if not self._is_ours:
            self._hide(has_shapes=has_shapes)
        if not has_shapes:
            self._find_position()
        self._is_located = has_shapes or any(field in self._given() for field in _PLACED_BY) or self._is_ours

    def options(self) -> ImportOptions | None:
        """Return the probable options, or None if there are no positions."""
        if not self._is_located:
            return None
        made = self._find_keys() if not self._is_ours else None
        self._find_radius()
        if not any(field.startswith("operatingHours") for field in self._given()):
            hours = next((each for each in self._by_name(_HOURS) if self._fits("operatingHours", each)), None)
            self.mapping |= {} if hours is None else {"operatingHours": hours}
        options = ImportOptions(mapping=self.mapping, fixed=self.fixed, id=made, repairs=_REPAIRS)
        layout = FORMAT.layout(self._source, replace(options, metadata=(ALL,)))
        if any(warning.column == METADATA for warning in layout.warnings):
            return replace(options, metadata=(ALL,))
        # The columns are named, so that a column that appears later is not imported without being noticed.
        return replace(options, metadata=tuple(column for column in layout.metadata if not self._is_name(column)))

    def _is_name(self, column: str) -> bool:
        """Return whether a column only repeats the description, as the names in our KML do."""
        name = self.mapping.get("description") or self._named.get("description")
        rows = self._source.rows
        return name is not None and all(row.values.get(column) == row.values.get(name) for row in rows)

    def _given(self) -> set[str]:
        """Return the fields that have a column."""
        hidden = {field for field, column in self.mapping.items() if not column}
        return ({*self._named} | {*self.mapping}) - hidden

    def _cells(self, column: str, most: int | None = None) -> Iterator[str]:
        return islice(filter(None, cells_of(self._source, column)), most)

    def _hide(self, *, has_shapes: bool) -> None:
        """Hide fields whose columns of the same name have another meaning."""
        for field, column in self._named.items():
            located = field in ("coordinates", "latitude", "longitude", "address", "placeId")
            if (has_shapes and located) or not self._fits(field, column):
                self.mapping[field] = ""

    def _fits(self, field: str, column: str) -> bool:
        """Return whether most values of a column can be read as a field."""
        reader = _CHECKS.get(field)
        if reader is None:
            return True
        good, count = 0, 0
        for cell in self._cells(column, _CHECKED):
            count += 1
            good += _is_readable(reader, field, cell)
        return count == 0 or good * 2 >= count

    def _free(self) -> tuple[str, ...]:
        used = {*self.mapping.values(), *(column for field, column in self._named.items() if field in self._given())}
        return tuple(column for column in self._columns if column not in used)

    def _by_name(self, names: Sequence[str]) -> Iterator[str]:
        """Yield the columns with these names, in the order of the names."""
        spelled = {_letters(column): column for column in reversed(self._free())}
        return (spelled[name] for name in names if name in spelled)

    def _find_position(self) -> None:
        given = self._given()
        if "coordinates" in given or {"latitude", "longitude"} <= given:
            return
        shape = next((each for each in self._by_name(_SHAPES) if self._fits("coordinates", each)), None)
        if shape is None:
            shape = next((each for each in self._free() if self._is_shape(each)), None)
        if shape is not None:
            self.mapping["coordinates"] = shape
            return
        for field, names in (("latitude", _LATITUDES), ("longitude", _LONGITUDES)):
            found = next((each for each in self._by_name(names) if self._are_degrees(field, each)), None)
            if field not in given and found is not None:
                self.mapping[field] = found
        if {"latitude", "longitude"} <= self._given():
            return
        for field in ("latitude", "longitude"):
            self.mapping.pop(field, None)
        if not {"address", "placeId"} & given and (address := next(self._by_name(_ADDRESSES), None)) is not None:
            self.mapping["address"] = address

    def _is_shape(self, column: str) -> bool:
        texts = list(self._cells(column, 5))
        return bool(texts) and all(_SHAPE_TEXT.match(text) for text in texts) and self._fits("coordinates", column)

    def _are_degrees(self, field: str, column: str) -> bool:
        most = 90 if field == "latitude" else 180
        return self._are_numbers(column, lambda value: abs(value) <= most)

    def _are_numbers(self, column: str, check: Callable[[float], bool]) -> bool:
        comma = self._source.decimal_comma
        texts = [cell.replace(",", ".") if comma else cell for cell in self._cells(column, _CHECKED)]
        try:
            return bool(texts) and all(check(number(column, text)) for text in texts)
        except InvalidParameter:
            return False

    def _find_radius(self) -> None:
        if "radius" not in self._given() and self._has_points():
            found = next((each for each in self._by_name(_RADII) if self._are_numbers(each, _is_radius)), None)
            if found is not None:
                self.mapping["radius"] = found
        if self._has_points() and not self._is_ours:
            column = self.mapping.get("radius") or self._named.get("radius")
            if column is None or not self._is_complete(column):
                self.fixed["radius"] = str(RADIUS_M)

    def _has_points(self) -> bool:
        """Return whether rows are points, or may be."""
        if "coordinates" in self._given():
            column = self.mapping.get("coordinates") or self._named["coordinates"]
            return any(_is_point_text(text) for text in self._cells(column))
        if any(row.parts for row in self._source.rows):
            return any(part.type == POINT for row in self._source.rows for part in row.parts or ())
        return True

    def _is_complete(self, column: str) -> bool:
        return all(cells_of(self._source, column))

    def _find_keys(self) -> str | None:
        """Find the tag, the name and the external ID; return how the latter is made, unless a column has it."""
        tag_column = self._named.get("tag")
        if tag_column is None or not self._is_complete(tag_column):
            self.fixed["tag"] = safe_name(self._title) or "import"
        name = self._find_name()
        if name is None or not self._is_complete(name):
            self.fixed["description"] = self._title
        own = self._named.get(ID)
        if own is not None and self._is_key(own, tag_column):
            return None
        found = next((each for each in self._id_columns() if self._is_key(each, tag_column)), None)
        if found is not None:
            self.mapping[ID] = found
            return None
        return NUMBERS if name is None else NAMES

    def _find_name(self) -> str | None:
        """Find the column of names: by its name, else a text named like one; then a description, if there is one."""
        own = self._named.get("description")
        free = self._free()
        likely = [*self._by_name(_NAMES)]
        for pattern in (_NAME_LIKE, _AREAS):
            likely += [column for column in free if pattern.fullmatch(column)]
        for column in dict.fromkeys(likely):
            if kind_of(self._cells(column, _CHECKED)) is ColumnKind.TEXT:
                self.mapping["description"] = column
                return column
        if own is not None and not any(self._cells(own, 1)):
            self.mapping["description"] = ""
            return None
        return own

    def _id_columns(self) -> Iterable[str]:
        """Return the columns that may have identifiers, likely ones first."""
        free = self._free()
        known = [*self._by_name(_IDS)]
        unnumbered = {_letters(column).rstrip("0123456789"): column for column in reversed(free)}
        known += [unnumbered[name] for name in _IDS if name in unnumbered]
        like = [column for column in free if _ID_LIKE.fullmatch(column)]
        return dict.fromkeys((*known, *like))

    def _is_key(self, column: str, tag_column: str | None) -> bool:
        """Return whether a column has another value in every row, within its tag."""
        seen = set[tuple[str, str]]()
        for row in self._source.rows:
            own = row.values.get(column, "")
            if row.fault is None and (not own.strip() or len(own) > MAX_IDENTIFIER):
                return False
            key = (row.values.get(tag_column, "") if tag_column else "", own)
            if own and key in seen:
                return False
            seen.add(key)
        return True


_SHAPE_TEXT: Final = re.compile(
    r"\s*(?:\{\s*\"|\[\s*\[|(?:SRID=\d+;\s*)?(?:MULTI)?(?:POINT|POLYGON)\s*(?:ZM|Z|M)?\s*\()", re.IGNORECASE
)
_POINT_TEXT: Final = re.compile(r"\s*(?:(?:SRID=\d+;\s*)?(?:MULTI)?POINT|\[\s*-?\d|\{.{0,40}Point)", re.IGNORECASE)


def _is_point_text(text: str) -> bool:
    return _POINT_TEXT.match(text) is not None


_CHECKS: Final[Mapping[str, Callable[[str, str], object]]] = {
    **{column: reader for column, (_, reader) in READERS.items() if column not in ("tag", ID, "description")},
    "radius": number,
    "coordinates": cells.parts,
    "operatingHours": cells.hours,
}


def _is_readable(reader: Callable[[str, str], object], field: str, cell: str) -> bool:
    try:
        reader(field, cell.replace(",", ".") if reader is number else cell)
    except InvalidParameter:
        return False
    except NotWeekly:  # opening hours that no week can express
        return True
    return True


def _is_radius(value: float) -> bool:
    return MIN_RADIUS_M <= value <= MAX_RADIUS_M


def _letters(column: str) -> str:
    """Return the letters and digits of a column's name, in lower case."""
    return "".join(letter for letter in column.lower() if letter.isalnum())
