"""Brands: slugs, the table made from name-suggestion-index, and the chains of real places."""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.areas.brands import BRANDS, BRANDS_INDEX, INSERT_BRAND, Brand, BrandTable, brand_rows, slug_of
from engine.areas.categories import place_kind
from engine.domain.geometry import Point
from tests.engine.areas.test_categories import EXTRACTS, read_tags
from tests.shared import SharedData

WORLD = Path(__file__).parents[3] / "resources" / "world" / "world.sqlite"
LI, US, JP = (Point(9.52, 47.14), "LI"), (Point(-74.0, 40.7), "US"), (Point(139.7, 35.7), "JP")


def item(name: str, include: list[Any], exclude: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    tags = {"brand": name, "name": name} | more.pop("tags", {})
    locations = {"include": include} | ({"exclude": exclude} if exclude else {})
    return {"displayName": name, "locationSet": locations, "tags": tags} | more


NSI: dict[str, Any] = {
    "nsi": {
        "brands/amenity/fast_food": {
            "items": [
                item("Burger & Co", ["001"], ["jp"], tags={"brand:wikidata": "Q1"}, matchNames=["burger and company"]),
                item("バーガー", ["jp"], tags={"brand:wikidata": "Q1", "brand:en": "Burger & Co", "name": "バーガー"}),
                item("Near", [[9.52, 47.14, 5]]),
            ]
        },
        "brands/shop/supermarket": {
            "items": [
                item("Spar", ["150"], ["us"], tags={"brand:wikidata": "Q2", "alt_name": "Eurospar;Spar Express"}),
                item("Coop (Schweiz)", ["ch", "li-11.geojson"], tags={"brand:wikidata": "Q3"}),
                item("Coop Pronto", ["ch"], tags={"brand:wikidata": "Q3"}),
                item("Regional", ["us-pa.geojson"], ["us-ny.geojson"]),
            ]
        },
        "operators/amenity/fast_food": {"items": [item("No brand", ["001"], tags={"brand:wikidata": "Q9"})]},
    }
}


@pytest.fixture(scope="module")
def table() -> BrandTable:
    return BrandTable(brand_rows(NSI))


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("McDonald's", "mcdonalds"),
        ("Dunkin’", "dunkin"),
        ("7-Eleven", "7-eleven"),
        ("H&M", "h-m"),
        ("Caffè Nero", "caffe-nero"),
        ("Läderach", "laderach"),
        ("  Joe & The Juice ", "joe-the-juice"),
        ("Магнит", "магнит"),
        ("GROẞ", "gross"),
        ("---", ""),
    ],
)
def test_slugs(name: str, slug: str) -> None:
    assert slug_of(name) == slug


@given(st.text(max_size=30))
def test_a_slug_is_its_own_slug(name: str) -> None:
    slug = slug_of(name)
    assert slug_of(slug) == slug
    assert "--" not in slug
    assert slug == slug.strip("-")


def test_one_entry_of_wikidata_is_one_chain_everywhere(table: BrandTable) -> None:
    burger = Brand("burger-co", "Burger & Co")
    assert table.of_wikidata("Q1") == burger
    assert table.of_wikidata("Q77; Q1") == burger
    assert table.of_wikidata("Q9") is None, "an operator is no brand"
    assert table.of_name("amenity", "fast_food", "バーガー", *JP) == burger
    assert table.of_name("amenity", "fast_food", "BURGER AND COMPANY", *US) == burger
    assert table.of_name("amenity", "fast_food", "burger and company", *JP) is None, "excluded there"
    assert table.of_wikidata("Q3") == Brand("coop", "Coop")


def test_a_name_counts_only_in_the_region_of_the_brand(table: BrandTable) -> None:
    spar = Brand("spar", "Spar")
    assert table.of_name("shop", "supermarket", "Eurospar", *LI) == spar
    assert table.of_name("shop", "convenience", "spar", *LI) == spar, "as good as a supermarket"
    assert table.of_name("amenity", "bank", "spar", *LI) is None
    assert table.of_name("shop", "supermarket", "spar", *US) is None
    near = table.of_name("amenity", "fast_food", "Near", *LI)
    assert near == Brand("near", "Near")
    assert table.of_name("amenity", "fast_food", "Near", Point(9.7, 47.14), "AT") is None
    assert table.of_name("shop", "supermarket", "Regional", *US) is not None, "a part of a country counts for all of it"
    assert table.of_name("shop", "supermarket", "Coop", *LI) is not None


def test_the_chain_of_a_place(table: BrandTable) -> None:
    def chain(country: tuple[Point, str], brands: BrandTable | None = table, **tags: str) -> str | None:
        kind = place_kind({key.replace("__", ":"): value for key, value in tags.items()}, *country, brands)
        assert kind is not None
        return kind.chain

    assert chain(US, amenity="fast_food", name="Whatever", brand__wikidata="Q1") == "burger-co"
    assert chain(LI, shop="supermarket", name="Eurospar") == "spar"
    assert chain(LI, None, shop="supermarket", name="Eurospar") is None
    assert chain(LI, shop="supermarket", name="Dorfladen") is None
    assert chain(LI, None, shop="supermarket", name="x", brand="Spar Express") == "spar-express"
    assert chain(LI, shop="supermarket", name="x", brand="Spar Express") == "spar"
    assert chain(US, shop="books", name="Spar", brand="Own Brand", brand__wikidata="Q404") == "own-brand"


def test_the_table_survives_its_file(tmp_path: Path) -> None:
    file = tmp_path / "world.sqlite"
    assert BrandTable.read(None) is None
    assert BrandTable.read(file) is None
    with closing(sqlite3.connect(file)) as pack, pack:
        pack.execute("CREATE TABLE other (id INTEGER)")
    assert BrandTable.read(file) is None
    with closing(sqlite3.connect(file)) as pack, pack:
        pack.executescript(BRANDS + BRANDS_INDEX)
        pack.executemany(INSERT_BRAND, brand_rows(NSI))
    table = BrandTable.read(file)
    assert table is not None
    assert table.of_wikidata("Q2") == Brand("spar", "Spar")


@pytest.mark.slow
@pytest.mark.skipif(not WORLD.is_file(), reason="the world pack is not built")
def test_the_chains_of_the_extracts(shared_data: SharedData) -> None:
    table = BrandTable.read(WORLD)
    assert table is not None
    found: Counter[str | None] = Counter()
    tagged: Counter[str] = Counter()
    for name in EXTRACTS:
        country = LI if name == "liechtenstein" else US
        for tags in read_tags(shared_data.extract(name)):
            kind = place_kind(tags, *country, table)
            if kind is not None:
                found[kind.chain] += 1
                tagged[tags.get("brand:wikidata", "")] += 1
    for wikidata, slug in (
        ("Q37158", "starbucks"),
        ("Q38076", "mcdonalds"),
        ("Q259340", "7-eleven"),
        ("Q244457", "subway"),
    ):
        assert tagged[wikidata] > 0
        assert found[slug] >= tagged[wikidata]
        assert found[slug] <= tagged[wikidata] + 3, "a few are known by their names alone"
