"""Routes: what is asked of a router and what it answers. Metres, seconds, longitude before latitude."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from math import isfinite
from typing import Final, Protocol

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point, Position, Ring
from engine.domain.travel import TravelMode as TravelMode
from engine.domain.units import Units

MAX_MINUTES: Final = 120
"""No travel time that is asked about is longer."""

MAX_SNAP_M: Final = 5_000
"""A position farther from every road of its mode than this has no data."""

MOVED_M: Final = 100
"""A position that is farther than this from where the road near it is met is said to be moved."""

MAX_PATH: Final = 16_000
"""Recorded positions that one match takes."""


class Avoid(StrEnum):
    """Features that a route avoids: where there is another way at all, strictly."""

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
"""Positions along a way."""


class RouteOptions(Struct, frozen=True, kw_only=True):
    """The common part of every request. `departure` is used as far as the data allows."""

    mode: TravelMode = TravelMode.CAR
    avoid: frozenset[Avoid] = frozenset()
    departure: datetime | None = None


class Travel(Struct, frozen=True):
    """Distance and duration."""

    distance_m: float
    duration_s: float


class Matrix(Struct, frozen=True):
    """A row for each origin with a cell for each destination, None where there is no way.

    `origins` and `destinations` are where the roads near them are met. `off_road` has a sentence about each position
    that has no road near it, whose cells are None.
    """

    rows: tuple[tuple[Travel | None, ...], ...]
    origins: tuple[Point, ...]
    destinations: tuple[Point, ...]
    off_road: tuple[str, ...] = ()


class Step(Struct, frozen=True):
    """An instruction and the route to the next one.

    Bearings in degrees from north, clockwise: of the way before the instruction's place and after it. `banner` is what
    a sign would show, `voice` what is said there. `exit_name` is the exit's number, or where it leads, on exits only.
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
    """From one location to the next; `start` and `end` are where the roads are met."""

    start: Point
    end: Point
    travel: Travel
    line: Line
    steps: tuple[Step, ...] = ()


class Route(Struct, frozen=True):
    """A whole way."""

    travel: Travel
    line: Line
    legs: tuple[Leg, ...]


class Stretch(Struct, frozen=True):
    """A stretch of a way that is travelled at one speed; at the crossing at its end one is held up for `delay_s`."""

    line: Line
    duration_s: float
    delay_s: float = 0.0


class Directions(Struct, frozen=True):
    """Options besides the locations.

    `heading` is the direction of travel at the first one; spoken distances are in `units`. All roads within `radius_m`
    of the first location are as good as the nearest one: a position in a moving car may be beside its road.
    """

    options: RouteOptions
    language: Language = Language.ENGLISH
    units: Units = Units.IMPERIAL
    heading: float | None = None
    alternatives: bool = False
    radius_m: float | None = None


class OptimizedLeg(Struct, frozen=True):
    """A leg of an optimized route, with the indexes of its ends among the locations as they were given."""

    leg: Leg
    start_index: int
    end_index: int


class OptimizedRoute(Struct, frozen=True):
    """The quickest way through all locations; the first and the last stay where they are."""

    travel: Travel
    legs: tuple[OptimizedLeg, ...]


class Isochrones(Struct, frozen=True):
    """For each number of minutes that was asked for the outer rings from within which a center is reached.

    Rings are valid and have no holes; the one around the road near the center comes first, then the largest. There are
    none where nothing is near enough. The road is `moved_m` from the center. `place` names where roads were looked for.
    """

    bands: tuple[tuple[Ring, ...], ...]
    moved_m: float
    place: str


class Fixed(Struct, frozen=True):
    """One recorded position of a path to match."""

    point: Point
    at: datetime | None = None
    accuracy_m: float | None = None


class MatchedPoint(Struct, frozen=True):
    """Where on the roads the recorded position of this index was."""

    point: Point
    original_index: int


class MatchedRoad(Struct, frozen=True):
    """A stretch of one road, with the index of the first recorded position on it where there is one.

    `speed_limit_mps` is None where it is unknown, or where there is no limit.
    """

    start: Point
    end: Point
    road_class: RoadClass
    names: tuple[str, ...]
    speed_limit_mps: float | None
    original_index: int | None = None


class Match(Struct, frozen=True):
    """The roads likely traveled."""

    points: tuple[MatchedPoint, ...]
    roads: tuple[MatchedRoad, ...]
    line: Line
    distance_m: float


class Moved(Struct, frozen=True):
    """A position of a parameter, in a list the one with the number `item`, that was moved far to a road."""

    param: str
    point: Point
    moved_m: float
    mode: TravelMode
    item: int | None = None

    @property
    def text(self) -> str:
        """Return it as a sentence."""
        where = position_text(self.point, self.item)
        return f"{self.param}: {where} was moved {self.moved_m:.0f} m to the nearest road for {self.mode}."


def is_far(moved_m: float) -> bool:
    """Whether a road is so far from a position that one has to be told."""
    return moved_m > MOVED_M


def position_text(point: Point, item: int | None = None) -> str:
    """Return what a sentence calls a position, of a list the one of that number: ``item 2 (49.4291,8.67353)``."""
    which = "" if item is None else f"item {item} "
    return f"{which}({point.latitude:.6g},{point.longitude:.6g})"


def check_minutes(value: float, param: str) -> float:
    """Return `value` if it is a travel time in minutes that can be asked about, else raise `InvalidParameter`."""
    if not (isfinite(value) and 0 < value <= MAX_MINUTES):
        raise InvalidParameter(param, f"{param}: must be over 0 and at most {MAX_MINUTES} minutes, not {value:.12g}.")
    return value


class Router(Protocol):
    """Finds ways. Methods block, for a limited time, and may be called from any thread.

    They raise `InvalidParameter` for a position without data, naming ``origin``, ``destination``, ``origins``,
    ``destinations``, ``locations``, ``path`` or what `param` says; and `RoutingUnavailable` when the router does not
    answer in time.
    """

    def route(
        self, origin: Point, destination: Point, options: RouteOptions, units: Units = Units.METRIC
    ) -> Route | None:
        """Return the way from one position to another, without steps; None when there is none.

        It is the way that `directions` show. Lengths are rounded in `units`, as theirs are.
        """
        ...

    def stretches(self, origin: Point, destination: Point, options: RouteOptions) -> tuple[Stretch, ...] | None:
        """Return the way that `route` finds as its stretches, which take as long as it does; None when there is none.

        Each begins where the one before ends.
        """
        ...

    def matrix(self, origins: Sequence[Point], destinations: Sequence[Point], options: RouteOptions) -> Matrix:
        """Return the ways from each origin to each destination."""
        ...

    def directions(self, locations: Sequence[Point], directions: Directions) -> tuple[Route, ...]:
        """Return the way through the locations in their order, with steps; then alternatives. Empty: no way."""
        ...

    def optimize(self, locations: Sequence[Point], options: RouteOptions) -> OptimizedRoute:
        """Return the quickest way through the locations; raises `InvalidParameter` naming one that is unreachable."""
        ...

    def match(self, path: Sequence[Fixed], mode: TravelMode) -> Match:
        """Return the roads that a recorded path followed; raises `InvalidParameter` ``path`` when it followed none."""
        ...

    def isochrones(
        self, center: Point, minutes: Sequence[float], mode: TravelMode, param: str = "coordinates"
    ) -> Isochrones:
        """Return for each number of minutes from within which rings `center` is reached."""
        ...

    def close(self) -> None:
        """Let go of threads, memory and connections; what still runs gets a moment to end."""
        ...
