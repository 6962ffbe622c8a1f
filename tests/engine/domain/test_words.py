"""Suggestions for misspelled names."""

import pytest

from engine.domain.words import closest, did_you_mean

KNOWN = ("bufferEntries", "bufferExits", "stopDetection", "rateLimit", "tag")


@pytest.mark.parametrize(
    ("name", "suggested"),
    [
        ("bufferEntrys", "bufferEntries"),
        ("rate_limit", "rateLimit"),
        ("RATE-LIMIT", "rateLimit"),
        ("stopdetecton", "stopDetection"),
        ("tags", "tag"),
        ("zone", None),
        ("", None),
        ("tag" * 1_000, None),
    ],
)
def test_the_most_similar_name_is_suggested(name: str, suggested: str | None) -> None:
    assert closest(name, KNOWN) == suggested
    assert did_you_mean(name, KNOWN) == ("." if suggested is None else f"; did you mean {suggested}?")


def test_without_a_similar_name_the_message_ends_otherwise() -> None:
    assert did_you_mean("zone", KNOWN, "; see the list.") == "; see the list."
    assert did_you_mean("zone", ()) == "."


def test_a_name_may_have_to_be_more_similar() -> None:
    assert closest("bufferEnds", KNOWN) == "bufferEntries"
    assert closest("bufferEnds", KNOWN, similarity=0.9) is None
