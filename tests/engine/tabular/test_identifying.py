"""External IDs made of names, or numbered, and the kinds of columns that become metadata."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.text import check_identifier
from engine.tabular.identifying import Namer, Numberer, safe_name, whole
from engine.tabular.kinds import ColumnKind, kind_of, value_of


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("Münchner Hof", "munchner-hof"),
        ("  Große Straße, 2. Abschnitt ", "grosse-strasse-2-abschnitt"),
        ("東京 駅", "東京-駅"),
        ("Łódź_Śródmieście", "łodz-srodmiescie"),
        ("— !", ""),
    ],
)
def test_a_name_is_made_safe(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@given(st.text(max_size=300))
def test_a_safe_name_stays_as_it_is(name: str) -> None:
    safe = safe_name(name)
    assert safe_name(safe) == safe
    assert not set(safe) & set(" /\\_'\"")


@given(st.lists(st.sampled_from(["Park", "park 2", "PARK-2", "park", "!", "?", "park-2-2"]), max_size=40))
def test_external_ids_made_of_names_differ_and_are_the_same_again(names: list[str]) -> None:
    made = [Namer().id_of("t", name) for name in names[:1]]
    namer, again = Namer(), Namer()
    made = [namer.id_of("t", name) for name in names]
    assert len(set(made)) == len(names)
    assert [again.id_of("t", name) for name in names] == made
    for own in made:
        check_identifier(own, "externalId")


def test_duplicates_are_numbered_within_a_tag() -> None:
    namer = Namer()
    assert [namer.id_of(tag, "Park") for tag in "ttsst"] == ["park", "park-2", "park", "park-2", "park-3"]


def test_very_many_equal_names_take_linear_time() -> None:
    namer = Namer()
    assert len({namer.id_of("t", "Park") for _ in range(50_000)}) == 50_000


def test_numbers_continue_those_of_the_tag() -> None:
    tags = Counter[str]()

    def last(tag: str) -> int:
        tags[tag] += 1
        return 7 if tag == "a" else 0

    numberer = Numberer(last)
    assert [numberer.id_of(tag) for tag in "abab"] == ["8", "1", "9", "2"]
    assert tags == {"a": 1, "b": 1}


@pytest.mark.parametrize(("cell", "number"), [("36047.0", "36047"), ("1.50", "1.50"), ("a.0", "a.0"), ("-3.00", "-3")])
def test_zero_decimals_are_left_out(cell: str, number: str) -> None:
    assert whole(cell) == number


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-2.5", "", "1e3"], ColumnKind.NUMBER),
        (["true", "False", ""], ColumnKind.FLAG),
        (["1", "true"], ColumnKind.TEXT),
        (["007", "12"], ColumnKind.TEXT),
        (["1234567890123456789"], ColumnKind.TEXT),
        (["", ""], ColumnKind.EMPTY),
        (["1,5"], ColumnKind.TEXT),
        (["inf"], ColumnKind.TEXT),
    ],
)
def test_the_kind_of_a_column(cells: list[str], kind: ColumnKind) -> None:
    assert kind_of(cells) is kind


def test_values_of_kinds() -> None:
    assert [value_of(cell, ColumnKind.NUMBER) for cell in ("12", "12.0", "1.5", "")] == [12, 12, 1.5, None]
    assert kind_of(["1,5", "2"], decimal_comma=True) is ColumnKind.NUMBER
    assert value_of("1,5", ColumnKind.NUMBER, decimal_comma=True) == 1.5
    assert value_of("TRUE", ColumnKind.FLAG) is True
    assert value_of("007", ColumnKind.TEXT) == "007"


@given(st.lists(st.text(alphabet="0123456789.-+eE,truefals ", max_size=8), max_size=8), st.booleans())
def test_every_cell_of_a_column_has_a_value_of_its_kind(cells: list[str], comma: bool) -> None:
    kind = kind_of(cells, decimal_comma=comma)
    for cell in cells:
        value = value_of(cell, kind, decimal_comma=comma)
        assert (value is None) == (not cell)
        assert isinstance(value, bool) == (kind is ColumnKind.FLAG and bool(cell))
