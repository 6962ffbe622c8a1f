"""Columns inside others: fields of structures (``user.deviceId``) and coordinates of positions (``location.0``)."""

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import shapely

from engine.backtest.reading.names import is_point

_PAIR: Final = r"[\[(]\s*(?P<first>[-+0-9.eE]+)\s*[,\s]\s*(?P<second>[-+0-9.eE]+)"
"""The coordinates in GeoJSON and in WKT."""


def names_in(fields: Iterable[pa.Field], prefix: str = "") -> Iterator[tuple[str, pa.DataType]]:
    """Yield the names and types of columns; those of structures and lists are the names of their parts."""
    for field in fields:
        name, kind = f"{prefix}{field.name}", field.type
        if pa.types.is_struct(kind):
            yield from names_in([kind.field(index) for index in range(kind.num_fields)], f"{name}.")
        elif _is_list(kind):
            yield from ((f"{name}.{index}", kind.value_type) for index in range(2))
        else:
            yield name, kind
            if is_point(name) and (is_text(kind) or is_binary(kind)):
                yield from ((f"{name}.{index}", pa.float64()) for index in range(2))


def column_of(name: str, columns: Iterable[str]) -> str:
    """Return the column that has the part with a name, which may be the column itself."""
    known = set(columns)
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        if (column := ".".join(parts[:count])) in known:
            return column
    raise KeyError(name)


def part_of(column: pa.Array, name: str, of: str) -> pa.Array:
    """Return the part with a name of the column `of`, or the column itself; binary and empty columns become text."""
    for part in name[len(of) + 1 :].split(".") if name != of else ():
        if pa.types.is_struct(column.type):
            column = pc.struct_field(column, [part])
        elif _is_list(column.type):
            column = _element(column, int(part))
        else:
            column = _coordinate(column, int(part))
    if pa.types.is_null(column.type):
        column = column.cast(pa.string())
    if is_binary(column.type):
        column = column.view(pa.large_string() if pa.types.is_large_binary(column.type) else pa.string())
    return column


def is_text(kind: pa.DataType) -> bool:
    """Return whether a type is text, also in a dictionary."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def is_binary(kind: pa.DataType) -> bool:
    """Return whether a type is bytes, as some programs write text."""
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind))


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _element(column: pa.Array, index: int) -> pa.Array:
    """Return an element of each list, or null for shorter lists."""
    is_long = pc.greater(pc.list_value_length(column), index)
    if not pc.all(is_long, skip_nulls=False).as_py():
        column = pc.if_else(is_long, column, pa.scalar(None, column.type))
    return pc.list_element(column, index)


def _coordinate(column: pa.Array, index: int) -> pa.Array:
    """Return the longitude or latitude of positions in WKT, GeoJSON or WKB, or null for anything else."""
    if is_binary(column.type):
        return _wkb_coordinate(column, index)
    if pa.types.is_dictionary(column.type):
        return _coordinate(column.dictionary, index).take(column.indices)
    column = column.cast(pa.string())
    found = pc.struct_field(pc.extract_regex(column, _PAIR), index)
    if found.null_count == column.null_count:
        return found
    return pc.coalesce(found, _wkb_coordinate(column, index).cast(pa.string()))


def _wkb_coordinate(column: pa.Array, index: int) -> pa.Array:
    """Return a coordinate of points in WKB, as bytes or in hexadecimal, with or without a reference system."""
    shapes = shapely.from_wkb(column.to_numpy(zero_copy_only=False), on_invalid="ignore")
    is_point = shapely.get_type_id(shapes) == shapely.GeometryType.POINT
    values = (shapely.get_y if index else shapely.get_x)(shapes)
    return pa.array(values, mask=~is_point | np.isnan(values))
