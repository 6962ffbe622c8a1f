"""Rows from GeoJSON: a FeatureCollection, one Feature, or a bare geometry."""

from collections.abc import Mapping
from typing import Any, Final

import orjson

from engine.domain.errors import InvalidParameter
from engine.domain.nesting import NestedTooDeeply, not_too_deep
from engine.tabular.formats.crs import Reproject, in_degrees, reprojection
from engine.tabular.formats.parts import parts_of
from engine.tabular.formats.source import FILE, MAX_ROWS, FileFormat, Source, SourceRow

ID: Final = "id"
"""The column for a feature's own identifier, unless its properties include this name."""


def read_geojson(data: bytes) -> Source:
    """Return the features; raises `InvalidParameter` if the data is not GeoJSON."""
    document = document_of(data)
    features = features_of(document)
    if len(features) > MAX_ROWS:
        raise InvalidParameter(FILE, f"There are {len(features):,} features; at most {MAX_ROWS:,} are allowed.")
    reproject = reprojection(crs_of(document))
    columns: dict[str, None] = {}
    rows = []
    for number, feature in enumerate(features, 1):
        row = row_of(number, feature, reproject)
        columns.update(dict.fromkeys(row.values))
        rows.append(row)
    return Source(FileFormat.GEOJSON, tuple(columns), rows)


def text_of(value: object) -> str:
    """Return a property in the form of a table cell; a missing value becomes empty text."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case _:
            return orjson.dumps(value).decode()


def document_of(data: bytes) -> Mapping[str, Any]:
    """Return a parsed document; raises `InvalidParameter` if it is not a JSON object."""
    try:
        document = orjson.loads(not_too_deep(data.removeprefix(b"\xef\xbb\xbf")))
    except NestedTooDeeply as error:
        raise InvalidParameter(FILE, f"This is not GeoJSON: {error}.") from None
    except UnicodeDecodeError:
        raise InvalidParameter(FILE, "This is not GeoJSON: the text is not UTF-8.") from None
    except orjson.JSONDecodeError as error:
        raise fault_of_json(error.lineno, error.colno, error.msg) from None
    if not isinstance(document, dict):
        raise InvalidParameter(FILE, "This is not GeoJSON: it must be a FeatureCollection.")
    return document


def fault_of_json(line: int, column: int, message: str) -> InvalidParameter:
    """Return the error for a position in a document."""
    return InvalidParameter(FILE, f"line {line}, column {column}: this is not JSON: {message}.")


def features_of(document: Mapping[str, Any]) -> list[Any]:
    """Return the features of a document; raises `InvalidParameter` for other kinds of documents."""
    match document:
        case {"type": "FeatureCollection", "features": list() as features}:
            return features
        case {"type": "Feature"}:
            return [document]
        case {"type": str(), "coordinates": list()} | {"type": "GeometryCollection"}:
            return [{"type": "Feature", "geometry": document, "properties": {}}]
        case {"type": "Topology"}:
            raise InvalidParameter(FILE, "This is TopoJSON; save it as GeoJSON.")
        case _:
            raise InvalidParameter(FILE, "This is not GeoJSON: it must be a FeatureCollection.")


def crs_of(document: Mapping[str, Any]) -> str | None:
    """Return the name of the coordinate system, which only older GeoJSON has, or None."""
    match document.get("crs"):
        case None:
            return None
        case {"properties": {"name": str() as name}}:
            return name
        case _:
            raise InvalidParameter(FILE, "The coordinate system of this GeoJSON is unknown; save it in WGS 84.")


def row_of(number: int, feature: object, reproject: Reproject | None) -> SourceRow:
    """Return the row for a feature."""
    if not (isinstance(feature, dict) and feature.get("type") == "Feature"):
        return SourceRow(number, {}, fault="This is not a GeoJSON feature.")
    properties = feature.get("properties") or {}
    if not isinstance(properties, dict):
        return SourceRow(number, {}, fault="The properties of the feature are not a dictionary.")
    values = {name: text_of(value) for name, value in properties.items()}
    if ID in feature:
        values.setdefault(ID, text_of(feature[ID]))
    geometry = feature.get("geometry")
    if geometry is None:
        return SourceRow(number, values)
    try:
        parts = parts_of(geometry if isinstance(geometry, dict) else {})
        return SourceRow(number, values, in_degrees(parts, reproject))
    except InvalidParameter as error:
        return SourceRow(number, values, fault=error.message, fault_column=error.param)
