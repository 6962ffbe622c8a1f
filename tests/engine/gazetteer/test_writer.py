"""A gazetteer file: complete or absent, with all its contents found by words and by position."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.addresses.address import Layer
from engine.domain.geometry import Point
from engine.gazetteer.schema import GAZETTEER_FORMAT, WORDS
from engine.gazetteer.text import index_words, words
from engine.gazetteer.writer import (
    Context,
    Division,
    GazetteerWriter,
    House,
    PlaceRow,
    Range,
    Street,
    place_id_of,
    rank_of,
)

TOWN = Point(9.52, 47.14)


@contextmanager
def reading(file: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        yield connection


def rows(file: Path, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    with reading(file) as connection:
        return connection.execute(sql, values).fetchall()


def found(file: Path, match: str) -> set[tuple[str, str]]:
    """Return the kind and the name of each result of a full-text query."""
    tables = {"street": "streets", "division": "divisions", "place": "places"}
    with reading(file) as connection:
        documents = connection.execute(
            "SELECT kind, ref FROM words JOIN documents ON documents.id = words.rowid WHERE words MATCH ?", (match,)
        ).fetchall()
        return {
            (kind, connection.execute(f"SELECT name FROM {tables[kind]} WHERE id = ?", (ref,)).fetchone()[0])
            for kind, ref in documents
        }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A gazetteer of Liechtenstein with one town, one street, two houses and a place."""
    target = tmp_path / "gazetteer.sqlite"
    with GazetteerWriter(target, {"name": "test"}) as writer:
        nowhere = writer.context(Context())
        names = {"ja": "リヒテンシュタイン", "de": "Fürstentum Liechtenstein"}
        country = writer.division(
            Division(
                layer=Layer.COUNTRY,
                name="Liechtenstein",
                code="LI",
                names=names,
                point=TOWN,
                context=nowhere,
                outline=shapely.to_wkb(shapely.box(9.4, 47.0, 9.7, 47.3)),
                population=39_000,
            )
        )
        within = writer.context(Context(country=country, country_code="LI"))
        town = writer.division(Division(layer=Layer.LOCALITY, name="Vaduz", point=TOWN, context=within))
        inside = writer.context(Context(country=country, city=town, country_code="LI"))
        line = shapely.to_wkb(shapely.LineString([(9.521, 47.13), (9.523, 47.139)]))
        street = writer.street(Street(name="Äulestrasse", point=TOWN, context=inside, line=line))
        posted = writer.context(Context(country=country, city=town, country_code="LI", postal_code="9490"))
        house = writer.house(House(street=street, number="12a", point=Point(9.522, 47.135), context=posted, osm="w1"))
        writer.house(House(street=street, number="14", point=Point(9.5225, 47.136), context=posted))
        for unit in ("Apt. 3", "apt 3", "4"):
            writer.unit(house, unit)
        writer.range(Range(street=street, first=20, last=28, step=2, context=posted, line=line))
        writer.place(
            PlaceRow(
                place_id=place_id_of("n5"),
                osm="n5",
                name="Café Amann",
                point=TOWN,
                context=posted,
                rank=0.4,
                categories=("food-beverage", "cafe"),
                street="Äulestrasse",
                number="56",
                names={"ja": "喫茶店"},
            )
        )
        writer.execute("CREATE TABLE own (a TEXT)")
        writer.execute("INSERT INTO own VALUES (?)", [("x",), ("y",)])
    return target


def test_written_rows_are_there(file: Path) -> None:
    assert rows(file, "PRAGMA user_version") == [(GAZETTEER_FORMAT,)]
    assert rows(file, "SELECT value FROM meta WHERE key = 'name'") == [("test",)]
    assert rows(file, "SELECT number, value, suffix, osm FROM houses") == [("12a", 12, "a", "w1"), ("14", 14, "", None)]
    assert rows(file, "SELECT houses FROM streets") == [(2,)]
    assert rows(file, "SELECT first, last, step FROM ranges") == [(20, 28, 2)]
    assert rows(file, "SELECT category FROM place_categories ORDER BY 1") == [("cafe",), ("food-beverage",)]
    assert rows(file, "SELECT a FROM own") == [("x",), ("y",)]


def test_a_unit_is_there_once_however_it_is_written(file: Path) -> None:
    assert rows(file, "SELECT unit FROM units ORDER BY 1") == [("4",), ("apt 3",)]


@pytest.mark.parametrize(
    "query", ["aulestrasse", "aeulestrasse", "aules*", "name : aulestrasse AND context : vaduz", "9490"]
)
def test_a_street_is_found_by_its_spellings_and_its_divisions(file: Path, query: str) -> None:
    assert ("street", "Äulestrasse") in found(file, query)


def test_a_place_is_found_by_name_street_and_town(file: Path) -> None:
    assert found(file, "cafe AND aulestrasse AND vaduz AND liechtenstein") == {("place", "Café Amann")}


def test_a_division_is_found_by_all_its_names_and_its_code(file: Path) -> None:
    assert ("division", "Liechtenstein") in found(file, "name : furstentum")
    assert ("division", "Liechtenstein") in found(file, "name : li")
    assert ("division", "Vaduz") not in found(file, "name : li")


def test_names_in_signs_are_found_by_parts_of_them(file: Path) -> None:
    query = "SELECT kind FROM signs JOIN documents ON documents.id = signs.rowid WHERE signs MATCH ?"
    assert rows(file, query, '"ヒテンシ"') == [("division",)]
    assert rows(file, query, '"喫茶店"') == [("place",)]


def test_everything_has_a_position(file: Path) -> None:
    boxes = "SELECT id FROM {} WHERE west <= ? AND east >= ? AND south <= ? AND north >= ?"
    at_house = (9.5221, 9.5219, 47.1351, 47.1349)
    assert rows(file, boxes.format("house_positions"), *at_house) == [(1,)]
    assert rows(file, boxes.format("street_boxes"), *at_house) == [(1,)]
    assert rows(file, boxes.format("division_boxes"), *at_house) == [(1,)]
    at_town = (9.5201, 9.5199, 47.1401, 47.1399)
    assert rows(file, boxes.format("place_boxes"), *at_town) == [(1,)]
    assert sorted(rows(file, boxes.format("division_boxes"), *at_town)) == [(1,), (2,)]


def test_nothing_is_left_of_a_file_that_was_not_finished(tmp_path: Path) -> None:
    file = tmp_path / "gazetteer.sqlite"
    with pytest.raises(RuntimeError, match="no more"), GazetteerWriter(file, {}) as writer:  # noqa: PT012
        writer.division(Division(layer=Layer.COUNTRY, name="A", point=TOWN, context=writer.context(Context())))
        raise RuntimeError("no more")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_finished_leaves_the_one_before(file: Path) -> None:
    before = file.read_bytes()
    row = PlaceRow(place_id=place_id_of("n5"), osm="n5", name="A", point=TOWN, context=1)
    with pytest.raises(sqlite3.IntegrityError), GazetteerWriter(file, {}) as writer:  # noqa: PT012
        writer.context(Context())
        writer.place(row)
        writer.place(row)
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_the_remains_of_a_killed_build_are_replaced(tmp_path: Path) -> None:
    file = tmp_path / "gazetteer.sqlite"
    (tmp_path / ".gazetteer.sqlite.new").write_bytes(b"half of it")
    with GazetteerWriter(file, {"name": "again"}):
        pass
    assert rows(file, "SELECT value FROM meta") == [("again",)]
    assert list(tmp_path.iterdir()) == [file]


def test_many_rows_go_in_batches(tmp_path: Path) -> None:
    file = tmp_path / "gazetteer.sqlite"
    with GazetteerWriter(file, {}) as writer:
        context = writer.context(Context())
        for number in range(7_003):
            street = writer.street(Street(name=f"Street {number}", point=TOWN, context=context))
            writer.house(House(street=street, number="1", point=TOWN, context=context))
        assert writer.context(Context()) == context
    assert rows(file, "SELECT count(*), sum(houses) FROM streets") == [(7_003, 7_003)]
    assert found(file, "7002") == {("street", "Street 7002")}


@given(st.sampled_from("nwr"), st.integers(1, 10**12), st.sampled_from("nwr"), st.integers(1, 10**12))
def test_identifiers_of_places_differ(kind: str, number: int, other_kind: str, other: int) -> None:
    one, two = place_id_of(f"{kind}{number}"), place_id_of(f"{other_kind}{other}")
    assert len(one) == 24
    assert set(one) <= set("0123456789abcdef")
    assert (one == two) == ((kind, number) == (other_kind, other))


@given(st.integers(0, 10**10), st.integers(0, 10**10))
def test_the_larger_ranks_higher(one: int, other: int) -> None:
    low, high = sorted((one, other))
    assert 0 <= rank_of(Layer.LOCALITY, low) <= rank_of(Layer.LOCALITY, high) <= 1


@given(st.text(max_size=20))
def test_each_word_of_a_name_is_found_as_one_token(name: str) -> None:
    """The index does not know the places of words, so that a word of several tokens could not be searched."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(WORDS)
        connection.execute("INSERT INTO words (rowid, name, context) VALUES (1, ?, '')", (index_words(name),))
        for word in words(name):
            assert connection.execute("SELECT rowid FROM words WHERE words MATCH ?", (f'name : "{word}"',)).fetchall()
            assert connection.execute("SELECT rowid FROM words WHERE words MATCH ?", (f'name : "{word}"*',)).fetchall()


def test_a_finished_file_has_no_unused_pages(tmp_path: Path) -> None:
    with GazetteerWriter(tmp_path / "g.sqlite", {}) as writer:
        context = writer.context(Context())
        for number in range(3_000):
            point = Point(number / 1_000, 0.0)
            writer.street(Street(name=f"Street {number}", names={}, context=context, point=point, line=None))
    with closing(sqlite3.connect(tmp_path / "g.sqlite")) as connection:
        assert connection.execute("PRAGMA freelist_count").fetchone() == (0,)
