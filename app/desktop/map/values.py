"""Values that the map is given and answers with. Longitude comes before latitude everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

type Position = tuple[float, float]
"""A (longitude, latitude) in degrees."""

type Bounds = tuple[float, float, float, float]
"""(west, south, east, north) in degrees; west is greater than east where the box crosses ±180°."""

type Theme = Literal["light", "dark"]
type EventKind = Literal["entry", "exit", "dwell", "fraud", "other", "gained", "lost", "moved"]
type Tool = Literal[
    "select", "circle", "polygon", "isochrone", "beacon", "waypoint", "track", "split", "measure", "edit", "lasso"
]


class MapCircle(Struct, frozen=True):
    """A circle on the ground: its centre in degrees, its radius in metres."""

    longitude: float
    latitude: float
    radius_m: float


class MapPolygon(Struct, frozen=True):
    """A polygon: one closed ring (first position equals the last) of (longitude, latitude).

    An edge runs the short way round, so a ring that crosses ±180° simply changes the sign of its longitudes.
    """

    ring: Sequence[Position]


class MapIsochrone(MapPolygon, frozen=True):
    """From within its ring one gets to its destination in time: that can be moved with the mouse, the ring cannot."""

    longitude: float
    latitude: float


class MapBand(Struct, frozen=True):
    """A ring that is being tried out, and what is written on it."""

    label: str
    ring: tuple[Position, ...]


class MapPreview(Struct, frozen=True):
    """A destination with rings around it, the largest first; a note on it, without rings the reason why."""

    position: Position
    bands: tuple[MapBand, ...] = ()
    note: str = ""


type MapShape = MapCircle | MapPolygon


class MapFence(Struct, frozen=True):
    """A fence as the map draws it: `color` is any CSS colour, `label` is shown as plain text.

    A disabled one is hatched, a `closed` one (outside its hours) has a dashed outline. A `locked` one has
    a padlock, and no handles. Its `tag` and `state` are what it may be hidden by.
    """

    id: str
    label: str
    color: str
    enabled: bool
    shape: MapShape
    closed: bool = False
    locked: bool = False
    tag: str | None = None
    state: str | None = None


class MapLayers(Struct, frozen=True):
    """Tags and states whose fences are not shown; `state_colors`, where there are any, replace those of the fences."""

    hidden_tags: Sequence[str] = ()
    hidden_states: Sequence[str] = ()
    state_colors: Mapping[str, str] | None = None


class MapArea(Struct, frozen=True):
    """An area whose streets are drawn: `tiles` is a PMTiles file that holds all within `bounds`."""

    name: str
    bounds: Bounds
    tiles: Path


class TileSource(Protocol):
    """Gives pictures of the tiles of the Mercator map."""

    @property
    def trouble(self) -> str:
        """What is wrong, as a sentence for the user; "" where nothing is."""
        ...

    @property
    def rests_s(self) -> float:
        """For how many seconds it gives nothing, after failures; 0 where it gives what it has."""
        ...

    def tile(self, zoom: int, x: int, y: int, *, fine: bool = False) -> bytes:
        """Return a tile, called in a thread; raises `FencewrightError` where there is none.

        A `fine` one may have twice as many pixels.
        """
        ...


class MapImagery(Struct, frozen=True):
    """Imagery over the ground: below `min_zoom` it is not shown, beyond `max_zoom` it is magnified.

    `attribution` is shown as plain text. A tile covers `tile_size` pixels of the map in width and height.
    """

    attribution: str
    min_zoom: int
    max_zoom: int
    opacity: float
    tiles: TileSource
    tile_size: int = 256


class ImageryChoice(Struct, frozen=True):
    """A switch in the list of layers on the map."""

    id: str
    name: str
    on: bool


class MapTrack(Struct, frozen=True):
    """A track: its points in the order they were recorded."""

    points: tuple[Position, ...]


class MapEvent(Struct, frozen=True):
    """Where an event happened: an entry is drawn as ▲, an exit as ▼, a dwell as ■, a failed check as ✕, others as ◆."""

    id: str
    longitude: float
    latitude: float
    kind: EventKind
    label: str


class MapBeacon(Struct, frozen=True):
    """A beacon as the map draws it: `label` is shown as plain text, a disabled one is grey."""

    id: str
    longitude: float
    latitude: float
    label: str
    enabled: bool = True


class RadiusLimits(Struct, frozen=True):
    """The smallest and largest radius, in metres, that the mouse may give a circle."""

    smallest_m: float = 10.0
    largest_m: float = 10_000.0
