"""Moments as the database holds them: milliseconds since 1970."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def to_ms(moment: datetime) -> int:
    """Return a moment as milliseconds since 1970."""
    return (moment - _EPOCH) // _MILLISECOND


def from_ms(milliseconds: int) -> datetime:
    """Return the moment of milliseconds since 1970, in UTC."""
    return _EPOCH + milliseconds * _MILLISECOND
