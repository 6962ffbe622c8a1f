"""Times follow ISO 8601, and the machine's clock shows whole milliseconds."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from engine.domain.clock import utc_text
from engine.domain.ports import SystemClock

ZONES = st.integers(-23, 23).map(lambda hours: timezone(timedelta(hours=hours)))
MOMENTS = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=st.just(UTC) | ZONES)


@given(MOMENTS)
def test_a_time_is_spelled_in_utc_to_the_millisecond(moment: datetime) -> None:
    assert utc_text(moment) == moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def test_the_clock_shows_whole_milliseconds_of_now() -> None:
    before, now, after = datetime.now(UTC), SystemClock().now(), datetime.now(UTC)
    assert now.microsecond % 1000 == 0
    assert before - timedelta(milliseconds=1) < now <= after
