"""Dates in an import table: unambiguous ones are read, and none is guessed."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.errors import InvalidParameter
from engine.geofences.imports.dates import read_date


def read(text: str) -> str:
    return read_date(text, "disableAfter").isoformat().removesuffix("+00:00")


def refused(text: str) -> str:
    with pytest.raises(InvalidParameter) as caught:
        read_date(text, "disableAfter")
    assert caught.value.param == "disableAfter"
    assert caught.value.message.startswith(f"disableAfter: {text!r} ")
    return caught.value.message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2029-01-31", "2029-01-31T00:00:00"),
        ("20290131", "2029-01-31T00:00:00"),
        ("2029-01-31T10:00:00Z", "2029-01-31T10:00:00"),
        ("2029-01-31 10:00", "2029-01-31T10:00:00"),
        ("2029-01-31T01:00:00.123456+02:00", "2029-01-30T23:00:00.123000"),
        ("2029-01-31 10:00 UTC", "2029-01-31T10:00:00"),
        ("2029/1/2", "2029-01-02T00:00:00"),
        ("Jan 1, 2029", "2029-01-01T00:00:00"),
        ("1 January 2029", "2029-01-01T00:00:00"),
        ("1-Jan-2029 6pm", "2029-01-01T18:00:00"),
        ("Monday, January 1, 2029 3:04 PM", "2029-01-01T15:04:00"),
        ("Mon, 01 Jan 2029 10:00:00 GMT", "2029-01-01T10:00:00"),
        ("Jan 1 2029 10:00 -05:00", "2029-01-01T15:00:00"),
        ("1/31/2029", "2029-01-31T00:00:00"),
        ("31/1/2029 18:30", "2029-01-31T18:30:00"),
        ("31.1.2029", "2029-01-31T00:00:00"),
        ("5/5/2029", "2029-05-05T00:00:00"),
        ("Feb 29, 2028", "2028-02-29T00:00:00"),
    ],
)
def test_clear_dates(text: str, expected: str) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    "text",
    ["Tuesday", "10:00", "2029", "Jan 1", "January 2029", "2029-01", "Jan 2029 10:00", "1/31"],
)
def test_missing_parts_are_not_taken_from_today(text: str) -> None:
    assert "give a year, a month and a day" in refused(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1/2/2029", "may be 2 January or 1 February; write 2029-01-02 or 2029-02-01"),
        ("01.02.2029 10:00", "may be 2 January or 1 February"),
        ("1/31/29", "must have a year of four digits"),
        ("Jan 1 28 2029", "must have a year of four digits"),
        ("Tuesday, January 1, 2029", "is a Monday, not a Tuesday"),
        ("Jan 1 2029 10:00 PST", "names the zone PST; write an offset"),
        ("Jan 1 2029 10:00 GMT+3", "a zone with an offset"),
        ("Jan 1 2029 10:00 BRST+3", "names the zone BRST"),
        ("Jan 1 2029 10:00 -99:00", "has an offset of a day or more"),
    ],
)
def test_ambiguous_dates(text: str, message: str) -> None:
    assert message in refused(text)


@pytest.mark.parametrize(
    "text",
    [
        *("2029-02-30", "2029-13-01", "20291301", "Feb 29, 2029", "2029-01-31T24:01", "Jan 1, 2029 25:00"),
        *("soon", "tomorrow", "47119", "2029-W01-1", "2029-032", "nan", "0000-01-01", "1.5 Feb 2029"),
        *("9999-12-31T23:59-10:00", "\u0661/1/2029", "2029-01-01T10:00:60Z"),
    ],
)
def test_invalid_dates(text: str) -> None:
    assert "is not a date" in refused(text)


pieces = st.sampled_from([*"0123456789/-.,: TZ+", "2029", "Jan", "feb", "Tue", "AM", "pm", "UTC", "10:00", "e9", "1st"])


@given(st.lists(pieces, max_size=14).map("".join) | st.text(max_size=80))
def test_any_text_is_a_date_or_refused(text: str) -> None:
    try:
        moment = read_date(text, "deleteAfter")
    except InvalidParameter as error:
        assert len(error.message) < 200  # noqa: PT017 - a refusal is one of the two good outcomes
    else:
        assert str(moment.year) in text or "-" in text or "+" in text  # an offset may lead into the next year
        assert moment.tzinfo is UTC


@given(st.datetimes(datetime(1971, 1, 1), datetime(2199, 12, 31)))
def test_every_form_of_a_moment_is_that_moment(moment: datetime) -> None:
    moment = moment.replace(microsecond=0)
    for form in ("%Y-%m-%dT%H:%M:%S", "%B %d, %Y %H:%M:%S", "%a %d %b %Y %I:%M:%S %p", "%Y/%m/%d %H:%M:%S"):
        assert read_date(moment.strftime(form), "at") == moment.replace(tzinfo=UTC)
