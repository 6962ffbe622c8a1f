"""What the search box finds: coordinates, geofences, addresses and places, in groups."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from heapq import nsmallest
from typing import Final, NamedTuple

from app.desktop.model.places import typed_position
from app.desktop.model.words import fence_name, metres, position, shape_text
from engine.domain.address import (
    COARSE,
    Address,
    AutocompleteQuery,
    ForwardQuery,
    Geocoder,
    Layer,
    MatchConfidence,
    ReverseQuery,
)
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, Geometry, Isochrone, Point
from engine.geo.bounds import bounds_of_ring
from engine.geo.earth import distance_m

FENCES_SHOWN: Final = 4
ADDRESSES_SHOWN: Final = 5
PLACES_SHOWN: Final = 4


class Kind(StrEnum):
    """What something that was found is."""

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
_PRECISE: Final = frozenset({Kind.HOUSE, Kind.STREET, Kind.PLACE})
_KINDS: Final = {
    Layer.PLACE: Kind.PLACE,
    Layer.POSTAL_CODE: Kind.POSTAL_CODE,
    Layer.LOCALITY: Kind.LOCALITY,
    Layer.COUNTY: Kind.COUNTY,
    Layer.STATE: Kind.STATE,
    Layer.COUNTRY: Kind.COUNTRY,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One thing that was found; of a geofence `fence_id` is its ID, of a place `place_id`."""

    kind: Kind
    title: str
    detail: str = ""
    point: Point
    distance_m: float | None = None
    fence_id: str | None = None
    place_id: str | None = None

    @property
    def zoom(self) -> float:
        """The zoom at which as much of the map is seen as it covers, roughly."""
        return _ZOOMS.get(self.kind, 16.0)

    @property
    def words(self) -> str:
        """Everything that is shown of it, as one line for those who do not see it."""
        distance = distance_text(self.distance_m) if self.distance_m is not None else ""
        kind = self.kind.capitalize() if self.kind is not Kind.FENCE else "Geofence"
        return ", ".join(part for part in (self.title, self.detail, kind, distance) if part)


def distance_text(distance: float) -> str:
    """Return a distance in metres as exact as it is of use: by tens of metres near, by whole kilometres far."""
    if distance < 950:
        return metres(round(distance, -1 if distance >= 100 else 0))
    return f"{distance / 1000:.1f} km" if distance < 20_000 else f"{distance / 1000:,.0f} km"


@dataclass(frozen=True, slots=True)
class Group:
    """Things of one kind; `more` is how many others there are."""

    title: str
    found: tuple[Found, ...]
    more: int = 0


NO_GROUP: Final = Group("", ())


@dataclass(frozen=True, slots=True)
class Question:
    """What was typed, and where the map looks: None where it looks at half the world."""

    text: str
    near: Point | None = None


# Words, and where they are in a text


def _fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    return "".join(each for each in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(each))


def _split(text: str) -> tuple[str, ...]:
    """Return the folded words of what was typed."""
    return tuple(_fold(text.replace(",", " ").replace(";", " ")).split())


def marked(text: str, typed: str) -> tuple[tuple[int, int], ...]:
    """Return the parts (begin, end) of a text that are what was typed, for showing them in bold."""
    folded, origins = [], []
    for at, each in enumerate(text):
        for part in _fold(each):
            folded.append(part)
            origins.append(at)
    whole = "".join(folded)
    hits = set()
    for word in _split(typed):
        at = _place_of(word, whole)
        if at >= 0:
            hits.update(origins[at : at + len(word)])
    return _runs(sorted(hits))


def _place_of(word: str, text: str) -> int:
    """Return where a word begins, best at the beginning of one; a single letter only there. -1 where it does not."""
    at = text.find(word)
    while at > 0 and text[at - 1].isalnum():
        at = text.find(word, at + 1)
    return at if at >= 0 or len(word) < 2 else text.find(word)


def _runs(numbers: Iterable[int]) -> tuple[tuple[int, int], ...]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number:
            runs[-1] = runs[-1][0], number + 1
        else:
            runs.append((number, number + 1))
    return tuple(runs)


# Coordinates


def find_position(question: Question) -> tuple[Group, str]:
    """Return the position that was typed, and what is wrong with one that is none."""
    typed = typed_position(question.text)
    if typed is None:
        return NO_GROUP, ""
    point = typed.point or typed.swapped
    if point is None:
        return NO_GROUP, typed.hint
    detail = "Latitude, longitude" if typed.point else "If the longitude was typed first"
    found = Found(kind=Kind.POSITION, title=position(point), detail=detail, point=point)
    return Group("Coordinates", (_measured(found, question.near),)), typed.hint


def _measured(found: Found, near: Point | None) -> Found:
    if near is None:
        return found
    there = found.point
    return replace(found, distance_m=distance_m(near.longitude, near.latitude, there.longitude, there.latitude))


# Geofences


class _Prepared(NamedTuple):
    """A geofence with its words, folded once, and its middle."""

    text: str
    keys: tuple[str, ...]
    center: Point
    fence: Geofence


class FenceFinder:
    """Finds geofences by words of their description, tag, IDs and metadata. To be used in one thread at a time."""

    def __init__(self) -> None:
        self._of: Sequence[Geofence] = ()
        self._known: dict[str, _Prepared] = {}

    def find(self, fences: Sequence[Geofence], question: Question, limit: int = FENCES_SHOWN) -> Group:
        """Return the best of those that hold every word, near ones before others that are as good."""
        words, typed = _split(question.text), _fold(question.text.strip())
        if not words:
            return NO_GROUP
        self._prepare(fences)
        hits = list(self._known.values())
        for word in words:
            hits = [each for each in hits if word in each.text]
        best = nsmallest(limit, hits, key=lambda each: _rank(each, typed, words, question.near))
        found = tuple(_found_fence(each, question) for each in best)
        return Group("Geofences", found, len(hits) - len(found)) if found else NO_GROUP

    def _prepare(self, fences: Sequence[Geofence]) -> None:
        if fences is self._of:
            return
        known = self._known
        self._of, self._known = fences, {}
        for fence in fences:
            old = known.get(fence.id)
            self._known[fence.id] = old if old is not None and old.fence is fence else _prepare(fence)


def _prepare(fence: Geofence) -> _Prepared:
    values = " ".join(f"{key} {value}" for key, value in fence.metadata.items())
    text = _fold(f"{fence.description} {fence.tag} {fence.external_id} {fence.id} {values}")
    keys = _fold(fence.description), _fold(fence.external_id), _fold(fence.id)
    return _Prepared(text, keys, center_of(fence.geometry), fence)


def _rank(each: _Prepared, typed: str, words: tuple[str, ...], near: Point | None) -> tuple[int, float, str, str]:
    """Best is the very name; then what begins with it; then where each word begins one."""
    text = each.text
    if typed in each.keys:
        level = 0
    elif text.startswith(typed):
        level = 1
    elif all(text.startswith(word) or f" {word}" in text for word in words):
        level = 2
    else:
        level = 3
    there = each.center
    off = (there.longitude - near.longitude) ** 2 + (there.latitude - near.latitude) ** 2 if near else 0.0
    return level, off, each.keys[0], each.keys[2]


def center_of(geometry: Geometry) -> Point:
    """Return the middle of a geofence: of an isochrone its destination, of a polygon the middle of its box."""
    if isinstance(geometry, Circle | Isochrone):
        return geometry.center
    west, south, east, north = bounds_of_ring(geometry.ring)
    return Point((west + east) / 2, (south + north) / 2)


def _found_fence(each: _Prepared, question: Question) -> Found:
    fence = each.fence
    title = fence_name(fence)
    detail = f"{fence.tag} / {fence.external_id} · {shape_text(fence)}"
    shown = _fold(f"{title} {detail}")
    for key, value in fence.metadata.items():
        # What is seen nowhere else says why it was found.
        if any(word in _fold(f"{key} {value}") and word not in shown for word in _split(question.text)):
            detail = f"{detail} · {key}: {value}"
    found = Found(kind=Kind.FENCE, title=title, detail=detail, point=each.center, fence_id=fence.id)
    return _measured(found, question.near)


# Addresses and places


def find_addresses(geocoder: Geocoder, question: Question) -> tuple[Group, ...]:
    """Return the groups of addresses and of places, the better one first; raises `GeocodingUnavailable`."""
    text, near = question.text, question.near
    layers = COARSE | {Layer.ADDRESS}
    ask = AutocompleteQuery(text=text, near=near, layers=layers, limit=ADDRESSES_SHOWN)
    addresses = geocoder.autocomplete(ask)
    places = geocoder.autocomplete(replace(ask, layers=frozenset({Layer.PLACE}), limit=PLACES_SHOWN))
    if not addresses and not places:
        # What is pasted as a whole may be read where its beginning may not.
        whole = geocoder.forward(ForwardQuery(text=text, layers=layers, limit=ADDRESSES_SHOWN))
        addresses = tuple(each for each in whole if each.confidence is not MatchConfidence.FALLBACK)
    groups = [Group("Addresses", _found_all(addresses, near)), Group("Places", _found_all(places, near))]
    # Stable: addresses stay first unless only the best place is what was typed, and not something that resembles it.
    groups.sort(key=lambda group: not (group.found and _says_all(group.found[0], text)))
    return tuple(group for group in groups if group.found)


def _says_all(found: Found, text: str) -> bool:
    shown = _fold(f"{found.title} {found.detail}")
    return all(word in shown for word in _split(text))


def _found_all(addresses: Iterable[Address], near: Point | None) -> tuple[Found, ...]:
    found = (_measured(found_address(address), near) for address in addresses)
    return tuple({(each.title, each.detail, each.kind): each for each in found}.values())


def found_address(address: Address) -> Found:
    """Return an address, or a place, as something that was found."""
    kind = _KINDS.get(address.layer) or (Kind.HOUSE if address.number else Kind.STREET)
    title = (address.place_label if kind is Kind.PLACE else address.label) or address.label or address.formatted
    detail = _where(address, title) or kind.capitalize()
    return Found(kind=kind, title=title, detail=detail, point=address.point, place_id=address.place_id)


def _where(address: Address, title: str) -> str:
    """Return where something is, without saying its name again."""
    country = address.country or address.country_code or ""
    if address.layer in COARSE:
        town = address.city if address.layer is Layer.POSTAL_CODE else None
        return ", ".join(dict.fromkeys(part for part in (town, address.state, country) if part and part != title))
    rest = address.formatted.removeprefix(title).removeprefix(address.label or "").lstrip(" ,")
    code = address.country_code or ""
    if address.country and code and rest.endswith(code):
        rest = rest.removesuffix(code).rstrip(" ,")
        return f"{rest}, {country}" if rest else country
    return rest


def found_here(geocoder: Geocoder, point: Point) -> Found:
    """Return what is at a position: the nearest address, else what it lies in; raises `GeocodingUnavailable`.

    It keeps the position itself: what is asked about is where the user pointed.
    """
    near = geocoder.reverse(ReverseQuery(point=point, layers=COARSE | {Layer.ADDRESS}, limit=1))
    if not near:
        return Found(kind=Kind.POSITION, title=position(point), detail="No address is known here.", point=point)
    found = found_address(near[0])
    away = distance_m(point.longitude, point.latitude, found.point.longitude, found.point.latitude)
    detail = f"{found.detail} · {metres(round(away))} away" if found.kind in _PRECISE and away >= 1 else found.detail
    return replace(found, detail=detail, point=point)


# Everything together


@dataclass(slots=True)
class Search:
    """One question and what has been answered so far; `areas` are the names of those that were searched."""

    question: Question
    position: Group = NO_GROUP
    hint: str = ""
    fences: Group | None = None
    addresses: tuple[Group, ...] | None = None
    areas: tuple[str, ...] = ()
    unavailable: bool = False

    @classmethod
    def of(cls, question: Question) -> Search:
        """Return a question with what can be answered at once."""
        group, hint = find_position(question)
        return cls(question, group, hint)

    @property
    def groups(self) -> tuple[Group, ...]:
        """What has been found, in the order it is shown."""
        all_groups = (self.position, self.fences or NO_GROUP, *(self.addresses or ()))
        return tuple(group for group in all_groups if group.found)

    @property
    def first(self) -> Found | None:
        """What Enter goes to."""
        return self.groups[0].found[0] if self.groups else None

    @property
    def complete(self) -> bool:
        """Whether everybody has answered."""
        return self.fences is not None and self.addresses is not None

    @property
    def note(self) -> str:
        """What there is to say below what was found."""
        notes = [self.hint] if self.hint else []
        if self.complete and not self.groups and not self.hint:
            notes.append(f"Nothing found for “{self.question.text}”.")
            notes += [] if self.unavailable else [_searched(self.areas)]
        if self.unavailable:
            notes.append("Addresses and places cannot be searched just now.")
        elif not self.complete and not self.groups:
            notes.append("Searching…")
        return "\n".join(notes)


def _searched(areas: Sequence[str]) -> str:
    if not areas:
        return "No area is in use: of the world only countries, states and larger localities are known."
    return f"Streets and places are known in the areas in use: {', '.join(areas)}."
