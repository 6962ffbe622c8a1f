"""Routes: what is asked of a router and what it answers. Metres, seconds, longitude before latitude."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from engine.domain.geometry import Point, Position, Ring


class TravelMode(StrEnum):
    """How somebody travels."""

    CAR = "car"
    TRUCK = "truck"
    FOOT = "foot"
    BIKE = "bike"
    MOTORBIKE = "motorbike"


class Avoid(StrEnum):
    """What a route keeps away from: where there is another way at all, strictly."""

    TOLLS = "tolls"
    HIGHWAYS = "highways"
    FERRIES = "ferries"
    BORDER_CROSSINGS = "borderCrossings"


class RoadAttribute(StrEnum):
    """What a match may tell of the roads."""

    SPEED_LIMIT = "speedLimit"
    NAMES = "names"
    ROAD_CLASS = "roadClass"


type Line = tuple[Position, ...]
"""Positions along a way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteOptions:
    """What every request has. `departure` is used as far as the data allows."""

    mode: TravelMode = TravelMode.CAR
    avoid: frozenset[Avoid] = frozenset()
    departure: datetime | None = None


@dataclass(frozen=True, slots=True)
class Travel:
    """How far and how long."""

    distance_m: float
    duration_s: float


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction and the way up to the next. Bearings in degrees from north, clockwise."""

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


@dataclass(frozen=True, slots=True)
class Leg:
    """From one location to the next; `start` and `end` are where the roads are met."""

    start: Point
    end: Point
    travel: Travel
    line: Line
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """A whole way."""

    travel: Travel
    line: Line
    legs: tuple[Leg, ...]


@dataclass(frozen=True, slots=True)
class Directions:
    """What is asked for besides the locations. `heading` is the direction of travel at the first one."""

    options: RouteOptions
    language: str = "en"
    heading: float | None = None
    alternatives: bool = False


@dataclass(frozen=True, slots=True)
class OptimizedLeg:
    """A leg of an optimized route, with the indexes of its ends among the locations as they were given."""

    leg: Leg
    start_index: int
    end_index: int


@dataclass(frozen=True, slots=True)
class OptimizedRoute:
    """The shortest way through all locations; the first and the last stay where they are."""

    travel: Travel
    legs: tuple[OptimizedLeg, ...]


@dataclass(frozen=True, slots=True)
class Fixed:
    """One recorded position of a path to match."""

    point: Point
    at: datetime | None = None
    accuracy_m: float | None = None


@dataclass(frozen=True, slots=True)
class MatchedPoint:
    """A position on the roads; `original_index` tells which recorded one it belongs to, if to one."""

    point: Point
    original_index: int | None = None


@dataclass(frozen=True, slots=True)
class MatchedRoad:
    """A stretch of one road; `speed_limit_mps` is None where it is unknown."""

    start: Point
    end: Point
    road_class: str
    names: tuple[str, ...]
    speed_limit_mps: float | None
    original_index: int | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """The roads likely traveled."""

    points: tuple[MatchedPoint, ...]
    roads: tuple[MatchedRoad, ...]
    line: Line
    distance_m: float


class Router(Protocol):
    """Finds ways. Methods block and may be called from any thread.

    They raise `InvalidParameter` naming `param` (or ``locations``, ``path`` …) for a position without data, and
    `RoutingUnavailable` when the router does not answer in time.
    """

    def route(self, origin: Point, destination: Point, options: RouteOptions) -> Route | None:
        """Return the way from one position to another, without steps; None when there is none."""
        ...

    def matrix(
        self, origins: Sequence[Point], destinations: Sequence[Point], options: RouteOptions
    ) -> tuple[tuple[Travel | None, ...], ...]:
        """Return a row for each origin with a cell for each destination; None where there is no way."""
        ...

    def directions(self, locations: Sequence[Point], directions: Directions) -> tuple[Route, ...]:
        """Return the way through the locations in their order, with steps; then alternatives. Empty: no way."""
        ...

    def optimize(self, locations: Sequence[Point], options: RouteOptions) -> OptimizedRoute:
        """Return the shortest way through the locations; raises `InvalidParameter` naming one that is unreachable."""
        ...

    def match(self, path: Sequence[Fixed], mode: TravelMode) -> Match:
        """Return the roads that a recorded path followed."""
        ...

    def isochrones(self, center: Point, minutes: Sequence[float], mode: TravelMode) -> tuple[tuple[Ring, ...], ...]:
        """Return for each number of minutes the outer rings of the area from which `center` is reached in time."""
        ...
