"""Addresses and places from the geocoder, ordered by how well they match the typed text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from app.desktop.language import tr, translated
from app.desktop.language.catalogue import language
from app.desktop.model.search.results import Group, Kind, Question, SearchResult, measured
from app.desktop.model.search.words import Match, fold, match, split, words_of
from app.desktop.model.words import metres, position
from engine.domain.addresses.address import (
    COARSE,
    Address,
    AddressLanguage,
    AutocompleteQuery,
    ForwardQuery,
    Geocoder,
    Layer,
    MatchConfidence,
    ReverseQuery,
)
from engine.domain.addresses.taxonomy import PATHS
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.geo.earth import distance_m

ADDRESSES_SHOWN: Final = 5
PLACES_SHOWN: Final = 4
_HOUSES_CHECKED: Final = 2
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


def _language() -> AddressLanguage:
    """Return the window's language if the geocoder supports it, else English."""
    known = {each.value: each for each in AddressLanguage}
    return known.get(language(), AddressLanguage.ENGLISH)


def find_addresses(geocoder: Geocoder, question: Question) -> tuple[Group, ...]:
    """Return the groups of addresses and places, better group first; raises `GeocodingUnavailable`."""
    text, near = question.text, question.near
    layers = COARSE | {Layer.ADDRESS}
    ask = AutocompleteQuery(text=text, near=near, layers=layers, limit=ADDRESSES_SHOWN, language=_language())
    addresses = geocoder.autocomplete(ask)
    places = geocoder.autocomplete(replace(ask, layers=frozenset({Layer.PLACE}), limit=PLACES_SHOWN))
    if not addresses and not places:
        # A pasted text may be found as a whole even if autocompletion finds nothing.
        query = ForwardQuery(text=text, layers=layers, limit=ADDRESSES_SHOWN, language=_language())
        whole = geocoder.forward(query)
        addresses = tuple(each for each in whole if each.confidence is not MatchConfidence.FALLBACK)
    found = _found_all(_without_invented(geocoder, text, addresses), near)
    if any(_is_only_a_number(text, each) for each in found) and not _is_read(geocoder, text):
        found = tuple(each for each in found if not _is_only_a_number(text, each))
    visited = _by_name(text, _found_all(map(found_address, places), near))
    if found and match(text, found[0].title, found[0].detail) <= Match.WHOLE:
        visited = tuple(each for each in visited if not _is_only_a_number(text, each))
    groups = [Group(tr("Addresses"), found), Group(tr("Places"), visited)]
    if found and visited and _is_better(text, visited[0], found[0]):
        groups.reverse()
    return tuple(group for group in groups if group.found)


def _without_invented(geocoder: Geocoder, text: str, addresses: Iterable[Address]) -> tuple[SearchResult, ...]:
    """Return addresses as results, marking houses whose typed number is unknown as approximate.

    Only the street of such a house is reliable. Autocompletion interpolates house numbers silently; forward geocoding
    of the whole address reports it.
    """
    typed, checked = split(text), 0
    found: list[SearchResult] = []
    for address in addresses:
        one = found_address(address)
        if one.kind is Kind.HOUSE and fold(address.number or "") in typed and checked < _HOUSES_CHECKED:
            checked += 1
            whole = geocoder.forward(ForwardQuery(text=address.formatted, layers=frozenset({Layer.ADDRESS}), limit=1))
            if whole and whole[0].confidence is MatchConfidence.INTERPOLATED:
                one = replace(one, street=address.street, detail=tr("Approximate · {location}", location=one.detail))
        found.append(one)
    return tuple(found)


def _is_only_a_number(text: str, found: SearchResult) -> bool:
    """Return whether a result matches only a number of the text, though the text has other words."""
    found_words = words_of(f"{found.title} {found.detail}")
    numbers = [word for word in split(text) if word.isdecimal()]
    others = [word for word in split(text) if not word.isdecimal()]
    has_number = any(each.startswith(number) for number in numbers for each in found_words)
    return has_number and bool(others) and not any(each.startswith(word) for word in others for each in found_words)


def _is_read(geocoder: Geocoder, text: str) -> bool:
    """Return whether forward geocoding finds a match for the whole text, by its name in any language."""
    whole = geocoder.forward(ForwardQuery(text=text, layers=COARSE | {Layer.ADDRESS}, limit=1))
    return any(each.confidence is not MatchConfidence.FALLBACK for each in whole)


def _is_short_for(text: str, title: str) -> bool:
    """Return whether a text is an abbreviation of a name: ``NYU`` for New York University."""
    words = fold(title).split()
    return len(words) > 1 and fold(text.strip()) == "".join(word[0] for word in words)


def _by_name(text: str, places: tuple[SearchResult, ...]) -> tuple[SearchResult, ...]:
    """Move exact name matches to the front, and otherwise keep the geocoder's order."""
    return tuple(sorted(places, key=lambda each: match(text, each.title, each.detail) is not Match.NAME))


def _is_better(text: str, place: SearchResult, address: SearchResult) -> bool:
    """Return whether a place is a better result than an address: first by how well it matches, then by distance."""
    near = _is_next_door(place, address)
    if near and "-".join(split(text)) in PATHS:
        # Users who type a category want the nearest place of that kind rather than a town of that name.
        return True
    of_place, of_address = (match(text, each.title, each.detail) for each in (place, address))
    if of_place is of_address is Match.NOT:
        # The town's name may be in another language.
        return near and _is_short_for(text, place.title)
    if of_place is of_address:
        return near and not (of_address is Match.NAME and address.kind in _TOWNS)
    return of_place < of_address


def _is_next_door(place: SearchResult, address: SearchResult) -> bool:
    """Return whether the place is close to the map's centre and the address is far away."""
    if place.distance_m is None or address.distance_m is None:
        return False
    return address.distance_m > _ELSEWHERE_M and place.distance_m < address.distance_m / 4


def _found_all(found: Iterable[SearchResult], near: Point | None) -> tuple[SearchResult, ...]:
    found = (measured(each, near) for each in found)
    return tuple({(each.title, each.detail, each.kind): each for each in found}.values())


def found_address(address: Address) -> SearchResult:
    """Return an address or a place as a search result."""
    kind = _KINDS.get(address.layer) or (Kind.HOUSE if address.number else Kind.STREET)
    title = (address.place_label if kind is Kind.PLACE else address.label) or address.label or address.formatted
    detail = _location_text(address, title) or translated(kind.capitalize())
    return SearchResult(kind=kind, title=title, detail=detail, point=address.point, place_id=address.place_id)


def with_category(found: SearchResult, categories: Sequence[str]) -> SearchResult:
    """Return a place with the name of its most specific category, unless the title contains it."""
    if not categories:
        return found
    category = categories[-1].replace("-", " ").capitalize()
    in_title = fold(category) in fold(found.title)
    return found if in_title else replace(found, detail=f"{category} · {found.detail}" if found.detail else category)


def _location_text(address: Address, title: str) -> str:
    """Return the location of an address without repeating the title."""
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


def found_here(geocoder: Geocoder, point: Point) -> SearchResult:
    """Return the nearest address at a position, else the area that contains it; raises `GeocodingUnavailable`.

    The result has the position that the user clicked rather than that of the address.
    """
    near = geocoder.reverse(ReverseQuery(point=point, layers=COARSE | {Layer.ADDRESS}, limit=1, language=_language()))
    if not near:
        return SearchResult(kind=Kind.POSITION, title=position(point), detail=tr("No address found here."), point=point)
    found = found_address(near[0])
    away = distance_m(point.longitude, point.latitude, found.point.longitude, found.point.latitude)
    detail = (
        tr("{location} · {distance} away", location=found.detail, distance=metres(round(away)))
        if found.kind in _PRECISE and away >= 1
        else found.detail
    )
    return replace(found, detail=detail, point=point)
