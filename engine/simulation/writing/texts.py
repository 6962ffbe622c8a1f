"""Values of a track as every format writes them."""

from decimal import Decimal


def degrees(value: float) -> str:
    """Return a number with all its digits and without an exponent, which not every format allows."""
    return format(Decimal(repr(float(value))), "f")


def flag(value: bool | None) -> str:
    """Return true, false, or nothing."""
    return "" if value is None else str(value).lower()


def one_line(text: str) -> str:
    """Return a name without what is no character of a line."""
    return "".join(each if each.isprintable() else " " for each in text).strip() or "track"
