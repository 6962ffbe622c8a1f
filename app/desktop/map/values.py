"""Values that the map receives and returns. Longitude comes before latitude everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

from engine.domain.geometry import Part, Ring

type Position = tuple[float, float]
"""A (longitude, latitude) in degrees."""

type Bounds = tuple[float, float, float, float]
"""(west, south, east, north) in degrees; west is greater than east if the box crosses ±180°."""

type Travel = tuple[float, float, float, float, int]
"""The longitude and latitude of an origin and of a destination, and the number of trips between them."""

type Theme = Literal["light", "dark"]
type EventKind = Literal["entry", "exit", "dwell", "fraud", "other", "gained", "lost", "moved"]
type Tool = Literal[
    "select",
    "circle",
    "polygon",
    "hole",
    "part",
    "isochrone",
    "beacon",
    "waypoint",
    "track",
    "split",
    "measure",
    "edit",
    "edit_part",
    "lasso",
]


class MapCircle(Struct, frozen=True):
    """A circle on the ground, with its centre in degrees and its radius in metres."""

    longitude: float
    latitude: float
    radius_m: float


class MapPolygon(Struct, frozen=True, omit_defaults=True):
    """A polygon with closed rings (first position equals the last) of (longitude, latitude).

    An edge runs the short way round, so a ring that crosses ±180° simply changes the sign of its longitudes. `ring` and
    `holes` are those of the largest part, and `others` are the other parts. If parts meet along an edge, `joined` has
    the parts of their common interior, with continuous longitudes, which are drawn instead.
    """

    ring: Ring
    holes: tuple[Ring, ...] = ()
    others: tuple[Part, ...] = ()
    joined: tuple[Part, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """All parts, the largest first."""
        return (Part(self.ring, self.holes), *self.others)

    @property
    def position_count(self) -> int:
        """Number of positions of all rings."""
        if self.is_single_ring:
            return len(self.ring)
        return sum(len(part.ring) + sum(map(len, part.holes)) for part in (*self.parts, *self.joined))

    @property
    def is_single_ring(self) -> bool:
        """Whether it has neither holes nor other parts."""
        return not (self.holes or self.others)


class MapIsochrone(MapPolygon, frozen=True, kw_only=True):
    """The area from which a destination is reached in time. The mouse can move the destination, but not the ring."""

    longitude: float
    latitude: float


class MapBand(Struct, frozen=True):
    """A ring of a preview, with its label."""

    label: str
    ring: tuple[Position, ...]


class MapPreview(Struct, frozen=True):
    """A destination with rings around it, the largest first, and a note, which says why if there are none."""

    position: Position
    bands: tuple[MapBand, ...] = ()
    note: str = ""


type MapShape = MapCircle | MapPolygon


class MapFence(Struct, frozen=True):
    """A geofence as the map draws it: `color` is any CSS colour, `label` is shown as plain text.

    A disabled one is hatched, a `closed` one (outside its hours) has a dashed outline. A `locked` one has a padlock and
    no handles. It may be hidden by its `tag` or `state`.
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
    """Tags and states whose geofences are hidden; `state_colors`, if any, replace the geofences' colours."""

    hidden_tags: Sequence[str] = ()
    hidden_states: Sequence[str] = ()
    state_colors: Mapping[str, str] | None = None


class MapArea(Struct, frozen=True):
    """An area whose streets are drawn: `tiles` is a PMTiles file with all data within `bounds`."""

    name: str
    bounds: Bounds
    tiles: Path


class TileSource(Protocol):
    """A source of tile pictures of the Mercator map."""

    @property
    def trouble(self) -> str:
        """The current error, as a sentence for the user, or "" if the source works."""
        ...

    @property
    def rests_s(self) -> float:
        """Number of seconds for which the source pauses after failures, or 0 if it does not."""
        ...

    def tile(self, zoom: int, x: int, y: int, *, fine: bool = False) -> bytes:
        """Return a tile, called in a thread; raises `FencewrightError` if the tile cannot be loaded.

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
    """A switch in the map's list of layers."""

    id: str
    name: str
    on: bool


class MapTrack(Struct, frozen=True):
    """A track with its points in the order of recording."""

    points: tuple[Position, ...]


class MapEvent(Struct, frozen=True):
    """The place of an event: an entry is drawn as ▲, an exit as ▼, a dwell as ■, a failed check as ✕, others as ◆."""

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
