"""Values of a track in the form that all formats share."""

from decimal import Decimal


def degrees(value: float) -> str:
    """Return a number with all its digits and without an exponent, which some formats do not allow."""
    return format(Decimal(repr(float(value))), "f")


def flag(value: bool | None) -> str:
    """Return true, false, or empty text for None."""
    return "" if value is None else str(value).lower()


def one_line(text: str) -> str:
    """Return a name without line breaks and other unprintable characters."""
    return "".join(each if each.isprintable() else " " for each in text).strip() or "track"
