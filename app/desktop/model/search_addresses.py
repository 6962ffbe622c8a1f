"""Addresses and places from the geocoder, in the order in which they answer what was typed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from app.desktop.model.found import Found, Group, Kind, Question, measured
from app.desktop.model.search_words import Match, match, split
from app.desktop.model.words import metres, position
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
from engine.domain.geometry import Point
from engine.domain.taxonomy import PATHS
from engine.geo.earth import distance_m

ADDRESSES_SHOWN: Final = 5
PLACES_SHOWN: Final = 4
_PRECISE: Final = frozenset({Kind.HOUSE, Kind.STREET, Kind.PLACE})
_TOWNS: Final = frozenset({Kind.LOCALITY, Kind.COUNTY, Kind.STATE, Kind.COUNTRY})
_ELSEWHERE_M: Final = 10_000.0
_KINDS: Final = {
    Layer.PLACE: Kind.PLACE,
    Layer.POSTAL_CODE: Kind.POSTAL_CODE,
    Layer.LOCALITY: Kind.LOCALITY,
    Layer.COUNTY: Kind.COUNTY,
    Layer.STATE: Kind.STATE,
    Layer.COUNTRY: Kind.COUNTRY,
}


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
    found, visited = _found_all(addresses, near), _by_name(text, _found_all(places, near))
    groups = [Group("Addresses", found), Group("Places", visited)]
    if found and visited and _is_better(text, visited[0], found[0]):
        groups.reverse()
    return tuple(group for group in groups if group.found)


def _by_name(text: str, places: tuple[Found, ...]) -> tuple[Found, ...]:
    """Put those with the very name before others, which the geocoder has in their order."""
    return tuple(sorted(places, key=lambda each: match(text, each.title, each.detail) is not Match.NAME))


def _is_better(text: str, place: Found, address: Found) -> bool:
    """Whether a place answers a text better than an address: by how well it says it, then by how near it is."""
    near = _is_next_door(place, address)
    if near and "-".join(split(text)) in PATHS:
        # Who types a category looks for the next of them, not for a town of that name.
        return True
    of_place, of_address = (match(text, each.title, each.detail) for each in (place, address))
    if of_place is of_address:
        return near and not (of_address is Match.NAME and address.kind in _TOWNS)
    return of_place < of_address


def _is_next_door(place: Found, address: Found) -> bool:
    """Whether the one is where the map looks and the other is somewhere else altogether."""
    if place.distance_m is None or address.distance_m is None:
        return False
    return address.distance_m > _ELSEWHERE_M and place.distance_m < address.distance_m / 4


def _found_all(addresses: Iterable[Address], near: Point | None) -> tuple[Found, ...]:
    found = (measured(found_address(address), near) for address in addresses)
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
