"""Values of a track as every format writes them."""

from datetime import UTC, datetime
from decimal import Decimal


def degrees(value: float) -> str:
    """Return a number with all its digits and without an exponent, which not every format allows."""
    return format(Decimal(repr(float(value))), "f")


def moment(at: datetime) -> str:
    """Return a time in UTC with as many decimals as it has."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def seconds(at: datetime) -> str:
    """Return a time in UTC and whole seconds."""
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def flag(value: bool | None) -> str:
    """Return true, false, or nothing."""
    return "" if value is None else str(value).lower()


def one_line(text: str) -> str:
    """Return a name without what is no character of a line."""
    return "".join(each if each.isprintable() else " " for each in text).strip() or "track"
