"""Words that resemble a typed word."""

import random
from string import ascii_lowercase

from engine.geocoding.search.typos import Vocabulary, slips_allowed
from tests.osm_addresses import slip

WORDS = ("street", "atherton", "springfield", "washington", "main", "maine", "aulestrasse", "9490", "ab")


def vocabulary(*, by_ends: bool = True) -> Vocabulary:
    return Vocabulary(lambda first: (word for word in WORDS if first in (None, word[0])), by_ends=by_ends)


def test_one_slip_in_a_long_word_is_found_wherever_it_is() -> None:
    known, source = vocabulary(), random.Random(1)
    for word in ("atherton", "springfield", "washington", "aulestrasse"):
        for _ in range(200):
            typed = slip(word, source)
            assert typed == word or word in known.near(typed), typed


def test_the_nearest_words_are_returned_and_less_certain_than_the_word_itself() -> None:
    assert set(vocabulary().near("mainr")) == {"main", "maine"}
    assert all(0 < quality < 1 for quality in vocabulary().near("mainr").values())


def test_numbers_and_very_short_words_have_no_typos() -> None:
    assert vocabulary().near("9491") == {}
    assert vocabulary().near("ac") == {}
    assert slips_allowed("ab") == 0


def test_without_ends_the_first_letter_is_taken_for_right() -> None:
    assert vocabulary(by_ends=False).near("wtreet") == {}
    assert "street" in vocabulary(by_ends=False).near("strret")


def test_of_many_similar_beginnings_the_longest_are_returned_in_any_order_of_the_words() -> None:
    words = [f"iat{one}{two}" for one in ascii_lowercase[1:] for two in "nopqr"]

    def returned(listed: list[str]) -> list[str]:
        return list(Vocabulary(lambda _: listed, by_ends=False).near_beginning("iata"))

    assert returned(words) == returned(words[::-1]) == [f"iat{one}" for one in "bcdefghi"]
    assert returned([*words, "iatnaz"])[:2] == ["iatna", "iatb"]
