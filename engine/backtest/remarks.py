"""Remarks on the location updates of a back-test that hint at a mistake in how the history was read."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from engine.backtest.fences import microseconds, moment_of
from engine.backtest.partitions import Decided

_EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)
_AHEAD: Final = timedelta(days=2)
"""How far in the future an update may be without a remark: the clocks of devices and time zones may be wrong."""


def remarks(sums: Decided, now: datetime) -> Iterator[str]:
    """Yield what is unusual about the updates of all partitions."""
    if sums.first_us is not None and sums.first_us < microseconds(_EARLIEST):
        yield f"The first location update is from {_day(sums.first_us)}. Is the column of the time the right one?"
    if sums.last_us is not None and sums.last_us > microseconds(now + _AHEAD):
        yield f"The last location update is from {_day(sums.last_us)}, which is in the future."
    if sums.fixes and not sums.near:
        yield "No location update was near a geofence. Are longitude and latitude in the right columns?"


def _day(at_us: int) -> str:
    return f"{moment_of(at_us):%Y-%m-%d}"
