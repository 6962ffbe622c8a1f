"""The possible parts of a query."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geocoding.search.parsing import MAX_WORDS, read_query


@pytest.mark.parametrize(
    ("text", "number", "words"),
    [
        ("120 East Main Street, PA 16801-1234", "120", "east main street pa 16801"),
        ("9490 Vaduz, Äulestrasse 12a", "12a", "9490 vaduz aulestrasse"),
        ("Äulestrasse 12 a, Vaduz", "12 a", "aulestrasse vaduz"),
        ("12 1/2 Main St", "12 1/2", "main st"),
        ("12-14 Main St", "12-14", "main st"),
        ("12-A Main St", "12-A", "main st"),
        ("73 REAR Main St", "73 REAR", "main st"),
        ("4bis rue Grimaldi", "4bis", "rue grimaldi"),
        ("4 ter rue Grimaldi", "4 ter", "rue grimaldi"),
        ("10 5th Ave", "10", "5th ave"),
        ("(120) Main St U.S.A.", "120", "main st us"),
        ("Main Street", None, "main street"),
        ("16801", None, "16801"),
        ("Calle Mayor s/nº, Madrid", None, "calle mayor madrid"),
        ("Rua Direita, S/N, Porto", None, "rua direita porto"),
        ("Via Roma s.n.c. Torino", None, "via roma torino"),
        ("s/nº", None, ""),
        ("5th Avenue", None, "5th avenue"),
    ],
)
def test_the_likeliest_reading_comes_first(text: str, number: str | None, words: str) -> None:
    first = read_query(text)[0]
    assert (first.number, " ".join(first.words)) == (number, words)


@pytest.mark.parametrize(
    ("text", "unit", "words"),
    [
        ("12 Main St Apt 4, Springfield", "4", "main st springfield"),
        ("12 Main St Apt. 4B", "4B", "main st"),
        ("12 Main St #4b", "4B", "main st"),
        ("12 Main St, Suite 200", "200", "main st"),
        ("12 Main St Unit B", "B", "main st"),
        ("12 Rue Ste Marie", None, "rue ste marie"),
        ("12 Unit Street", None, "unit street"),
    ],
)
def test_units_are_distinguished_from_streets(text: str, unit: str | None, words: str) -> None:
    first = read_query(text)[0]
    assert (first.number, first.unit, " ".join(first.words)) == ("12", unit, words)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Main Street", ["main street"]),
        ("120 Main Street", ["main street", "120 main street"]),
        ("12 Main St Washington D.C.", ["main st washington dc", "main st washington d c"]),
        ("J.F. Kennedy Airport", ["j f kennedy airport", "jf kennedy airport"]),
    ],
)
def test_initials_are_read_as_one_word_and_as_several(text: str, expected: list[str]) -> None:
    read = [" ".join(reading.words) for reading in read_query(text)]
    assert read[: len(expected)] == expected
    assert len(set(read)) == len(read)


@given(st.text(max_size=1_000))
def test_every_text_can_be_read(text: str) -> None:
    readings = read_query(text)
    assert readings[-1].number is None
    assert all(len(reading.words) <= MAX_WORDS for reading in readings)
    assert len(readings) <= 12
