"""Conversion of tags to categories: by the tables, and for all objects of the shared extracts."""

from collections import Counter
from functools import cache
from pathlib import Path

import osmium
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.areas.categories import PLACE_KEYS, place_kind
from engine.areas.categories_table import CUISINES, INFORMATION, RELIGIONS, SPORTS, STATIONS, TAGS, read
from engine.domain.addresses.taxonomy import GENERAL, GROUPS, PATHS, check_category
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from tests.shared import SharedData

EXTRACTS = ("liechtenstein", "state-college", "nyc-lower")
HERE = Point(9.52, 47.14)


def categories(**tags: str) -> tuple[str, ...] | None:
    kind = place_kind({"name": "X", **{key.replace("__", ":"): value for key, value in tags.items()}}, HERE, "LI")
    return None if kind is None else kind.categories


@cache
def read_tags(extract: Path) -> tuple[dict[str, str], ...]:
    """Return the tags of every object in an extract that has any of the keys."""
    processor = osmium.FileProcessor(str(extract)).with_filter(osmium.filter.KeyFilter(*PLACE_KEYS))
    return tuple(dict(item.tags) for item in processor)


def test_every_category_of_the_tables_is_in_the_taxonomy() -> None:
    leaves = {category for table in TAGS.values() for category in table.values()}
    leaves |= {
        category for table in (CUISINES, RELIGIONS, SPORTS, STATIONS, INFORMATION) for _, category in read(table)
    }
    assert leaves - {None} <= PATHS.keys()
    assert {category for leaf in leaves - {None} for category in PATHS[leaf or ""]} == PATHS.keys(), "none without tags"


def test_the_taxonomy_is_a_tree_of_words_in_kebab_case() -> None:
    for category, path in PATHS.items():
        assert category == path[-1]
        assert path[0] in GENERAL
        assert all(PATHS[part] == path[: index + 1] for index, part in enumerate(path))
        assert category.replace("-", "").isalpha()
        assert category == category.lower()
    assert set().union(*GROUPS.values()) <= PATHS.keys()
    assert GROUPS.keys() >= GENERAL


def test_an_unknown_category_is_named_with_a_similar_one() -> None:
    assert check_category("hotel", "categories") == "hotel"
    with pytest.raises(InvalidParameter) as error:
        check_category("fast-food-resturant", "categories")
    assert error.value.param == "categories"
    assert "did you mean fast-food-restaurant?" in error.value.message
    with pytest.raises(InvalidParameter) as error:
        check_category("x" * 100_000, "categories")
    assert len(error.value.message) < 200


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({"amenity": "fast_food", "cuisine": "burger"},
         ("food-beverage", "restaurant", "american-restaurant", "fast-food-restaurant", "burger-restaurant")),
        ({"amenity": "restaurant", "cuisine": "pizza;italian"},
         ("food-beverage", "restaurant", "italian-restaurant", "pizza-restaurant")),
        ({"amenity": "restaurant", "cuisine": "klingon"}, ("food-beverage", "restaurant")),
        ({"amenity": "cafe", "cuisine": "coffee_shop"}, ("food-beverage", "cafe", "coffee-shop")),
        ({"aeroway": "aerodrome", "iata": "SCE"}, ("travel-transportation", "airport")),
        ({"railway": "station", "station": "subway"}, ("travel-transportation", "train-station", "subway-station")),
        ({"railway": "station", "public_transport": "station"}, ("travel-transportation", "train-station")),
        ({"highway": "bus_stop", "public_transport": "platform"},
         ("travel-transportation", "transit-stop", "bus-stop")),
        ({"amenity": "place_of_worship", "religion": "jewish", "building": "yes"},
         ("community-government", "religious-center", "synagogue")),
        ({"amenity": "fuel", "shop": "convenience"},
         ("travel-transportation", "shopping-retail", "gas-station", "food-grocery", "convenience-store")),
        ({"shop": "something_new"}, ("shopping-retail",)),
        ({"office": "something_new"}, ("professional-services",)),
        ({"leisure": "pitch", "sport": "tennis"}, ("sports-recreation", "sports-field", "tennis-court")),
        ({"building": "university"}, ("education", "college-university", "campus-building")),
        ({"amenity": "university", "building": "university"}, ("education", "college-university")),
        ({"tourism": "information", "information": "office"},
         ("arts-entertainment", "visitor-information", "visitor-center")),
        ({"tourism": "information", "information": "guidepost"}, None),
        ({"amenity": "bench"}, None),
        ({"shop": "vacant"}, None),
        ({"railway": "subway"}, None),
        ({"public_transport": "stop_position", "railway": "stop"}, None),
        ({"building": "yes"}, None),
        ({"highway": "residential"}, None),
        ({"sport": "tennis"}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_categories_of_tags(tags: dict[str, str], expected: tuple[str, ...] | None) -> None:
    found = categories(**tags)
    assert (None if found is None else set(found)) == (None if expected is None else set(expected))


def test_without_a_name_or_brand_there_is_no_place() -> None:
    assert place_kind({"amenity": "restaurant"}, HERE, "LI") is None
    branded = place_kind({"amenity": "restaurant", "brand": "Ruedi's 2nd Grill & Bar"}, HERE, "LI")
    assert branded is not None
    assert (branded.name, branded.chain, branded.chain_name) == (
        "Ruedi's 2nd Grill & Bar", "ruedis-2nd-grill-bar", "Ruedi's 2nd Grill & Bar",
    )  # fmt: skip


tags = st.dictionaries(
    st.sampled_from([*PLACE_KEYS, "name", "brand", "brand:wikidata", "cuisine", "religion", "sport", "information"]),
    st.text(max_size=12)
    | st.sampled_from(["restaurant", "pizza;sushi", "yes", "station", "*", "-", ";;", "fast_food"]),
)


@given(tags)
def test_whatever_is_tagged_categories_go_from_general_to_specific(given_tags: dict[str, str]) -> None:
    kind = place_kind(given_tags, HERE, None)
    if kind is None:
        return
    assert kind.name
    assert 0 <= kind.rank <= 1
    assert len(set(kind.categories)) == len(kind.categories) > 0
    depths = [len(PATHS[category]) for category in kind.categories]
    assert depths == sorted(depths)
    for category in kind.categories:
        assert set(PATHS[category]) <= set(kind.categories)


@pytest.mark.slow
def test_the_tables_know_every_value_that_occurs_thrice(shared_data: SharedData) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    keys = ("amenity", "shop", "leisure", "tourism", "office", "healthcare", "aeroway", "railway", "public_transport")
    for name in EXTRACTS:
        for item in read_tags(shared_data.extract(name)):
            counts.update((key, item[key]) for key in keys if key in item and ";" not in item[key])
    usual = {pair for pair, count in counts.items() if count >= 3 and pair[1] != "yes"}
    assert len(usual) > 200
    missing = sorted(f"{key}={value}" for key, value in usual if value not in TAGS[key])
    assert missing == [], "those are only what others of their key are"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "value", "category"),
    [
        ("amenity", "bank", "bank"),
        ("amenity", "cinema", "cinema"),
        ("shop", "supermarket", "supermarket"),
        ("tourism", "hotel", "hotel"),
        ("tourism", "museum", "museum"),
        ("amenity", "pharmacy", "pharmacy"),
    ],
)
def test_all_of_a_kind_in_the_extracts_are_of_its_category(
    shared_data: SharedData, key: str, value: str, category: str
) -> None:
    for name in EXTRACTS:
        found = [item for item in read_tags(shared_data.extract(name)) if item.get(key) == value and "name" in item]
        kinds = [place_kind(item, HERE, None) for item in found]
        assert all(kind is not None and category in kind.categories for kind in kinds)
    assert found, "lower Manhattan has all of them"


def test_the_page_on_places_names_every_category_and_group() -> None:
    page = (Path(__file__).parents[3] / "docs" / "places.md").read_text()
    assert [word for word in (*PATHS, *GROUPS) if f"`{word}`" not in page] == []
