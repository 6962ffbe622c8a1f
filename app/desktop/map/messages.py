"""The only place that knows how the page spells its messages: JSON in, typed values out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import cast

import orjson

from app.desktop.map.geometry import normal_position, normal_ring
from app.desktop.map.values import Bounds, MapCircle, MapPolygon, MapShape, Position
from engine.domain.values.dataclass import dataclass


class BadMessage(ValueError):
    """The page sent something that is not a message."""


@dataclass(frozen=True, slots=True)
class PageReady:
    """The page's map exists and takes commands."""


@dataclass(frozen=True, slots=True)
class Done:
    """The page has carried out the command with this number."""

    seq: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """The user finished drawing a shape."""

    shape: MapShape


@dataclass(frozen=True, slots=True)
class TrackDrawn:
    """The user finished drawing where a device goes."""

    positions: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class LineDrawn:
    """The user draws a line with a tool, which is done with it or not."""

    tool: str
    positions: tuple[Position, ...]
    done: bool


@dataclass(frozen=True, slots=True)
class Drafted:
    """The user has a shape in hand, which is not a fence yet or no longer looks like it; None: no more."""

    shape: MapShape | None


@dataclass(frozen=True, slots=True)
class FenceEdited:
    """The user moved or reshaped a fence."""

    id: str
    shape: MapShape


@dataclass(frozen=True, slots=True)
class FenceClicked:
    """The user clicked a fence."""

    id: str


@dataclass(frozen=True, slots=True)
class FenceToggled:
    """The user clicked a fence to select it beside others, or to take it out of the selection."""

    id: str


@dataclass(frozen=True, slots=True)
class FencesCaught:
    """The user drew a rectangle or a lasso around these fences, to `extend` the selection by them or to replace it."""

    ids: tuple[str, ...]
    extend: bool


@dataclass(frozen=True, slots=True)
class EventClicked:
    """The user clicked the mark of an event."""

    id: str


@dataclass(frozen=True, slots=True)
class BeaconClicked:
    """The user clicked a beacon."""

    id: str


@dataclass(frozen=True, slots=True)
class BeaconPlaced:
    """The user clicked where a beacon is to be."""

    position: Position


@dataclass(frozen=True, slots=True)
class WaypointChosen:
    """The user clicked where a routed track is to lead."""

    position: Position


@dataclass(frozen=True, slots=True)
class BeaconMoved:
    """The user dragged the beacon that has a handle."""

    position: Position


@dataclass(frozen=True, slots=True)
class MapClicked:
    """The user clicked where neither a fence nor an event is."""

    position: Position


@dataclass(frozen=True, slots=True)
class ContextAsked:
    """The user clicked with the other button, at this pixel: what is there, and what can be done there?"""

    position: Position
    x: float
    y: float
    fence_id: str | None


@dataclass(frozen=True, slots=True)
class DestinationChosen:
    """The user clicked where an isochrone is to lead."""

    position: Position


@dataclass(frozen=True, slots=True)
class DestinationMoved:
    """The user drags the destination of an isochrone, and has let go of it when `done`."""

    id: str
    position: Position
    done: bool


@dataclass(frozen=True, slots=True)
class CameraMoved:
    """The view came to rest."""

    center: Position
    zoom: float
    bounds: Bounds


@dataclass(frozen=True, slots=True)
class Located:
    """The answer to a question for a pixel position."""

    query: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Attributed:
    """The answer to a question for whose data is shown."""

    query: int
    text: str


@dataclass(frozen=True, slots=True)
class Settled:
    """Everything asked for before the question is drawn."""

    query: int


@dataclass(frozen=True, slots=True)
class TilesRequested:
    """The user switched the online tiles in the page's layers control."""

    on: bool


@dataclass(frozen=True, slots=True)
class LayerSwitched:
    """The user showed or hid a layer in the page's layers control."""

    layer: str
    on: bool


@dataclass(frozen=True, slots=True)
class ControlsSeen:
    """Number of switches in the page's layers control that the keyboard can come to."""

    count: int


@dataclass(frozen=True, slots=True)
class LayersRequested:
    """The user wants to choose which fences are shown."""


@dataclass(frozen=True, slots=True)
class ImageryRequested:
    """The user wants imagery on the map, or off it."""

    id: str
    on: bool


@dataclass(frozen=True, slots=True)
class ImageryListRequested:
    """The user wants to choose and edit imagery."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a key did, for people; an empty text: nothing more to say."""

    text: str


@dataclass(frozen=True, slots=True)
class ReshapingEnded:
    """Keys no longer move vertices."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """The page could not do something; the text is for people."""

    text: str


type PageMessage = (
    PageReady
    | Done
    | Drawn
    | TrackDrawn
    | LineDrawn
    | Drafted
    | FenceEdited
    | FenceClicked
    | FenceToggled
    | FencesCaught
    | EventClicked
    | BeaconClicked
    | BeaconPlaced
    | BeaconMoved
    | WaypointChosen
    | MapClicked
    | ContextAsked
    | DestinationChosen
    | DestinationMoved
    | CameraMoved
    | Located
    | Attributed
    | Settled
    | TilesRequested
    | LayerSwitched
    | ControlsSeen
    | LayersRequested
    | ImageryRequested
    | ImageryListRequested
    | Said
    | ReshapingEnded
    | Trouble
)
type _Fields = Mapping[str, object]


def decode(text: str) -> PageMessage:
    """The message in `text`; raises `BadMessage` with the reason where there is none."""
    try:
        fields = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise BadMessage(f"not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise BadMessage("not a JSON object")
    reader = _READERS.get(str(fields.get("kind")))
    if reader is None:
        raise BadMessage(f"unknown kind {fields.get('kind')!r}")
    try:
        return reader(fields)
    except ValueError as error:
        raise BadMessage(str(error)) from error


def _text(fields: _Fields, name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise BadMessage(f"{name} must be a string")
    return value


def _id(fields: _Fields) -> str | None:
    return None if fields.get("id") is None else _text(fields, "id")


def _texts(fields: _Fields, name: str) -> tuple[str, ...]:
    values = fields.get(name)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise BadMessage(f"{name} must be a list of strings")
    return tuple(values)


def _number(fields: _Fields, name: str) -> float:
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadMessage(f"{name} must be a finite number")
    return float(value)


def _whole(fields: _Fields, name: str) -> int:
    return int(_number(fields, name))


def _flag(fields: _Fields, name: str) -> bool:
    value = fields.get(name)
    if not isinstance(value, bool):
        raise BadMessage(f"{name} must be true or false")
    return value


def _pair(value: object) -> Position:
    if not isinstance(value, list) or len(value) != 2:
        raise BadMessage("a position must be [longitude, latitude]")
    if not all(isinstance(part, int | float) and not isinstance(part, bool) for part in value):
        raise BadMessage("a position must be two numbers")
    return float(value[0]), float(value[1])


def _position(fields: _Fields, name: str = "position") -> Position:
    return normal_position(*_pair(fields.get(name)))


def _way(fields: _Fields) -> tuple[Position, ...]:
    way = fields.get("positions")
    if not isinstance(way, list) or len(way) < 2:
        raise BadMessage("positions must be a list of two or more")
    return tuple(normal_position(*_pair(position)) for position in way)


def _shape(fields: _Fields) -> MapShape:
    shape = fields.get("shape")
    if not isinstance(shape, dict):
        raise BadMessage("shape must be an object")
    if "ring" in shape:
        ring = shape["ring"]
        if not isinstance(ring, list):
            raise BadMessage("ring must be a list")
        return MapPolygon(normal_ring([_pair(position) for position in ring]))
    longitude, latitude = normal_position(_number(shape, "longitude"), _number(shape, "latitude"))
    radius = round(_number(shape, "radius_m"), 2)
    if radius <= 0.0:
        raise BadMessage("radius_m must be greater than 0")
    return MapCircle(longitude, latitude, radius)


def _camera(fields: _Fields) -> CameraMoved:
    bounds = fields.get("bounds")
    if not isinstance(bounds, list) or len(bounds) != 4:
        raise BadMessage("bounds must be [west, south, east, north]")
    if not all(isinstance(side, int | float) for side in bounds):
        raise BadMessage("bounds must be four numbers")
    return CameraMoved(_position(fields, "center"), _number(fields, "zoom"), cast(Bounds, tuple(map(float, bounds))))


_READERS: dict[str, Callable[[_Fields], PageMessage]] = {
    "ready": lambda _: PageReady(),
    "done": lambda f: Done(_whole(f, "seq")),
    "drawn": lambda f: Drawn(_shape(f)),
    "track_drawn": lambda f: TrackDrawn(_way(f)),
    "line_drawn": lambda f: LineDrawn(_text(f, "tool"), _way(f), _flag(f, "done")),
    "drafted": lambda f: Drafted(None if f.get("shape") is None else _shape(f)),
    "fence_edited": lambda f: FenceEdited(_text(f, "id"), _shape(f)),
    "fence_clicked": lambda f: FenceClicked(_text(f, "id")),
    "fence_toggled": lambda f: FenceToggled(_text(f, "id")),
    "fences_caught": lambda f: FencesCaught(_texts(f, "ids"), _flag(f, "extend")),
    "event_clicked": lambda f: EventClicked(_text(f, "id")),
    "beacon_clicked": lambda f: BeaconClicked(_text(f, "id")),
    "beacon_placed": lambda f: BeaconPlaced(_position(f)),
    "beacon_moved": lambda f: BeaconMoved(_position(f)),
    "waypoint_chosen": lambda f: WaypointChosen(_position(f)),
    "map_clicked": lambda f: MapClicked(_position(f)),
    "context_asked": lambda f: ContextAsked(_position(f), _number(f, "x"), _number(f, "y"), _id(f)),
    "destination_chosen": lambda f: DestinationChosen(_position(f)),
    "destination_moved": lambda f: DestinationMoved(_text(f, "id"), _position(f), _flag(f, "done")),
    "camera": _camera,
    "located": lambda f: Located(_whole(f, "query"), _number(f, "x"), _number(f, "y")),
    "attributed": lambda f: Attributed(_whole(f, "query"), _text(f, "text")),
    "settled": lambda f: Settled(_whole(f, "query")),
    "tiles_requested": lambda f: TilesRequested(_flag(f, "on")),
    "layer_switched": lambda f: LayerSwitched(_text(f, "layer"), _flag(f, "on")),
    "controls": lambda f: ControlsSeen(_whole(f, "count")),
    "layers_requested": lambda _: LayersRequested(),
    "imagery_requested": lambda f: ImageryRequested(_text(f, "id"), _flag(f, "on")),
    "imagery_list_requested": lambda _: ImageryListRequested(),
    "said": lambda f: Said(_text(f, "text")),
    "reshaping_ended": lambda _: ReshapingEnded(),
    "trouble": lambda f: Trouble(_text(f, "text")),
}
