"""Addresses and places from the geocoder, in the order in which they answer what was typed."""

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
    """Return the language of names: that of the window, where they are given in it."""
    known = {each.value: each for each in AddressLanguage}
    return known.get(language(), AddressLanguage.ENGLISH)


def find_addresses(geocoder: Geocoder, question: Question) -> tuple[Group, ...]:
    """Return the groups of addresses and of places, the better one first; raises `GeocodingUnavailable`."""
    text, near = question.text, question.near
    layers = COARSE | {Layer.ADDRESS}
    ask = AutocompleteQuery(text=text, near=near, layers=layers, limit=ADDRESSES_SHOWN, language=_language())
    addresses = geocoder.autocomplete(ask)
    places = geocoder.autocomplete(replace(ask, layers=frozenset({Layer.PLACE}), limit=PLACES_SHOWN))
    if not addresses and not places:
        # What is pasted as a whole may be read where its beginning may not.
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
    """Return addresses as what was found; of houses whose number was typed but is not known with the street only.

    Who completes a text places a number between others without saying so; who reads a whole address says it.
    """
    typed, asked = split(text), 0
    found: list[SearchResult] = []
    for address in addresses:
        one = found_address(address)
        if one.kind is Kind.HOUSE and fold(address.number or "") in typed and asked < _HOUSES_CHECKED:
            asked += 1
            whole = geocoder.forward(ForwardQuery(text=address.formatted, layers=frozenset({Layer.ADDRESS}), limit=1))
            if whole and whole[0].confidence is MatchConfidence.INTERPOLATED:
                one = replace(one, street=address.street, detail=tr("Approximate · {detail}", detail=one.detail))
        found.append(one)
    return tuple(found)


def _is_only_a_number(text: str, found: SearchResult) -> bool:
    """Whether something has nothing of what was typed but a number, though more than a number was typed."""
    said = words_of(f"{found.title} {found.detail}")
    numbers = [word for word in split(text) if word.isdecimal()]
    others = [word for word in split(text) if not word.isdecimal()]
    has_number = any(each.startswith(number) for number in numbers for each in said)
    return has_number and bool(others) and not any(each.startswith(word) for word in others for each in said)


def _is_read(geocoder: Geocoder, text: str) -> bool:
    """Whether who reads a text as a whole takes it for something, by its name in whatever language."""
    whole = geocoder.forward(ForwardQuery(text=text, layers=COARSE | {Layer.ADDRESS}, limit=1))
    return any(each.confidence is not MatchConfidence.FALLBACK for each in whole)


def _is_short_for(text: str, title: str) -> bool:
    """Whether a text is the first letters of a name: ``NYU`` of New York University."""
    words = fold(title).split()
    return len(words) > 1 and fold(text.strip()) == "".join(word[0] for word in words)


def _by_name(text: str, places: tuple[SearchResult, ...]) -> tuple[SearchResult, ...]:
    """Put those with the very name before others, which the geocoder has in their order."""
    return tuple(sorted(places, key=lambda each: match(text, each.title, each.detail) is not Match.NAME))


def _is_better(text: str, place: SearchResult, address: SearchResult) -> bool:
    """Whether a place answers a text better than an address: by how well it says it, then by how near it is."""
    near = _is_next_door(place, address)
    if near and "-".join(split(text)) in PATHS:
        # Who types a category looks for the next of them, not for a town of that name.
        return True
    of_place, of_address = (match(text, each.title, each.detail) for each in (place, address))
    if of_place is of_address is Match.NOT:
        # The town may be said in another language.
        return near and _is_short_for(text, place.title)
    if of_place is of_address:
        return near and not (of_address is Match.NAME and address.kind in _TOWNS)
    return of_place < of_address


def _is_next_door(place: SearchResult, address: SearchResult) -> bool:
    """Whether the one is where the map looks and the other is somewhere else altogether."""
    if place.distance_m is None or address.distance_m is None:
        return False
    return address.distance_m > _ELSEWHERE_M and place.distance_m < address.distance_m / 4


def _found_all(found: Iterable[SearchResult], near: Point | None) -> tuple[SearchResult, ...]:
    found = (measured(each, near) for each in found)
    return tuple({(each.title, each.detail, each.kind): each for each in found}.values())


def found_address(address: Address) -> SearchResult:
    """Return an address, or a place, as something that was found."""
    kind = _KINDS.get(address.layer) or (Kind.HOUSE if address.number else Kind.STREET)
    title = (address.place_label if kind is Kind.PLACE else address.label) or address.label or address.formatted
    detail = _where(address, title) or translated(kind.capitalize())
    return SearchResult(kind=kind, title=title, detail=detail, point=address.point, place_id=address.place_id)


def with_category(found: SearchResult, categories: Sequence[str]) -> SearchResult:
    """Return a place with what it is, in the words of the most specific of its categories."""
    if not categories:
        return found
    what = categories[-1].replace("-", " ").capitalize()
    said = fold(what) in fold(found.title)
    return found if said else replace(found, detail=f"{what} · {found.detail}" if found.detail else what)


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


def found_here(geocoder: Geocoder, point: Point) -> SearchResult:
    """Return what is at a position: the nearest address, else what it lies in; raises `GeocodingUnavailable`.

    It keeps the position itself: what is asked about is where the user pointed.
    """
    near = geocoder.reverse(ReverseQuery(point=point, layers=COARSE | {Layer.ADDRESS}, limit=1, language=_language()))
    if not near:
        return SearchResult(kind=Kind.POSITION, title=position(point), detail=tr("No address found here."), point=point)
    found = found_address(near[0])
    away = distance_m(point.longitude, point.latitude, found.point.longitude, found.point.latitude)
    detail = (
        tr("{detail} · {away} away", detail=found.detail, away=metres(round(away)))
        if found.kind in _PRECISE and away >= 1
        else found.detail
    )
    return replace(found, detail=detail, point=point)
