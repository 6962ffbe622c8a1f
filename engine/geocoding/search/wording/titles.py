"""Titles before and behind the names of cities and states: City of Denver, Ohio State, Estado de São Paulo."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from engine.domain.addresses.address import ForwardQuery, Layer
from engine.domain.values import replace
from engine.gazetteer.text import split_words
from engine.geocoding.search.entries import Entry

_OF: Final = r"(?:(?:of|de)(?:\s+(?P<article>the|las?|los)(?=\s))?|del|des|du|do|da|dos|das|di|d['’])"
_CITIES: Final = (
    *("city", "town", "village", "township", "municipality", "borough"),
    *("ville", "commune", "municipalit[ée]"),
    *("ciudad", "municipio", "pueblo", "villa"),
    *("cidade", "munic[íi]pio", "vila"),
    *("citt[àa]", "comune", "ciutat", "municipi"),
)
_STATES: Final = (
    *("state", "province", "territory", "region", "commonwealth"),
    *("[ée]tat", "r[ée]gion", "canton"),
    *("estado", "provincia", "comunidad(?:\\s+aut[óo]noma)?", "regi[óo]n", "departamento"),
    *("prov[íi]ncia", "regi[ãa]o", "distrito", "regione"),
)
_CITIES_ALONE: Final = (
    *("stadt", "gemeinde", "marktgemeinde", "landeshauptstadt", "hansestadt", "ortsgemeinde", "gemeente"),
    *("город", "г\\.", "село", "пос[её]лок", "деревня", "مدينة", "بلدة", "قرية"),
)
_STATES_ALONE: Final = (
    *("land", "bundesland", "bundesstaat", "freistaat", "kanton", "provinz", "provincie", "r[ée]gion", "regione"),
    *("штат", "провинция", "область", "земля", "ولاية", "محافظة", "مقاطعة", "إقليم"),
)
"""Titles that stand before a name without a preposition."""

_STATES_BEHIND: Final = ("state", "province", "territory", "область", "край")
_SIGNS_OF_CITIES: Final = "市町村鎮镇시"
_SIGNS_OF_STATES: Final = "州省県縣주도"


def _before(of: tuple[str, ...], alone: tuple[str, ...]) -> str:
    return rf"\s*(?:the\s+)?(?:(?:{'|'.join(of)})\s+{_OF}(?:(?<=['’])|\s+)|(?:{'|'.join(alone)})\s+)(?P<name>\S.*)"


_FORMS: Final = (
    (Layer.LOCALITY, re.compile(_before(_CITIES, _CITIES_ALONE), re.IGNORECASE | re.DOTALL)),
    (Layer.STATE, re.compile(_before(_STATES, _STATES_ALONE), re.IGNORECASE | re.DOTALL)),
    (
        Layer.STATE,
        re.compile(rf"\s*(?P<name>[^,]*\S)\s+(?:{'|'.join(_STATES_BEHIND)})\s*(?P<rest>(?:,.*)?)", re.IGNORECASE),
    ),
    (Layer.LOCALITY, re.compile(rf"\s*(?P<name>[^,\s]+?)\s?[{_SIGNS_OF_CITIES}]\s*(?P<rest>(?:,.*)?)")),
    (Layer.STATE, re.compile(rf"\s*(?P<name>[^,\s]+?)\s?[{_SIGNS_OF_STATES}]\s*(?P<rest>(?:,.*)?)")),
)


class Titled(Struct, frozen=True):
    """A query for a city or state without its title, and the `words` of the name with the title."""

    query: ForwardQuery
    words: tuple[str, ...]


def without_title(query: ForwardQuery) -> Iterator[Titled]:
    """Yield the query without the title of the city or state that it begins with, if it has one.

    A state may also be a country.
    """
    for layer, form in _FORMS:
        if (found := form.fullmatch(query.text)) is None:
            continue
        parts = found.groupdict()
        text = found["name"] + (parts.get("rest") or "")
        # The article may be part of the name: La Plata, Las Palmas.
        texts = (f"{article} {text}", text) if (article := parts.get("article")) else (text,)
        words = tuple(split_words(query.text.partition(",")[0]))
        for each in (layer, Layer.COUNTRY) if layer is Layer.STATE else (layer,):
            if each in query.layers:
                yield from (Titled(replace(query, text=text, layers=frozenset({each})), words) for text in texts)


def is_called_so(titled: Titled, entry: Entry, without: Sequence[Entry]) -> bool:
    """Return whether a division's name includes the title: City of London.

    Other names count only if the division is of the same layer, at least as large as those found `without` the title,
    and not one of them.
    """
    if entry.kind != "division":
        return False
    is_larger = entry not in without and entry.rank >= max((each.rank for each in without), default=0.0)
    called = (titled.words, titled.words[1:] if titled.words[0] == "the" else titled.words)
    others = entry.names.values() if is_larger and entry.layer in titled.query.layers else ()
    return any(tuple(split_words(name)) in called for name in (entry.name, *others))
