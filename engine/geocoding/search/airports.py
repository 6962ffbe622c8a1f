"""Airports of the whole world as places, by their three-letter code or their name."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.domain.addresses.address import (
    Address,
    AddressLanguage,
    AutocompleteQuery,
    ForwardQuery,
    Layer,
    MatchConfidence,
)
from engine.domain.geometry import Point
from engine.gazetteer.text import fold
from engine.geocoding.formatting import Parts, formatted
from engine.geocoding.search.candidates import Finder

_COLUMNS: Final = "iata, name, city, country_code, longitude, latitude"
_LETTERS: Final = 3
_LEAST_WORDS: Final = 2
_AIRPORT: Final = " airport"

type _Row = tuple[str, str, str | None, str, float, float]


def airports(
    world: Sequence[Finder], query: ForwardQuery | AutocompleteQuery, confidence: MatchConfidence | None
) -> tuple[Address, ...]:
    """Return the airports with the query as their code or full name, if the query includes places."""
    if Layer.PLACE not in query.layers:
        return ()
    found = (row for finder in world for row in (*_rows(finder, fold(query.text)), *_in_city(finder, query.text)))
    rows = [row for row in found if not query.countries or row[3] in query.countries]
    return tuple(_address(world[0], row, query.language, confidence) for row in rows[: query.limit])


def _rows(finder: Finder, name: str) -> Iterator[_Row]:
    if len(name) == _LETTERS and name.isalpha():
        yield from finder.gazetteer.rows(f"SELECT {_COLUMNS} FROM airports WHERE iata = ?", name.upper())
    elif name.count(" ") + 1 >= _LEAST_WORDS:
        for iata in _by_name(finder).get(name.removesuffix(_AIRPORT), ()):
            yield from finder.gazetteer.rows(f"SELECT {_COLUMNS} FROM airports WHERE iata = ?", iata)


def _in_city(finder: Finder, text: str) -> Iterator[_Row]:
    """Yield the airport of a query in the format of results: the name, then the city and the country code."""
    name, comma, location = text.partition(",")
    words = set(fold(location).split())
    for row in _rows(finder, fold(name)) if comma else ():
        _, _, city, country, _, _ = row
        if words and words <= {*fold(city or "").split(), country.lower()}:
            yield row


def _by_name(finder: Finder) -> dict[str, list[str]]:
    """Return the codes of airports by their folded names, which are read on first use."""
    known = finder.memory.get(("airports",))
    if isinstance(known, dict):
        return known
    names: dict[str, list[str]] = {}
    for iata, name in finder.gazetteer.rows("SELECT iata, name FROM airports ORDER BY iata"):
        names.setdefault(fold(name).removesuffix(_AIRPORT), []).append(iata)
    finder.memory["airports",] = names
    return names


def _address(finder: Finder, row: _Row, language: AddressLanguage, confidence: MatchConfidence | None) -> Address:
    _, name, city, code, longitude, latitude = row
    rows = finder.gazetteer.rows("SELECT id FROM divisions WHERE layer = 'country' AND code = ?", code)
    return Address(
        point=Point(longitude, latitude),
        layer=Layer.PLACE,
        formatted=formatted(Parts(name=name, city=city, country_code=code)),
        label=name,
        place_label=name,
        city=city,
        country=finder.gazetteer.division(rows[0][0]).called(language) if rows else None,
        country_code=code,
        confidence=confidence,
    )
