"""Search results, in groups, and their question."""

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
    """The kind of a search result."""

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
"""The description of a position that is shown by its numbers."""


class SearchResult(Struct, frozen=True, kw_only=True):
    """One thing that was found; of a geofence `fence_id` is its ID, of a place `place_id`.

    `street` is that of a house whose number is not known: it is somewhere about there.
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
        """The name of a geofence made of it; empty for a mere position."""
        return "" if self.kind is Kind.POSITION else self.street or self.title

    @property
    def zoom(self) -> float:
        """The zoom at which as much of the map is seen as it covers, roughly."""
        return _ZOOMS.get(self.kind, 16.0)

    @property
    def is_large(self) -> bool:
        """Whether it is so large that a circle around its middle says nothing of it."""
        return self.kind in _LARGE

    @property
    def words(self) -> str:
        """Everything that is shown of it, as one line for those who do not see it."""
        distance = distance_text(self.distance_m) if self.distance_m is not None else ""
        kind = translated(self.kind.capitalize()) if self.kind is not Kind.FENCE else tr("Geofence")
        return ", ".join(part for part in (self.title, self.detail, kind, distance) if part)


def distance_text(distance: float) -> str:
    """Return a distance in metres as exact as it is of use: by tens of metres near, by whole kilometres far."""
    if distance < 950:
        return metres(round(distance, -1 if distance >= 100 else 0))
    return (
        tr("{distance:.1f} km", distance=distance / 1000)
        if distance < 20_000
        else tr("{distance:.0f} km", distance=distance / 1000)
    )


class Group(Struct, frozen=True):
    """Things of one kind; `more` is how many others there are, `sure` whether no other kind is better."""

    title: str
    found: tuple[SearchResult, ...]
    more: int = 0
    sure: bool = True


NO_GROUP: Final = Group("", ())


class Question(Struct, frozen=True):
    """The typed text, and where the map looks: None where it looks at half the world."""

    text: str
    near: Point | None = None


def measured(found: SearchResult, near: Point | None) -> SearchResult:
    """Return it with how far it is from a position, without where there is none."""
    if near is None:
        return replace(found, distance_m=None)
    there = found.point
    return replace(found, distance_m=distance_m(near.longitude, near.latitude, there.longitude, there.latitude))
