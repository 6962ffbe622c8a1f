"""Formatting of addresses according to their country.

The United States, Canada and other countries where the number comes first: ``120 East Main Street, State College, PA
16801 US``. German-speaking and Nordic countries: ``Äulestrasse 12, 9490 Vaduz LI``. Countries with Romance languages
put a comma before the number: ``Rua Augusta, 12, 1100-053 Lisboa PT``. The end is always the two-letter country code.
"""

from typing import Final

from msgspec import Struct

_NUMBER_FIRST: Final = frozenset("US CA GB IE AU NZ FR LU MC MT IN ZA SG PH MY HK IL TH".split())  # noqa: SIM905
_COMMA_BEFORE_NUMBER: Final = frozenset("ES PT IT BR AR MX CL CO UY PE SM VA AD".split())  # noqa: SIM905
_STATE_IN_LINE: Final = frozenset("US CA AU".split())  # noqa: SIM905
_CODE_LAST: Final = frozenset("GB IE MT IN SG NZ".split())  # noqa: SIM905


class Parts(Struct, frozen=True, kw_only=True):
    """The parts of an address. Unknown ones are None."""

    name: str | None = None
    number: str | None = None
    street: str | None = None
    city: str | None = None
    state_code: str | None = None
    postal_code: str | None = None
    country_code: str | None = None


def street_line(street: str | None, number: str | None, country_code: str | None) -> str | None:
    """Return a street with its number in the order of the country, or None without a street."""
    if street is None or number is None:
        return street
    if country_code in _NUMBER_FIRST:
        return f"{number} {street}"
    comma = "," if country_code in _COMMA_BEFORE_NUMBER else ""
    return f"{street}{comma} {number}"


def formatted(parts: Parts) -> str:
    """Return the whole address on one line."""
    line = street_line(parts.street, parts.number, parts.country_code)
    pieces = [piece for piece in (parts.name, line, *_city_pieces(parts)) if piece]
    text = ", ".join(dict.fromkeys(pieces))
    if not text or not parts.country_code:
        return text or parts.country_code or ""
    # A comma if the country code would otherwise follow a street or a name.
    follows_city = bool(parts.city or parts.postal_code or (parts.state_code and parts.country_code in _STATE_IN_LINE))
    return f"{text} {parts.country_code}" if follows_city else f"{text}, {parts.country_code}"


def _city_pieces(parts: Parts) -> tuple[str, ...]:
    country = parts.country_code
    if country in _STATE_IN_LINE:
        return parts.city or "", _joined(parts.state_code, parts.postal_code)
    if country in _CODE_LAST:
        return (_joined(parts.city, parts.postal_code),)
    return (_joined(parts.postal_code, parts.city),)


def _joined(*texts: str | None) -> str:
    return " ".join(text for text in texts if text)
