"""Routes: requests to a router and its results. Metres, seconds, longitude before latitude."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from math import isfinite
from typing import Final, Protocol

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Isochrone, Point, Position, Ring
from engine.domain.travel import TravelMode as TravelMode
from engine.domain.units import Units

MAX_MINUTES: Final = 120
"""Maximum travel time of a request, in minutes."""

MAX_SNAP_M: Final = 5_000
"""Distance to every road of its mode beyond which a position has no data."""

MOVED_M: Final = 100
"""Distance in metres between a position and its point on a road beyond which it is reported as moved."""

MAX_PATH: Final = 16_000
"""Maximum number of recorded positions in a match."""


class Avoid(StrEnum):
    """Features that a route avoids: strictly, if there is any other route."""

    TOLLS = "tolls"
    HIGHWAYS = "highways"
    FERRIES = "ferries"
    BORDER_CROSSINGS = "borderCrossings"


class Language(StrEnum):
    """Languages of instructions."""

    GERMAN = "de"
    ENGLISH = "en"
    SPANISH = "es"
    FRENCH = "fr"
    JAPANESE = "ja"
    KOREAN = "ko"
    PORTUGUESE = "pt"
    RUSSIAN = "ru"


class RoadClass(StrEnum):
    """Road classes, largest first."""

    MOTORWAY = "motorway"
    TRUNK = "trunk"
    PRIMARY = "primary"
    SECONDARY = "secondary"
    TERTIARY = "tertiary"
    RESIDENTIAL = "residential"
    UNCLASSIFIED = "unclassified"
    SERVICE_OTHER = "service_other"


type Line = tuple[Position, ...]
"""Positions along a route."""


class RouteOptions(Struct, frozen=True, kw_only=True):
    """The common part of every request. `departure` is used by routers that are `timed`."""

    mode: TravelMode = TravelMode.CAR
    avoid: frozenset[Avoid] = frozenset()
    departure: datetime | None = None


class Travel(Struct, frozen=True):
    """Distance and duration."""

    distance_m: float
    duration_s: float


class Matrix(Struct, frozen=True):
    """A row for each origin with a cell for each destination, or None if there is no route.

    `origins` and `destinations` are the nearest points on roads. `off_road` has a sentence about each position without
    a road near it, whose cells are None.
    """

    rows: tuple[tuple[Travel | None, ...], ...]
    origins: tuple[Point, ...]
    destinations: tuple[Point, ...]
    off_road: tuple[str, ...] = ()


class Step(Struct, frozen=True):
    """An instruction and the route to the next one.

    Bearings are in degrees from north, clockwise, of the route before and after the place of the instruction. `banner`
    is the text of a sign, `voice` the spoken text. `exit_name` is the exit's number or its destination, on exits only.
    """

    travel: Travel
    line: Line
    bearing_before: float
    bearing_after: float
    instruction: str
    banner: str
    voice: str
    maneuver: str
    street_name: str
    exit_name: str | None = None


class Leg(Struct, frozen=True):
    """The route from one location to the next; `start` and `end` are points on roads."""

    start: Point
    end: Point
    travel: Travel
    line: Line
    steps: tuple[Step, ...] = ()


class Route(Struct, frozen=True):
    """A complete route."""

    travel: Travel
    line: Line
    legs: tuple[Leg, ...]


class Stretch(Struct, frozen=True):
    """A stretch of a route with a constant speed; the crossing at its end adds a delay of `delay_s`."""

    line: Line
    duration_s: float
    delay_s: float = 0.0


class Directions(Struct, frozen=True):
    """Options of a request for directions, except its locations.

    `heading` is the direction of travel at the first location; spoken distances are in `units`. All roads within
    `radius_m` of the first location are treated like the nearest one, since the position of a moving car may be beside
    its road.
    """

    options: RouteOptions
    language: Language = Language.ENGLISH
    units: Units = Units.IMPERIAL
    heading: float | None = None
    alternatives: bool = False
    radius_m: float | None = None


class OptimizedLeg(Struct, frozen=True):
    """A leg of an optimized route, with the indexes of its ends in the original locations."""

    leg: Leg
    start_index: int
    end_index: int


class OptimizedRoute(Struct, frozen=True):
    """The fastest route through all locations; the first and the last stay in place."""

    travel: Travel
    legs: tuple[OptimizedLeg, ...]


class Isochrones(Struct, frozen=True):
    """The outer rings from within which a center is reached, for each requested number of minutes.

    Rings are valid and have no holes. The one around the road near the center comes first, then by size. There are none
    if no road is close enough. The road is `moved_m` from the center. `place` names the areas or the server that
    were asked.
    """

    bands: tuple[tuple[Ring, ...], ...]
    moved_m: float
    place: str


class Edge(Struct, frozen=True):
    """The edge of an area that an isochrone of `minutes` reaches, beyond which no roads are known.

    `inside` is the largest whole number of minutes whose isochrone does not reach it; 0 if there is none.
    """

    area: str
    minutes: float
    mode: TravelMode
    inside: int

    @property
    def text(self) -> str:
        """The edge and the longest time that does not reach it, as a sentence."""
        # Whole sentences, since the window translates each as one.
        minutes, mode, area, inside = f"{self.minutes:g}", self.mode, self.area, self.inside
        if not inside:
            return (
                f"size: {minutes} min by {mode} reach the edge of the area {area}, where its roads end; "
                f"even 1 min does."
            )
        return (
            f"size: {minutes} min by {mode} reach the edge of the area {area}, where its roads end; "
            f"up to {inside} min stay inside."
        )


class Fixed(Struct, frozen=True):
    """A recorded position of a path to match."""

    point: Point
    at: datetime | None = None
    accuracy_m: float | None = None


class MatchedPoint(Struct, frozen=True):
    """The point on a road that a recorded position was matched to, with the index of that position."""

    point: Point
    original_index: int


class MatchedRoad(Struct, frozen=True):
    """A stretch of one road, with the index of the first recorded position on it, if there is one.

    `speed_limit_mps` is None if it is unknown or if there is no limit.
    """

    start: Point
    end: Point
    road_class: RoadClass
    names: tuple[str, ...]
    speed_limit_mps: float | None
    original_index: int | None = None


class Match(Struct, frozen=True):
    """The roads that were likely travelled."""

    points: tuple[MatchedPoint, ...]
    roads: tuple[MatchedRoad, ...]
    line: Line
    distance_m: float


class Moved(Struct, frozen=True):
    """A position of a parameter that was moved far to a road; `item` is its number in a list.

    `outside` names the areas if the position is beyond their edge.
    """

    param: str
    point: Point
    moved_m: float
    mode: TravelMode
    item: int | None = None
    outside: str = ""

    @property
    def text(self) -> str:
        """The position and its distance from the road as a sentence."""
        location = position_text(self.point, self.item)
        moved = f"{self.param}: {location} was moved {self.moved_m:.0f} m to the nearest road for {self.mode}"
        return (
            f"{moved}; it is outside {self.outside}, where there may be nearer ones." if self.outside else f"{moved}."
        )


def is_far(moved_m: float) -> bool:
    """Return whether a road is so far from a position that it must be reported."""
    return moved_m > MOVED_M


def position_text(point: Point, item: int | None = None) -> str:
    """Return the text for a position in a sentence, with its number in a list: ``item 2 (49.4291,8.67353)``."""
    which = "" if item is None else f"item {item} "
    return f"{which}({point.latitude:.6g},{point.longitude:.6g})"


def check_minutes(value: float, param: str) -> float:
    """Return `value` if it is a valid travel time in minutes. Raises `InvalidParameter` for `param` if it is not."""
    if not (isfinite(value) and 0 < value <= MAX_MINUTES):
        raise InvalidParameter(param, f"{param}: must be over 0 and at most {MAX_MINUTES} minutes, not {value:.12g}.")
    return value


class Router(Protocol):
    """Finds routes. Methods block for a limited time, and may be called from any thread.

    They raise `InvalidParameter` for a position without data, naming ``origin``, ``destination``, ``origins``,
    ``destinations``, ``locations``, ``path`` or the given `param`; and `RoutingUnavailable` if the router does not
    answer in time.
    """

    def route(
        self, origin: Point, destination: Point, options: RouteOptions, units: Units = Units.METRIC
    ) -> Route | None:
        """Return the route between two positions, without steps, or None if no route exists.

        It is the same route as in `directions`, with lengths rounded in `units` alike.
        """
        ...

    def stretches(self, origin: Point, destination: Point, options: RouteOptions) -> tuple[Stretch, ...] | None:
        """Return the route of `route` as stretches with the same total duration, or None if no route exists.

        Each begins at the end of the previous one.
        """
        ...

    def matrix(self, origins: Sequence[Point], destinations: Sequence[Point], options: RouteOptions) -> Matrix:
        """Return the distance and duration of the route from each origin to each destination."""
        ...

    def directions(self, locations: Sequence[Point], directions: Directions) -> tuple[Route, ...]:
        """Return the route through the locations in their order, with steps, then alternatives.

        The result is empty if no route exists.
        """
        ...

    def optimize(self, locations: Sequence[Point], options: RouteOptions) -> OptimizedRoute:
        """Return the fastest route through the locations. Raises `InvalidParameter` naming one that is unreachable."""
        ...

    def match(self, path: Sequence[Fixed], mode: TravelMode) -> Match:
        """Return the roads of a recorded path. Raises `InvalidParameter` for ``path`` if it followed none."""
        ...

    def isochrones(
        self, center: Point, minutes: Sequence[float], mode: TravelMode, param: str = "coordinates"
    ) -> Isochrones:
        """Return, for each number of minutes, the rings from within which `center` can be reached."""
        ...

    def edge(self, isochrone: Isochrone) -> Edge | None:
        """Return the edge of the area that an isochrone reaches, or None if it reaches none or this is unknown."""
        ...

    @property
    def timed(self) -> bool:
        """Whether routes may depend on the time of departure."""
        ...

    def outside(self, point: Point) -> str:
        """Return the name of the areas if a position is beyond their edge; "" if not or if this is unknown."""
        ...

    def close(self) -> None:
        """Release threads, memory and connections; running work has a moment to end."""
        ...
