"""Pictures of the map: their parameters, markers and paths as text."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Annotated, ClassVar, Final

from pydantic import Field, PlainValidator

from app.api.http.errors import shown
from app.api.wire.common.fields import read_numbers, read_point, refusal
from app.api.wire.maps.marker import color_named
from app.api.wire.maps.requests import StyleQuery
from app.api.wire.maps.style import THEMES
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.words import count
from engine.maps.pictures.canvas import Color, color_of
from engine.maps.pictures.overlays import Marker, Path
from engine.maps.pictures.picture import Picture
from engine.maps.pictures.view import FIRST_ZOOM, LAST_ZOOM, View
from engine.routing.polylines import decode_polyline

SIZES: Final = {"small": 0.6, "medium": 0.8, "large": 1.0}
MAX_MARKERS: Final = 500
MAX_PATHS: Final = 20
MAX_POSITIONS: Final = 2_000
"""Maximum number of positions of all paths."""

LARGE: Final = 20_000_000
"""Pixels of a picture beyond which half as many paths and positions are allowed: each path may take two seconds."""

_DEFAULT_SIZE: Final = "medium"
_DEFAULT_COLOR: Final = "#000257"
_DEFAULT_WIDTH: Final = "3"
_DEFAULT_BORDER: Final = "1"
_WIDEST: Final = 64
_ENCODED: Final = "enc:"
_DECIMALS: Final = 5


def _read_markers(values: object) -> list[Marker]:
    found = [marker for value in _texts(values) for marker in _markers_of(value)]
    if len(found) > MAX_MARKERS:
        raise refusal(f"must have at most {MAX_MARKERS} markers, not {len(found)}")
    return found


def _markers_of(value: str) -> Iterator[Marker]:
    options, positions = _parted(value, ("color", "size"))
    if not positions:
        raise refusal(f"must have positions, such as color:0x000257|40.7343,-73.9911, not {shown(value)}")
    color = _color(options.get("color", _DEFAULT_COLOR))
    size = options.get("size", _DEFAULT_SIZE)
    if size not in SIZES:
        raise refusal(f"must have a size of {', '.join(SIZES)}, not {shown(size)}")
    for point in positions:
        yield Marker(point.longitude, point.latitude, color, SIZES[size])


def _read_paths(values: object) -> list[Path]:
    return [_path_of(value) for value in _texts(values)]


def _path_of(value: str) -> Path:
    # An encoded line may have the sign that separates options.
    head, encoded, line = value.partition(_ENCODED)
    options, positions = _parted(head.rstrip("|"), ("stroke", "width", "fill", "border", "borderwidth"))
    places = [(point.longitude, point.latitude) for point in positions]
    if encoded:
        try:
            places += decode_polyline(line, _DECIMALS)
        except ValueError:
            raise refusal("must have an encoded polyline of positions on the earth after enc:") from None
    if len(places) < 2:
        raise refusal("must have at least two positions: latitude,longitude|latitude,longitude or enc:polyline")
    return Path(
        positions=tuple(places),
        color=_ink(options.get("stroke", _DEFAULT_COLOR)),
        width=_width(options.get("width", _DEFAULT_WIDTH)),
        fill=_ink(options["fill"]) if "fill" in options else None,
        border=_ink(options["border"]) if "border" in options else None,
        border_width=_width(options.get("borderwidth", _DEFAULT_BORDER)),
    )


def _texts(values: object) -> list[str]:
    return [str(value) for value in values] if isinstance(values, list) else [str(values)]


def _parted(value: str, names: Sequence[str]) -> tuple[dict[str, str], list[Point]]:
    """Return the options and the positions of a text in which they are separated by bars."""
    options: dict[str, str] = {}
    positions: list[Point] = []
    for part in filter(None, value.split("|")):
        name, colon, option = part.partition(":")
        if not colon:
            positions.append(read_point(part))
        elif name not in names:
            raise refusal(f"has no option {shown(name)}; there is {', '.join(names)}")
        else:
            options[name] = option
    return options, positions


def _color(written: str) -> str:
    color = color_named(written.removeprefix("0x"))
    if color is None:
        raise refusal(f"must have colours like 0x000257 or red, not {shown(written)}")
    return color


def _ink(written: str) -> Color:
    """Return a colour that may end with two digits for its opacity."""
    digits = written.removeprefix("0x").removeprefix("#")
    if len(digits) == len("rrggbbaa"):
        opacity = f"#{digits[-2:] * 3}"
        return color_of(_color(digits[:-2]), color_of(_color(opacity))[0] / 255)
    return color_of(_color(written))


def _width(written: str) -> float:
    try:
        width = float(written)
    except ValueError:
        width = -1.0
    if not (isfinite(width) and 0 <= width <= _WIDEST):
        raise refusal(f"must have a width within [0, {_WIDEST}], not {shown(written)}")
    return width


def _read_box(value: object) -> tuple[float, float, float, float]:
    parts = str(value).split(",")
    if len(read_numbers(value)) != 4:
        raise refusal("must be minLatitude,minLongitude,maxLatitude,maxLongitude such as 40.7,-74,40.8,-73.9")
    low, high = read_point(",".join(parts[:2])), read_point(",".join(parts[2:]))
    if low.latitude >= high.latitude or low.longitude == high.longitude:
        raise refusal("must have an area, with the southern latitude first")
    return low.latitude, low.longitude, high.latitude, high.longitude


type _Side = Annotated[int, Field(ge=100, le=2048)]


class PictureQuery(StyleQuery):
    """Part of the map, size and overlays of a picture."""

    repeated: ClassVar[frozenset[str]] = frozenset({"markers", "path"})

    width: _Side = Field(description="In CSS pixels.")
    height: _Side = Field(description="In CSS pixels.")
    center: Annotated[Point | None, PlainValidator(read_point, json_schema_input_type=str)] = Field(
        None, description="latitude,longitude; required without bbox, markers or path."
    )
    zoom: Annotated[float, Field(ge=FIRST_ZOOM, le=LAST_ZOOM)] | None = Field(
        None, description="Of maps with tiles of 256 pixels; required without bbox, markers or path."
    )
    scale: Annotated[float, Field(ge=1, le=3)] = Field(1.0, description="Pixels per CSS pixel.")
    style: str = Field("radar-default-v1", description=f"{', '.join(THEMES)}.")
    bbox: Annotated[tuple[float, float, float, float] | None, PlainValidator(_read_box, json_schema_input_type=str)] = (
        Field(
            None,
            description="minLatitude,minLongitude,maxLatitude,maxLongitude; fitted without zoom, around any center.",
        )
    )
    markers: Annotated[list[Marker], PlainValidator(_read_markers, json_schema_input_type=list[str])] = Field(
        [], description="color:0x000257|size:small|latitude,longitude|…; repeated for other colours or sizes."
    )
    path: Annotated[list[Path], PlainValidator(_read_paths, json_schema_input_type=list[str])] = Field(
        [],
        description="stroke:0x2563eb|width:4|fill:…|border:…|borderwidth:…|latitude,longitude|…, or enc:polyline last.",
    )


def picture_of(query: PictureQuery) -> Picture:
    """Return the picture that a query asks for.

    Raises `InvalidParameter` for an unknown ``style``, too many of ``path`` for the size, or ``center`` or ``zoom`` if
    nothing else says what to show.
    """
    theme = THEMES.get(query.style)
    if theme is None:
        raise InvalidParameter("style", f"style: must be one of {', '.join(THEMES)}, not {shown(query.style)}.")
    view = _view_of(query)
    _check_paths(query.path, view)
    return Picture(view, theme, tuple(query.markers), tuple(query.path))


def _check_paths(paths: Sequence[Path], view: View) -> None:
    """Raise `InvalidParameter` for more paths or positions than are drawn in a picture of that size."""
    width, height = view.pixels
    part = 2 if width * height > LARGE else 1
    most, most_positions = MAX_PATHS // part, MAX_POSITIONS // part
    positions = sum(len(path.positions) for path in paths)
    if len(paths) > most or positions > most_positions:
        limits = f"at most {most} paths with {count(most_positions, 'position')} in all"
        message = f"path: must have {limits} for a picture of this size, not {len(paths)} with {positions:,}."
        raise InvalidParameter("path", message)


def _view_of(query: PictureQuery) -> View:
    size = query.width, query.height, query.scale
    positions = list(_positions(query.markers, query.path))
    center, zoom = query.center, query.zoom
    if center is not None:
        view = View(*size, center.longitude, center.latitude, zoom or FIRST_ZOOM)
        if zoom is not None:
            return view
        if query.bbox is not None:
            return view.widened_to_box(query.bbox)
        if not positions:
            raise InvalidParameter("zoom", "zoom: is required without bbox, markers or path.")
        return view.widened(positions)
    if query.bbox is None and not positions:
        raise InvalidParameter("center", "center: is required without bbox, markers or path.")
    view = View.of_positions(positions, *size) if query.bbox is None else View.of_box(query.bbox, *size)
    return view if zoom is None else View(*size, view.longitude, view.latitude, zoom)


def _positions(markers: Sequence[Marker], paths: Sequence[Path]) -> Iterator[tuple[float, float]]:
    for marker in markers:
        yield marker.longitude, marker.latitude
    for path in paths:
        yield from path.positions
