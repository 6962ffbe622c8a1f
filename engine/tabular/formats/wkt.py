"""Rows from well-known text: a geometry per line, with the columns ``line`` and ``wkt``."""

import re
from typing import Any, Final

from engine.domain.errors import InvalidParameter
from engine.tabular.formats.crs import in_degrees, reprojection
from engine.tabular.formats.parts import parts_of
from engine.tabular.formats.source import FILE, MAX_ROWS, FileFormat, Part, Source, SourceRow
from engine.tabular.rows import decoded

LINE: Final = "line"
_BEGIN: Final = re.compile(
    r"\s*(SRID=(?P<srid>\d{1,6});\s*)?(MULTI)?(POINT|POLYGON|LINESTRING|GEOMETRYCOLLECTION)\s*(ZM|Z|M)?\s*(\(|EMPTY)",
    re.IGNORECASE | re.ASCII,
)
_MAX_DEPTH: Final = 12
_SHOWN: Final = 60


def is_wkt(text: str) -> bool:
    """Return whether a text begins like a geometry in well-known text."""
    return _BEGIN.match(text) is not None


def read_wkt(data: bytes) -> Source:
    """Return a row per line that is not blank; raises `InvalidParameter` if the data is not text."""
    lines = decoded(data, FILE).splitlines()
    if len(lines) > MAX_ROWS:
        raise InvalidParameter(FILE, f"There are {len(lines):,} lines; at most {MAX_ROWS:,} are allowed.")
    rows = [_row(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    return Source(FileFormat.WKT, (LINE,), rows)


def parts_of_wkt(text: str, column: str = "coordinates") -> tuple[Part, ...]:
    """Return the parts of a geometry in well-known text; raises `InvalidParameter` naming `column`."""
    begin = _BEGIN.match(text)
    shown = repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")
    if begin is None or text.count("(") - text.count(")") or _depth(text) > _MAX_DEPTH:
        raise InvalidParameter(column, f"{column}: {shown} is not well-known text.")
    reproject = reprojection(f"EPSG:{begin['srid']}") if begin["srid"] else None
    parts = parts_of(_geometry(text[begin.end("srid") + 1 :] if begin["srid"] else text, column, shown), column)
    return in_degrees(parts, reproject)


def _row(number: int, text: str) -> SourceRow:
    values = {LINE: str(number)}
    try:
        return SourceRow(number, values, parts_of_wkt(text))
    except InvalidParameter as error:
        return SourceRow(number, values, fault=error.message, fault_column=error.param)


def _geometry(text: str, column: str, shown: str) -> dict[str, Any]:
    # Imported here because it takes long to load.
    import shapely
    import shapely.geometry

    try:
        shape = shapely.from_wkt(text)
    except shapely.errors.GEOSException:
        raise InvalidParameter(column, f"{column}: {shown} is not well-known text.") from None
    mapping: dict[str, Any] = shapely.geometry.mapping(shape)
    return mapping


def _depth(text: str) -> int:
    deepest = depth = 0
    for bracket in re.findall(r"[()]", text):
        depth += 1 if bracket == "(" else -1
        deepest = max(deepest, depth)
    return deepest
