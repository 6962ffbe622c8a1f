"""Values that the map is given and answers with. Longitude comes before latitude everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

from engine.domain.values.dataclass import dataclass
from engine.domain.values.quick import quickly_made

type Position = tuple[float, float]
"""A (longitude, latitude) in degrees."""

type Bounds = tuple[float, float, float, float]
"""(west, south, east, north) in degrees; west is greater than east where the box crosses ±180°."""

type Theme = Literal["light", "dark"]
type EventKind = Literal["entry", "exit", "dwell", "fraud", "other", "gained", "lost", "moved"]
type Tool = Literal[
    "select", "circle", "polygon", "isochrone", "beacon", "waypoint", "track", "split", "measure", "edit", "lasso"
]


@quickly_made
@dataclass(frozen=True, slots=True)
class MapCircle:
    """A circle on the ground: its centre in degrees, its radius in metres."""

    longitude: float
    latitude: float
    radius_m: float


@dataclass(frozen=True, slots=True)
class MapPolygon:
    """A polygon: one closed ring (first position equals the last) of (longitude, latitude).

    An edge runs the short way round, so a ring that crosses ±180° simply changes the sign of its longitudes.
    """

    ring: Sequence[Position]


@dataclass(frozen=True, slots=True)
class MapIsochrone(MapPolygon):
    """From within its ring one gets to its destination in time: that can be moved with the mouse, the ring cannot."""

    longitude: float
    latitude: float


@dataclass(frozen=True, slots=True)
class MapBand:
    """A ring that is being tried out, and what is written on it."""

    label: str
    ring: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class MapPreview:
    """A destination with rings around it, the largest first; a note on it, without rings the reason why."""

    position: Position
    bands: tuple[MapBand, ...] = ()
    note: str = ""


type MapShape = MapCircle | MapPolygon


@quickly_made
@dataclass(frozen=True, slots=True)
class MapFence:
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


@dataclass(frozen=True, slots=True)
class MapLayers:
    """Tags and states whose fences are not shown; `state_colors`, where there are any, replace those of the fences."""

    hidden_tags: Sequence[str] = ()
    hidden_states: Sequence[str] = ()
    state_colors: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class MapArea:
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


@dataclass(frozen=True, slots=True)
class MapImagery:
    """Imagery over the ground: below `min_zoom` it is not shown, beyond `max_zoom` it is magnified.

    `attribution` is shown as plain text. A tile covers `tile_size` pixels of the map in width and height.
    """

    attribution: str
    min_zoom: int
    max_zoom: int
    opacity: float
    tiles: TileSource
    tile_size: int = 256


@dataclass(frozen=True, slots=True)
class ImageryChoice:
    """A switch in the list of layers on the map."""

    id: str
    name: str
    on: bool


@dataclass(frozen=True, slots=True)
class MapTrack:
    """A track: its points in the order they were recorded."""

    points: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class MapEvent:
    """Where an event happened: an entry is drawn as ▲, an exit as ▼, a dwell as ■, a failed check as ✕, others as ◆."""

    id: str
    longitude: float
    latitude: float
    kind: EventKind
    label: str


@dataclass(frozen=True, slots=True)
class MapBeacon:
    """A beacon as the map draws it: `label` is shown as plain text, a disabled one is grey."""

    id: str
    longitude: float
    latitude: float
    label: str
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class RadiusLimits:
    """The smallest and largest radius, in metres, that the mouse may give a circle."""

    smallest_m: float = 10.0
    largest_m: float = 10_000.0
