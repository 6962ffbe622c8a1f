"""Classification of places on the map: categories, chain, and how well known they are likely to be."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from engine.areas.brands import Brand, BrandTable, slug_of
from engine.areas.categories_table import CUISINES, INFORMATION, RELIGIONS, SPORTS, STATIONS, TAGS, read
from engine.domain.addresses.taxonomy import PATHS
from engine.domain.geometry import Point

type Tags = Mapping[str, str]

PLACE_KEYS: Final = tuple(TAGS)
"""Keys of which a place has at least one."""

_DETAILS: Final = (
    ("cuisine", dict(read(CUISINES)), "food-beverage"),
    ("religion", dict(read(RELIGIONS)), "religious-center"),
    ("sport", dict(read(SPORTS)), "sports-recreation"),
    ("station", dict(read(STATIONS)), "train-station"),
    ("information", dict(read(INFORMATION)), "visitor-information"),
)
"""Tags that refine a category: the key, its values, and the category that they refine."""

_MAIN: Final = frozenset(
    ("amenity", "shop", "tourism", "leisure", "healthcare", "office", "craft", "aeroway", "railway")
)
"""Keys that always add a category; other keys only add one if no category was found before."""

_WELL_KNOWN: Final = {
    "airport": 0.9,
    "stadium": 0.6,
    "college-university": 0.6,
    "hospital": 0.6,
    "museum": 0.55,
    "castle": 0.55,
    "train-station": 0.5,
    "shopping-mall": 0.5,
    "hotel": 0.4,
    "park": 0.35,
    "mountain-peak": 0.35,
    "lake": 0.35,
    "river": 0.35,
    "attraction": 0.35,
    "supermarket": 0.3,
    "bus-stop": 0.05,
    "transit-stop": 0.05,
    "subway-entrance": 0.05,
    "bike-rental": 0.1,
    "parking": 0.1,
    "atm": 0.05,
}
"""How well known places of a category are; other categories have `_USUAL`."""

_SIGNPOSTS: Final = frozenset(value for value, category in read(INFORMATION) if category is None)
_USUAL: Final = 0.2
_MANY_LANGUAGES: Final = 10


class PlaceKind(Struct, frozen=True):
    """The classification of a place.

    `categories` go from general to specific (``food-beverage``, ``restaurant``, ``pizza-restaurant``). `chain` is a
    slug, or None if the place is not part of a chain. `rank` 0..1 is how well known the place is likely to be.
    """

    name: str
    categories: tuple[str, ...]
    chain: str | None = None
    chain_name: str | None = None
    rank: float = 0.0


def place_kind(
    tags: Tags, point: Point, country_code: str | None, brands: BrandTable | None = None
) -> PlaceKind | None:
    """Return the classification of a place by its tags, or None if it is not a place or has neither name nor brand.

    `country_code` (ISO alpha-2) and `point` determine the possible brands. Without `brands`, only the tag ``brand``
    makes a chain.
    """
    name = tags.get("name") or tags.get("name:en") or tags.get("brand")
    if not name or tags.get("information") in _SIGNPOSTS or not (found := tuple(_found(tags))):
        return None
    categories = _paths(tags, found)
    chain = _chain(tags, found, name, point, country_code, brands)
    rank = _rank(tags, categories, chain)
    if chain is None:
        return PlaceKind(name, categories, rank=rank)
    return PlaceKind(name, categories, chain.slug, chain.name, rank)


def _found(tags: Tags) -> Iterator[tuple[str, str, str]]:
    """Yield the key, value and category of each tag that classifies an object."""
    others = False
    for key, table in TAGS.items():
        if key not in tags or (others and key not in _MAIN):
            continue
        for value in (part.strip() for part in tags[key].split(";")):
            category = table.get(value, table.get("*"))
            if category is not None:
                others = True
                yield key, value, category


def _paths(tags: Tags, found: tuple[tuple[str, str, str], ...]) -> tuple[str, ...]:
    """Return the categories with all their parents, general ones first and otherwise in the order found."""
    leaves = list(dict.fromkeys(category for _, _, category in found))
    within = {general for leaf in leaves for general in PATHS[leaf]}
    for key, table, general in _DETAILS:
        if key in tags and general in within:
            values = (part.strip() for part in tags[key].split(";"))
            leaves += [category for value in values if (category := table.get(value)) is not None]
    paths = [PATHS[leaf] for leaf in leaves]
    depth = max(len(path) for path in paths)
    return tuple(dict.fromkeys(path[level] for level in range(depth) for path in paths if level < len(path)))


def _chain(
    tags: Tags,
    found: tuple[tuple[str, str, str], ...],
    name: str,
    point: Point,
    country_code: str | None,
    brands: BrandTable | None,
) -> Brand | None:
    brand = tags.get("brand:en") or tags.get("brand")
    wikidata = tags.get("brand:wikidata")
    if brands is not None:
        if wikidata is not None and (known := brands.of_wikidata(wikidata)) is not None:
            return known
        for key, value, _ in found:
            for brand_name in (tags.get("brand"), name):
                known = brands.of_name(key, value, brand_name, point, country_code) if brand_name else None
                if known is not None and (brand_name != name or brand is None):
                    return known
    return Brand(slug, brand) if brand and (slug := slug_of(brand)) else None


def _rank(tags: Tags, categories: tuple[str, ...], chain: Brand | None) -> float:
    known = max((_WELL_KNOWN[category] for category in categories if category in _WELL_KNOWN), default=_USUAL)
    famous = 0.15 * ("wikidata" in tags or "wikipedia" in tags)
    languages = 0.1 * min(1.0, sum(key.startswith("name:") for key in tags) / _MANY_LANGUAGES)
    iata = 0.1 * ("iata" in tags)
    return round(min(1.0, known + famous + languages + iata + 0.1 * (chain is not None)), 3)
