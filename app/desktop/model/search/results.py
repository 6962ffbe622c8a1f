"""Search results in groups, and the question they answer."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from app.desktop.language import tr, translated
from app.desktop.model.words import metres
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.geo.earth import distance_m


class Kind(StrEnum):
    """The type of a search result."""

    POSITION = "position"
    FENCE = "fence"
    HOUSE = "house"
    STREET = "street"
    LOCALITY = "locality"
    POSTAL_CODE = "postal code"
    COUNTY = "county"
    STATE = "state"
    COUNTRY = "country"
    PLACE = "place"


_ZOOMS: Final = {
    Kind.POSITION: 16.0,
    Kind.HOUSE: 17.0,
    Kind.STREET: 16.0,
    Kind.POSTAL_CODE: 13.0,
    Kind.LOCALITY: 13.0,
    Kind.COUNTY: 9.0,
    Kind.STATE: 7.0,
    Kind.COUNTRY: 5.0,
    Kind.PLACE: 17.0,
}
_LARGE: Final = frozenset({Kind.COUNTY, Kind.STATE, Kind.COUNTRY})

LATITUDE_FIRST: Final = tr("Latitude, longitude")
"""Description of a position entered as numbers."""


class SearchResult(Struct, frozen=True, kw_only=True):
    """A search result. `fence_id` is the ID of a geofence, `place_id` that of a place.

    `street` is the street of a house whose number is unknown. The position is approximate then.
    """

    kind: Kind
    title: str
    detail: str = ""
    point: Point
    distance_m: float | None = None
    fence_id: str | None = None
    place_id: str | None = None
    street: str | None = None

    @property
    def name(self) -> str:
        """Name of a geofence created from it, or "" for a bare position."""
        return "" if self.kind is Kind.POSITION else self.street or self.title

    @property
    def zoom(self) -> float:
        """Zoom level at which it roughly fills the map."""
        return _ZOOMS.get(self.kind, 16.0)

    @property
    def is_large(self) -> bool:
        """Whether it is too large for a circle around its centre to be useful."""
        return self.kind in _LARGE

    @property
    def words(self) -> str:
        """All visible information in one line, for screen readers."""
        distance = distance_text(self.distance_m) if self.distance_m is not None else ""
        kind = translated(self.kind.capitalize()) if self.kind is not Kind.FENCE else tr("Geofence")
        return ", ".join(part for part in (self.title, self.detail, kind, distance) if part)


def distance_text(distance: float) -> str:
    """Return a distance in metres with useful precision: in tens of metres if near, in whole kilometres if far."""
    if distance < 950:
        return metres(round(distance, -1 if distance >= 100 else 0))
    return (
        tr("{kilometres:.1f} km", kilometres=distance / 1000)
        if distance < 20_000
        else tr("{kilometres:.0f} km", kilometres=distance / 1000)
    )


class Group(Struct, frozen=True):
    """Results of one type; `more` is the number of further results, and `sure` is whether no other type is better."""

    title: str
    found: tuple[SearchResult, ...]
    more: int = 0
    sure: bool = True


NO_GROUP: Final = Group("", ())


class Question(Struct, frozen=True):
    """The typed text and the centre of the map, or None if the map shows half the world."""

    text: str
    near: Point | None = None


def measured(found: SearchResult, near: Point | None) -> SearchResult:
    """Return a result with its distance from a position, or without a distance if there is no position."""
    if near is None:
        return replace(found, distance_m=None)
    there = found.point
    return replace(found, distance_m=distance_m(near.longitude, near.latitude, there.longitude, there.latitude))
