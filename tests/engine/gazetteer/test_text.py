"""Names as words: the queries that must find a name."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.gazetteer.text import STREET_TYPES, fold, index_words, is_sign_text, number_of, readings, words


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Äulestrasse", "aulestrasse"),
        ("Straße", "strasse"),
        ("O'Bryan Lane", "obryan lane"),
        ("O’Bryan  Lane", "obryan lane"),
        ("Rue de l'Église", "rue de leglise"),
        ("São João, 12-14", "sao joao 12 14"),
        ("Łódź", "lodz"),
        ("ＴＯＫＹＯ", "tokyo"),
        ("강남대로", "강남대로"),
        ('"a" NEAR (b*) ^c: -d', "a near b c d"),
        ("…—!", ""),
    ],
)
def test_folding_leaves_letters_digits_and_single_spaces(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("120 E Main St", "120 east main street"),
        ("120 East Main Street", "120 east main street"),
        ("120 E. MAIN ST.", "120 east main street"),
        ("St Marks Pl", "saint marks place"),
        ("8 St. Mark's Place", "8 saint marks place"),
        ("N Atherton St N", "north atherton street north"),
        ("Fifth Ave", "5th avenue"),
        ("5th Avenue", "5th avenue"),
        ("First Street", "1st street"),
        ("5th St", "5th street"),
        ("12 St", "12 street"),
        ("5 St Marks Pl", "5 saint marks place"),
        ("Second Street", "2nd street"),
        ("Third Street", "3rd street"),
        ("Eleventh Street", "11th street"),
        ("Twelfth Street", "12th street"),
        ("Thirteenth Street", "13th street"),
        ("Landstr. 12a", "landstrasse 12a"),
        ("Landstraße 12a", "landstrasse 12a"),
        ("Marktpl.", "marktplatz"),
        ("Avda. de la Constitución", "avenida de la constitucion"),
        ("Bd Voltaire", "boulevard voltaire"),
        ("Lemont Heights Pkwy", "lemont heights parkway"),
        ("東京 Tower", "東 京 tower"),
    ],
)
def test_one_street_has_the_same_words_however_it_is_written(text: str, expected: str) -> None:
    assert " ".join(words(text)) == expected


@pytest.mark.parametrize("typed", ["Äulestrasse", "Aeulestraße", "Aulestr.", "AULESTR", "äulestr"])
@pytest.mark.parametrize("written", ["Äulestrasse", "Äulestr."])
def test_umlauts_are_found_however_they_are_spelled(typed: str, written: str) -> None:
    assert set(words(typed)) <= set(index_words(written).split())


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("St Marks Place", "Saint Marks Place"),
        ("Saint Marks Place", "St. Marks Place"),
        ("Main St", "Main Street"),
        ("College St N", "College Street North"),
        ("Rue St Denis", "Rue Saint-Denis"),
        ("Eglise", "Rue de l'Église"),
        ("Second Avenue", "2nd Avenue"),
        ("2nd Avenue", "Second Avenue"),
        ("Place de la Concorde", "Pl. de la Concorde"),
        ("R. Augusta", "Rua Augusta"),
        ("Av. da Liberdade", "Avenida da Liberdade"),
        ("C/ Mayor", "Calle Mayor"),
    ],
)
def test_each_word_that_is_typed_means_one_that_is_indexed(typed: str, written: str) -> None:
    indexed = set(index_words(written).split())
    for word in words(typed):
        raw = {other for other in fold(typed).split() if word in readings(other)}
        assert {word, *readings(word), *(form for other in raw for form in readings(other))} & indexed


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("12a", (12, "a")),
        ("12 A", (12, "a")),
        ("12 1/2", (12, "1 2")),
        ("12-14", (12, "14")),
        ("A12", (0, "a12")),
        ("", (0, "")),
        ("9" * 30, (0, "9" * 30)),
    ],
)
def test_house_numbers_have_a_number_and_a_rest(number: str, expected: tuple[int, str]) -> None:
    assert number_of(number) == expected


@pytest.mark.parametrize(("text", "expected"), [("東京", True), ("서울", True), ("ラーメン", True), ("Zürich", False)])
def test_signs_are_distinguished_from_letters(text: str, expected: bool) -> None:
    assert is_sign_text(text) is expected


@given(st.text(max_size=60))
def test_folding_again_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(max_size=60))
def test_words_are_single_words_for_the_index(text: str) -> None:
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE t USING fts5(w, tokenize='unicode61 remove_diacritics 0')")
    index.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, row)")
    index.execute("INSERT INTO t VALUES (?)", (index_words(text),))
    known = {term for (term,) in index.execute("SELECT term FROM v")}
    index.close()
    assert {word for word in words(text) if word.isascii()} <= known


@pytest.mark.parametrize(
    ("short", "full"),
    [
        *(
            ("c", "carrer"),
            ("av", "avinguda"),
            ("avda", "avinguda"),
            ("pl", "placa"),
            ("pca", "placa"),
            ("pg", "passeig"),
        ),
        *(
            ("ptge", "passatge"),
            ("ctra", "carretera"),
            ("cra", "carretera"),
            ("urb", "urbanitzacio"),
            ("rbla", "rambla"),
        ),
    ],
)
def test_catalan_types_of_streets(short: str, full: str) -> None:
    assert full in readings(short)
    assert full in STREET_TYPES
