"""Postal addresses of the United States and Canada as people write them: their lines, codes and states."""

import re
from typing import Final
from unicodedata import normalize

import usaddress
from msgspec import Struct

from engine.domain.addresses.validation import AddressQuery, RecordType
from engine.domain.errors import InvalidParameter
from engine.domain.values import replace
from engine.gazetteer.text import number_of
from engine.geocoding.search.parsing import in_digits
from engine.geocoding.search.wording.numbers import HYPHENATED, UNIT_FIRST, split_number, take_leading_unit, with_hyphen
from engine.geocoding.states import STATES, US
from engine.geocoding.validation.data import is_named
from engine.geocoding.validation.units import NO_LINE, Unit, read_unit, take_first_unit, take_number_sign, take_unit

_ZIP: Final = re.compile(r"(\d{5})(?:[- ]?(\d{4}))?", re.ASCII)
_CANADIAN: Final = re.compile(
    r"([ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z])[- ]?(\d[ABCEGHJ-NPRSTV-Z]\d)", re.ASCII | re.IGNORECASE
)
_SIGNED: Final = re.compile(r"#\s*\d+[-/]\d+[a-z]?\s", re.IGNORECASE)
_BEHIND_HYPHEN: Final = re.compile(r"(\d{1,3}[a-z]?)\s+(.+)", re.IGNORECASE)
_FRACTION: Final = re.compile(r"(?<=\d)\s*([¼½¾⅓⅔])")

_BEGINS_NUMBER: Final = re.compile(r"(?:[NSEW] ?\d+ ?)?[NSEW]?\d", re.IGNORECASE)
"""The start of a house number; on a numbering grid, two letters give the directions."""

_NUMBER: Final = re.compile(r"\d+(?:\.\d+|[A-Za-z]{1,2})?(?:[-/](?:\d+[A-Za-z]?|[A-Za-z]\b))?(?: \d/\d)?")
_NUMBERED: Final = re.compile(rf"(?P<number>{_NUMBER.pattern})\s+(?P<street>[^,]*\w)")
_BOX: Final = re.compile(
    r"p\.?\s*o\.?\s*b\.?\s*#?\s*\d[\w-]*(?=$|[\s,])|c\.?p\.?\s+\d+(?=$|,)"
    r"|(?:p\.?\s*o\.?\s*box|post\s+office\s+box|postal\s+box|p\.?\s*o\.?\s*drawer|b\.p\.|case\s+postale)\s*#?\s*"
    r"(?:[\w-]*\d[\w-]*(?=$|[\s,])|[\w-]+(?=$|,))|(?:box|bin|drawer|caller)\s*#?\s*\d[\w-]*(?=$|,)",
    re.IGNORECASE,
)
# "Unit 5, 120 Main St" begins with the unit of a house.
_MILITARY: Final = re.compile(
    r"(?:(?:psc|cmr|ship|omc|unit(?=\s+[\w-]+(?:\s+box\b|\s*,?\s*$)))\s+[\w-]+(?:\s+box\s+[\w-]+)?)(?=$|,)",
    re.IGNORECASE,
)
_RURAL: Final = re.compile(
    r"(?:r\.?\s*[rd]\.?|rural\s+(?:route|delivery)|h\.?c\.?|highway\s+contract|star\s+route)"
    r"\s*#?\s*\d+[a-z]?(?:\s+box\s+#?[\w-]+)?(?=$|,)",
    re.IGNORECASE,
)
_GENERAL: Final = re.compile(r"(?:general\s+delivery|poste\s+restante|gen\.?\s+del\.?)(?=$|,)", re.IGNORECASE)
_STREET_PARTS: Final = (
    "StreetNamePreModifier",
    "StreetNamePreDirectional",
    "StreetNamePreType",
    "StreetName",
    "StreetNamePostType",
    "StreetNamePostModifier",
    "StreetNamePostDirectional",
)
_UNIT_PARTS: Final = ("OccupancyType", "OccupancyIdentifier")


class PostalLine(Struct, frozen=True, kw_only=True):
    """The line with the street or box; `text` is the whole line as written, without a unit."""

    type: RecordType
    text: str
    number: str | None = None
    street: str | None = None
    unit: Unit | None = None


class PostalCode(Struct, frozen=True):
    """A postal code without its extension, and the optional four-digit extension."""

    code: str
    plus4: str | None = None


def check_country(code: str) -> str:
    """Return ``US`` or ``CA``. Raises `InvalidParameter` ``country_code``."""
    country = code.strip().upper()
    if country not in STATES:
        raise InvalidParameter("country_code", f"country_code: must be US or CA, not {code!r}.")
    return country


def check_state(code: str, country: str) -> str:
    """Return the two letters of the state or province. Raises `InvalidParameter` ``state_code``."""
    state = code.strip().upper()
    if state not in STATES[country]:
        example = "PA" if country == US else "ON"
        raise InvalidParameter(
            "state_code", f"state_code: must be a state of {country} such as {example}, not {code!r}."
        )
    return state


def check_postal_code(text: str, country: str) -> PostalCode:
    """Return a postal code in the usual notation. Raises `InvalidParameter` ``postal_code``."""
    stripped = text.strip()
    if country == US:
        if found := _ZIP.fullmatch(stripped):
            return PostalCode(found[1], found[2])
        form = "five digits, or nine as in 16801-1234"
    else:
        if found := _CANADIAN.fullmatch(stripped):
            return PostalCode(f"{found[1]} {found[2]}".upper())
        form = "letters and digits as in K1A 0B1"
    raise InvalidParameter("postal_code", f"postal_code: must be {form}, not {text!r}.")


def read_lines(query: AddressQuery) -> tuple[PostalLine, ...]:
    """Return the ways to read the line with the street or box of a query.

    The last way does not depend on known streets. In the others, words that look like a unit are part of the street:
    Avenue B. Number and street take precedence over the label, which must not have another number. Raises
    `InvalidParameter` ``number``, ``street`` or ``address_label``.
    """
    query = replace(query, number=_checked_number(query.number))
    number, street, label = (" ".join((text or "").split()) for text in (query.number, query.street, query.label))
    if not label:
        for name, value in (("number", number), ("street", street)):
            if not value:
                raise InvalidParameter(name, f"{name}: must not be empty without an address label.")
    lines = _numbered(number, street) if number and street else parse_lines(label)
    if number and label:
        other = parse_line(label).number
        if other is not None and other.casefold() != number.casefold():
            raise InvalidParameter(
                "address_label",
                f"address_label: must have the same number as the parameter, {number!r}, not {other!r}.",
            )
    unit = read_unit(query.unit or "")
    return tuple(replace(line, unit=unit or line.unit) for line in lines)


def _checked_number(text: str | None) -> str | None:
    """Return a house number, or None if it is empty. Raises `InvalidParameter` ``number`` if it is malformed."""
    number = in_digits(_with_plain_fraction(" ".join((text or "").split())))
    if number and not _BEGINS_NUMBER.match(number):
        raise InvalidParameter(
            "number",
            f"number: must start with a digit, such as 12 or 12-34, or look like N95W17996, not {number[:60]!r}.",
        )
    return number or None


def _with_plain_fraction(text: str) -> str:
    """Return 517½ as 517 1/2."""
    return _FRACTION.sub(lambda found: " " + normalize("NFKD", found[1]).replace("\u2044", "/"), text)


def _numbered(number: str, street: str) -> tuple[PostalLine, ...]:
    """Return the lines of a separately given number and street; the number may have any form (``632 C``)."""
    lines = parse_lines(f"{number} {street}")
    if lines[-1].type is not RecordType.STREET:
        return lines
    # With a plain number before it, the street is parsed reliably, and so is a unit after it.
    return tuple(
        replace(plain, number=number, street=plain.street or street, text=f"{number} {plain.street or street}")
        for plain in parse_lines(f"1 {street}")
    )


def parse_line(text: str) -> PostalLine:
    """Return the contents of a line such as ``120 E Main St Apt 4``; any text is accepted."""
    return parse_lines(text)[-1]


def parse_lines(text: str) -> tuple[PostalLine, ...]:
    """Return the ways to read a line; the last one does not depend on known streets."""
    bare = _with_plain_fraction(text.strip(" ,"))
    for kind, form in (
        (RecordType.RURAL_ROUTE, _RURAL),
        (RecordType.POST_OFFICE_BOX, _BOX),
        (RecordType.POST_OFFICE_BOX, _MILITARY),
        (RecordType.GENERAL_DELIVERY, _GENERAL),
    ):
        found = form.match(bare)
        if found is not None:
            return (PostalLine(type=kind, text=found[0].strip().upper()),)
    leading, rest = take_leading_unit(bare)
    unit = read_unit(leading) if leading else None
    if unit is None:
        rest, unit = take_first_unit(bare)
    if unit is None and _SIGNED.match(bare):
        return parse_lines(bare.lstrip("#"))
    if unit is not None and (behind := parse_lines(rest))[-1].number and behind[-1].street:
        return tuple(line if line.unit else replace(line, unit=unit) for line in behind)
    line = _street_line(bare)
    return (*_whole_lines(bare), line, _with_name(line, bare))


def other_forms(line: PostalLine, country: str) -> tuple[PostalLine, ...]:
    """Return other ways to read the number of a line: with a unit (5-332 in Canada), or without its hyphen (10815)."""
    if line.number is None or line.street is None:
        return ()
    found: list[PostalLine] = []
    if line.unit is None and (numbers := split_number(line.number)) is not None:
        house, unit = reversed(numbers) if country in UNIT_FIRST else numbers
        # 12-16 may be a range, or a unit and its house.
        if country in UNIT_FIRST or number_of(house) > number_of(unit):
            found.append(_with_number(line, house, line.street, read_unit(unit)))
    if country in HYPHENATED:
        found += (_with_number(line, number, line.street, line.unit) for number in with_hyphen(line.number))
        if line.number.isdigit() and (behind := _BEHIND_HYPHEN.fullmatch(line.street)):
            found.append(_with_number(line, f"{line.number}-{behind[1]}", behind[2], line.unit))
    return tuple(found)


def _with_number(line: PostalLine, number: str, street: str, unit: Unit | None) -> PostalLine:
    return replace(line, number=number, street=street, unit=unit, text=f"{number} {street}")


def _whole_lines(text: str) -> tuple[PostalLine, ...]:
    """Return the lines whose street is all that follows the number, before each kind of unit at the end.

    They are followed by those without a number, which are only a street.
    """
    rests = [(text, None), *(taken for taken in (take_number_sign(text), take_unit(text)) if taken[1] is not None)]
    numbered: dict[str, PostalLine] = {}
    others: dict[str, PostalLine] = {}
    for bare, unit in rests:
        if found := _NUMBERED.match(bare):
            # A unit behind a comma leaves the same street.
            numbered[found["street"]] = _whole_line(found["number"], found["street"], unit)
        street = bare.partition(",")[0].strip()
        others[street] = _whole_line(None, street, unit)
    return (*numbered.values(), *others.values())


def _whole_line(number: str | None, street: str, unit: Unit | None) -> PostalLine:
    text = f"{number} {street}" if number else street
    return PostalLine(type=RecordType.STREET, text=text, number=number, street=street or None, unit=unit)


def _street_line(text: str) -> PostalLine:
    if NO_LINE.match(text):
        return PostalLine(type=RecordType.STREET, text=text)
    bare, unit = take_unit(text)
    if unit is not None and (line := _tagged_line(bare)).number and line.street:
        return replace(line, unit=unit)
    return _tagged_line(text)


def _with_name(line: PostalLine, text: str) -> PostalLine:
    """Return a line whose street is more than a direction and a type: 12 Avenue B has no unit B."""
    if not line.street or line.number is None or is_named(line.street):
        return line
    whole = [each for each in _whole_lines(text) if each.number == line.number]
    return whole[-1] if whole else line


def _tagged_line(text: str) -> PostalLine:
    parts: dict[str, list[str]] = {}
    # Unlike `tag`, this accepts an address that has a part twice.
    for word, part in usaddress.parse(text):
        parts.setdefault(part, []).append(word.strip(",;"))
    number = " ".join(part for name in ("AddressNumber", "AddressNumberSuffix") for part in parts.get(name, [])[:1])
    street = " ".join(word for part in _STREET_PARTS for word in parts.get(part, []))
    if street and (west := re.search(rf"{re.escape(street)} O(?:\.|uest)?(?=,|$)", text, re.IGNORECASE)):
        # Ouest, which does not occur in addresses of the United States.
        street = west[0]
    # Without a street, a part parsed as a unit is the street or meaningless.
    has_unit = bool(number and street)
    if not _NUMBER.fullmatch(number) or not street:
        number, street = _split_number(text)
    unit = " ".join(word for name in _UNIT_PARTS for word in parts.get(name, []))
    return PostalLine(
        type=RecordType.STREET,
        text=" ".join(part for part in (number, street) if part) or text,
        number=number or None,
        street=street or None,
        unit=read_unit(unit) if has_unit and number else None,
    )


def _split_number(text: str) -> tuple[str, str]:
    """Return the number and the street of a line with an unusual form: ``Hauptstrasse 12``, ``12``."""
    line = text.partition(",")[0]
    found = _NUMBER.match(line) or re.search(rf"(?<= ){_NUMBER.pattern}$", line)
    if found is None:
        return "", line
    return found[0], (line[: found.start()] + line[found.end() :]).strip()
