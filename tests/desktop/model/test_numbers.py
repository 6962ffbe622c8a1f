"""Numbers as they are typed and shown: the same grammar in each field and language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desktop.language.catalogue import use_language
from app.desktop.model.editing.metadata import NUMBER, TEXT, is_same_number, parse_value, text_of
from app.desktop.model.editing.numbers import (
    NotANumber,
    number_of,
    read_number,
    read_quantity,
    read_whole_number,
    spell_number,
)
from app.desktop.model.inspector.faults import effect_text
from app.desktop.model.project import join_chains, split_chains
from app.desktop.model.shaping.measures import area_text, length_text
from app.desktop.model.words import metres, minutes_text, size_text
from app.faults.rules import FaultKind, FaultRule
from engine.domain.errors import InvalidParameter

LANGUAGES = ("en", "de")
VALUES = st.one_of(st.integers(0, 10**9), st.floats(0, 1e9), st.decimals(0, 10**6, places=2).map(float))


@contextmanager
def spoken(language: str) -> Iterator[None]:
    assert use_language(language) == language
    try:
        yield
    finally:
        use_language("en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("250.5", 250.5),
        ("250,5", 250.5),
        ("0.5", 0.5),
        ("0,5", 0.5),
        (",5", 0.5),
        ("5,", 5.0),
        ("1,500", 1.5),
        ("1.500", 1.5),
        ("1,234.5", 1234.5),
        ("1.234,5", 1234.5),
        ("1 234,5", 1234.5),
        ("1\N{NARROW NO-BREAK SPACE}234.5", 1234.5),
        ("1'234.5", 1234.5),
        ("1,234,567", 1_234_567),
        ("1.234.567", 1_234_567),
        ("1.234.567,25", 1_234_567.25),
        ("1500", 1500),
        ("1 500", 1500),
        (" +7 ", 7),
        ("\N{MINUS SIGN}7,5", -7.5),
        ("1e3", 1000.0),
        ("1e-07", 1e-7),
    ],
)
def test_a_number_is_the_same_in_every_language(text: str, number: float, language: str) -> None:
    with spoken(language):
        found = read_number(text)
    assert (found, type(found)) == (number, type(number))


@pytest.mark.parametrize(
    "text", ["1,23,456", "12,34.5", "1.5,000", "1,234.56.7", "1,5 000", "15 00", "0,500,000", "1'50"]
)
def test_misplaced_separators_are_refused(text: str) -> None:
    with pytest.raises(NotANumber, match=r"has misplaced separators: .*such as 1234\.5\."):
        read_number(text)
    with spoken("de"), pytest.raises(NotANumber, match=r"Trennzeichen an falscher Stelle.*etwa 1234,5\."):
        read_number(text)


@pytest.mark.parametrize(
    "text", ["", " ", ".", ",", "-", "five", "nan", "inf", "1e", "0x10", "1_000", "٤", "5 m", "9" * 500]
)
def test_an_invalid_number_is_refused(text: str) -> None:
    with pytest.raises(NotANumber, match=r"^must be a number"):
        read_number(text)
    with pytest.raises(InvalidParameter, match=r"^speed: must be a number") as refused:
        number_of("speed", text)
    assert refused.value.param == "speed"


@pytest.mark.parametrize("text", ["1e999", "9" * 399])
def test_a_number_that_is_too_large_is_refused(text: str) -> None:
    with pytest.raises(NotANumber, match="too large"):
        read_number(text)


@pytest.mark.parametrize("text", ["1,000", "1.000", "2.0", "2,5", "5,", "1e3"])
def test_a_whole_number_with_a_decimal_sign_is_refused(text: str) -> None:
    with pytest.raises(NotANumber, match="must be a whole number without separators"):
        read_whole_number(text)


def test_whole_numbers_may_have_their_thousands_apart() -> None:
    assert [read_whole_number(text) for text in ("1000", "1 000", "1,000,000", "1.000.000")] == [
        1_000,
        1_000,
        1_000_000,
        1_000_000,
    ]


@pytest.mark.parametrize(
    ("text", "unit", "number"),
    [
        ("250,5", "m", 250.5),
        ("250,5 m", "m", 250.5),
        ("1,5 km", "m", 1500.0),
        ("1.5km", "m", 1500.0),
        ("500 m", "km", 0.5),
        ("90 s", "min", 1.5),
        ("2 h", "min", 120.0),
        ("10 %", "%", 10.0),
        ("1 500 ms", "ms", 1500.0),
    ],
)
def test_a_unit_may_be_given(text: str, unit: str, number: float) -> None:
    assert read_quantity(text, unit) == number


def test_a_unit_of_another_kind_is_refused() -> None:
    with pytest.raises(NotANumber):
        read_quantity("5 min", "m")
    with pytest.raises(NotANumber):
        read_quantity("1,000 ms", "ms", whole=True)


@given(
    value=VALUES, decimals=st.integers(0, 6), shown_in=st.sampled_from(LANGUAGES), typed_in=st.sampled_from(LANGUAGES)
)
def test_a_displayed_number_is_the_same_when_it_is_typed(
    value: float, decimals: int, shown_in: str, typed_in: str
) -> None:
    with spoken(shown_in):
        shown = spell_number(value, decimals)
    with spoken(typed_in):
        typed = read_number(shown)
        again = spell_number(typed, decimals)
    assert typed == pytest.approx(value, abs=0.5 * 10.0**-decimals, rel=1e-11)
    with spoken(shown_in):
        assert spell_number(typed, decimals) == shown
    assert read_number(again) == typed


@given(
    value=st.decimals(0, 10**8, places=6).map(float),
    shown_in=st.sampled_from(LANGUAGES),
    typed_in=st.sampled_from(LANGUAGES),
)
def test_a_typed_number_is_shown_with_all_its_decimals(value: float, shown_in: str, typed_in: str) -> None:
    with spoken(shown_in):
        shown = spell_number(value)
    with spoken(typed_in):
        assert read_number(shown) == value


@given(
    value=st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False)),
    language=st.sampled_from(LANGUAGES),
)
def test_numbers_of_metadata_are_read_back_exactly(value: float, language: str) -> None:
    with spoken(language):
        text = text_of(value)
        assert is_same_number(value, text)
    for other in LANGUAGES:
        with spoken(other):
            found = parse_value("key", text, NUMBER)
            assert (found, type(found)) == (value, type(value))


def test_a_number_of_metadata_is_shown_as_the_language_writes_it() -> None:
    assert text_of(1500.5) == "1500.5"
    with spoken("de"):
        assert text_of(1500.5) == "1500,5"
        assert parse_value("key", "1500,5", NUMBER) == 1500.5
        assert parse_value("key", "1500,5", TEXT) == "1500,5"
    with pytest.raises(InvalidParameter, match=r"^metadata: the value of 'floor' has misplaced separators: '1,50,0'"):
        parse_value("floor", "1,50,0", NUMBER)
    with pytest.raises(InvalidParameter, match="the value of 'floor' must be a number, not 'nan'"):
        parse_value("floor", "nan", NUMBER)


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_of_chains_are_read_back(language: str) -> None:
    with spoken(language):
        (chain,) = split_chains("denner = D-1 share=2,5 tier=3")
        assert chain.metadata == {"share": 2.5, "tier": 3}
        assert split_chains(join_chains((chain,))) == (chain,)


SHOWN = (size_text, metres, length_text, area_text, lambda value: minutes_text(value * 60))


@given(value=st.one_of(st.integers(0, 10**7), st.floats(0, 1e7)), language=st.sampled_from(LANGUAGES))
def test_sizes_in_lists_are_parsed_as_intended(value: float, language: str) -> None:
    for show in SHOWN:
        with spoken(language):
            shown = show(value)
        number, unit = re.fullmatch(r"(.+) (m|km|m²|km²|min)", shown).groups()  # type: ignore[union-attr]
        read = read_number(number) * {"km": 1e3, "km²": 1e6}.get(unit, 1.0)
        assert read == pytest.approx(value, rel=0.006, abs=0.06)


def test_effects_of_faults_are_read_back() -> None:
    rule = FaultRule(kind=FaultKind.LATENCY, latency_ms=1_500)
    assert effect_text(rule) == "1500 ms latency"
    assert read_quantity("1500 ms", "ms", whole=True) == 1_500


def test_the_example_of_a_whole_number_is_one() -> None:
    with pytest.raises(NotANumber, match=r"misplaced separators: '1\.2\.3'.* such as 1234\.$"):
        read_whole_number("1.2.3")
