"""Validation of postal addresses of the United States and Canada by the areas in use and the table of postal codes.

- verified: the number is in the data on this street, and postal code, city and state agree.
- partially verified: the street is known there, but the number is not, or not everything agrees.
- ambiguous: several streets are equally likely.
- unverified: anything else, above all if no area in use has the streets.

Only facts from the data are claimed.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from engine.domain.addresses.address import Address, Layer
from engine.domain.addresses.validation import (
    AddressQuery,
    Correction,
    RecordType,
    UnitFinding,
    ValidatedAddress,
    VerificationStatus,
)
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.gazetteer.reader import AddressContext, Gazetteer, NamedDivision
from engine.gazetteer.rows import ZipCode
from engine.gazetteer.text import fold
from engine.geo.earth import distance_m
from engine.geocoding.formatting import Parts, formatted, street_line
from engine.geocoding.search.houses import ESTATE_M, has_hyphens, is_one_address
from engine.geocoding.search.parsing import with_digits
from engine.geocoding.search.wording.numbers import HYPHENATED
from engine.geocoding.states import CANADA, PROVINCES, US
from engine.geocoding.validation.data import (
    KnownHouse,
    KnownStreet,
    StreetBook,
    Streets,
    accepted_cities,
    city_key,
    street_forms,
    street_words,
    usual_code,
)
from engine.geocoding.validation.postal import (
    PostalCode,
    PostalLine,
    check_country,
    check_postal_code,
    check_state,
    other_forms,
    read_lines,
)
from engine.geocoding.validation.units import unit_of
from engine.geocoding.validation.uses import COMMERCIAL, WITH_UNITS, property_type_of
from engine.geocoding.world import World

SAME_HOUSE_M: Final = 300.0
"""Maximum distance in metres between houses of one address that have the same number and street name."""


class _ParsedQuery(Struct, frozen=True, kw_only=True):
    """A parsed query; `known_code` is its postal code in the table."""

    line: PostalLine
    city: str
    state: str
    country: str
    postal_code: PostalCode
    known_code: ZipCode | None

    def is_city(self, *names: str | None) -> bool:
        """Return whether the city is one of these names, or is accepted with the postal code."""
        return city_key(self.city) in accepted_cities(self.known_code) | {city_key(name) for name in names if name}


class _Match(Struct, frozen=True):
    """A street, and the house if the number is known."""

    street: KnownStreet
    house: KnownHouse | None = None


type _Judgement = tuple[VerificationStatus, _Match | None]

_UNVERIFIED: Final = (VerificationStatus.UNVERIFIED, None)


class AddressValidator:
    """Checks addresses. Thread-safe.

    A check takes about a millisecond, or longer for the first address of a county.
    """

    def __init__(self, world: World | None, areas: Sequence[Gazetteer]) -> None:
        """Take the world pack; without one, only the postal codes of houses in the areas are known."""
        self._world = world
        self._books = [StreetBook(area) for area in areas]

    def validate(self, query: AddressQuery) -> ValidatedAddress:
        """Return an address in its proper form, with its verification status.

        Raises `InvalidParameter` ``country_code`` (other than US and CA), ``state_code``, ``postal_code`` (malformed),
        ``city``, ``number``, ``street`` or ``address_label``.
        """
        parsed, (status, found) = self._judged(query)
        if found is None and (numbered := _in_digits(query)) is not None:
            again, judged = self._judged(numbered)
            if judged[1] is not None:
                parsed, (status, found) = again, judged
        corrected, changes = self._corrected(parsed, found)
        return self._answer(corrected, status, found, changes)

    def _read(self, query: AddressQuery) -> _ParsedQuery:
        country = check_country(query.country_code)
        state = check_state(query.state_code, country)
        code = check_postal_code(query.postal_code, country)
        city = " ".join(query.city.split())
        if not city:
            raise InvalidParameter("city", "city: must not be empty.")
        known = self._zip_code(code.code, country)
        lines = read_lines(query)
        parsed = _ParsedQuery(
            line=lines[-1], city=city, state=state, country=country, postal_code=code, known_code=known
        )
        return next((each for line in lines if self._is_as_given(each := replace(parsed, line=line))), parsed)

    def _is_as_given(self, parsed: _ParsedQuery) -> bool:
        """Return whether a street around the postal code is called exactly as given."""
        return parsed.line.street is not None and bool(self._named(parsed))

    def _named(self, parsed: _ParsedQuery) -> list[KnownStreet]:
        forms = street_forms(parsed.line.street or "")
        return [street for streets in self._around(parsed) for form in forms for street in streets.named(form)]

    def _judged(self, query: AddressQuery) -> tuple[_ParsedQuery, _Judgement]:
        parsed = self._read(query)
        if parsed.line.type is not RecordType.STREET:
            return parsed, (self._of_box(parsed), None)
        judged = self._look(parsed)
        if judged[1] is not None and judged[1].house is not None:
            return parsed, judged
        others = (replace(parsed, line=line) for line in other_forms(parsed.line, parsed.country))
        return next(((each, again) for each in others if _has_house(again := self._look(each), each)), (parsed, judged))

    def _of_box(self, parsed: _ParsedQuery) -> VerificationStatus:
        """Return the status of an address without a street.

        The post office may be known, but no data lists its boxes, routes and recipients.
        """
        known = parsed.known_code is not None and self._code_agrees(parsed) and parsed.is_city()
        return VerificationStatus.PARTIALLY_VERIFIED if known else VerificationStatus.UNVERIFIED

    def _code_agrees(self, parsed: _ParsedQuery) -> bool:
        """Return whether the state has the postal code, as far as the data shows."""
        if parsed.country == CANADA:
            return parsed.state in PROVINCES[parsed.postal_code.code[0]]
        if parsed.known_code is None:
            return self._world is None
        return parsed.known_code.active and parsed.known_code.state == parsed.state

    def _look(self, parsed: _ParsedQuery) -> _Judgement:
        agrees = self._code_agrees(parsed)
        # The first letter of a Canadian code is its province; a wrong US code is just as often a typing error.
        if parsed.line.street is None or not (agrees or parsed.country == US):
            return _UNVERIFIED
        judged = self._look_around(parsed)
        return judged if agrees or _has_own_code(judged[1]) else _UNVERIFIED

    def _look_around(self, parsed: _ParsedQuery) -> _Judgement:
        named = self._named(parsed)
        own = self._judge(parsed, named)
        # A street of the city that is called as given is never corrected to a similar one.
        if own != _UNVERIFIED or any(parsed.is_city(_name(street.context.city)) for street in named):
            return own
        forms = street_forms(parsed.line.street or "")
        similar = [street for streets in self._around(parsed) for form in forms for street in streets.like(form)]
        status, found = self._judge(parsed, similar, only_there=True)
        # A similar street is not certain to be the intended one.
        return (VerificationStatus.PARTIALLY_VERIFIED if status is VerificationStatus.VERIFIED else status), found

    def _around(self, parsed: _ParsedQuery) -> Iterable[Streets]:
        county = fold(parsed.known_code.county) if parsed.known_code else ""
        cities = accepted_cities(parsed.known_code) | {city_key(parsed.city)}
        for book in self._books:
            yield book.streets_of(parsed.country, parsed.state, parsed.postal_code.code, county, cities)

    def _judge(self, parsed: _ParsedQuery, streets: list[KnownStreet], *, only_there: bool = False) -> _Judgement:
        """Return the intended street of several; with `only_there`, houses with another postal code are ignored."""
        number = parsed.line.number
        found = [_Match(street, house) for street in streets for house in (street.houses(number) if number else ())]
        there = [each for each in found if self._has_code(parsed, each)]
        if complete := [each for each in there if self._has_city(parsed, each)]:
            return _one_of(complete, VerificationStatus.VERIFIED)
        nearby = [] if only_there else [each for each in found if self._has_city(parsed, each)]
        if nearly := there or nearby:
            return _one_of(nearly, VerificationStatus.PARTIALLY_VERIFIED)
        if around := [_Match(street) for street in streets if self._is_around(parsed, street)]:
            return _one_of(around, VerificationStatus.PARTIALLY_VERIFIED)
        return _UNVERIFIED

    def _has_code(self, parsed: _ParsedQuery, found: _Match) -> bool:
        """Return whether a house has the postal code; a house without a known code does if its street is around."""
        house = found.house
        if house is None or house.context.postal_code is None:
            return self._is_around(parsed, found.street)
        return usual_code(house.context.postal_code) == parsed.postal_code.code

    def _is_around(self, parsed: _ParsedQuery, street: KnownStreet) -> bool:
        """Return whether a street has houses with the postal code.

        If no codes are known there, the street must be in the city. In the United States, where codes have centres, the
        nearest centre to some point of the street must also be that of this code.
        """
        if codes := street.postal_codes():
            return parsed.postal_code.code in codes
        if not parsed.is_city(_name(street.context.city)):
            return False
        if self._world is None or parsed.country == CANADA:
            return True
        return any(self._nearest_code(point) == parsed.postal_code.code for point in street.points())

    def _nearest_code(self, point: Point) -> str | None:
        return self._world.nearest_zip_code(point, self._world.counties.at(point), None) if self._world else None

    def _has_city(self, parsed: _ParsedQuery, found: _Match) -> bool:
        """Return whether a house is in the city: by its location, or because its postal code accepts the city."""
        context = (found.house or found.street).context
        own = self._world.zip_code(usual_code(context.postal_code)) if self._world and context.postal_code else None
        return parsed.is_city(_name(context.city)) or city_key(parsed.city) in accepted_cities(own)

    def _answer(
        self, parsed: _ParsedQuery, status: VerificationStatus, found: _Match | None, changes: tuple[Correction, ...]
    ) -> ValidatedAddress:
        house = found.house if found else None
        return ValidatedAddress(
            address=_address(parsed, found, self._somewhere(parsed), self._spelled(parsed)),
            status=status,
            record_type=_record_type(parsed.line, found),
            property_type=property_type_of(house.use if house else None),
            plus4=parsed.postal_code.plus4,
            analysis=(*_analysis(parsed, house), *changes),
        )

    def _spelled(self, parsed: _ParsedQuery) -> str | None:
        """Return the city as GeoNames spells it: McCrory, which the table of postal codes has as Mccrory."""
        return self._world.spelled(fold(parsed.city), parsed.state) if self._world and parsed.country == US else None

    def _corrected(self, parsed: _ParsedQuery, found: _Match | None) -> tuple[_ParsedQuery, tuple[Correction, ...]]:
        """Return a query with the city and the postal code of the matched house, and the resulting corrections."""
        if found is None:
            return parsed, ()
        changes: list[Correction] = []
        if parsed.line.street and street_words(found.street.name) not in street_forms(parsed.line.street):
            changes.append(Correction.STREET)
        house = found.house
        code = usual_code(house.context.postal_code) if house and house.context.postal_code else None
        has_city = house is None or self._has_city(parsed, found)
        if code is not None and code != parsed.postal_code.code:
            changes.append(Correction.POSTAL_CODE)
            parsed = replace(parsed, postal_code=PostalCode(code), known_code=self._zip_code(code, parsed.country))
        if house is not None and not has_city and (city := _city_of(house, parsed.known_code)):
            changes.append(Correction.CITY)
            parsed = replace(parsed, city=city)
        return parsed, tuple(changes) if parsed.country == US else ()

    def _zip_code(self, code: str, country: str) -> ZipCode | None:
        return self._world.zip_code(code) if self._world and country == US else None

    def _somewhere(self, parsed: _ParsedQuery) -> Point:
        """Return an approximate position for an address that was not found, since every address has a position."""
        if parsed.known_code is not None and parsed.known_code.point is not None:
            return parsed.known_code.point
        country = self._world.country(parsed.country) if self._world else None
        return country.point if country else Point(0.0, 0.0)


def _has_house(judged: _Judgement, parsed: _ParsedQuery) -> bool:
    """Return whether a house was found, on a street that has numbers of this form: mostly with a hyphen, or without."""
    found, has_hyphen = judged[1], "-" in (parsed.line.number or "")
    if found is None or found.house is None:
        return False
    return parsed.country not in HYPHENATED or has_hyphens(found.street.gazetteer, found.street.id) is has_hyphen


def _in_digits(query: AddressQuery) -> AddressQuery | None:
    """Return a query with the number word at the beginning of its label in digits, or None if it has none."""
    label = query.label or ""
    numbered = label if query.number else with_digits(label)
    return replace(query, label=numbered) if numbered != label else None


def _one_of(found: list[_Match], status: VerificationStatus) -> _Judgement:
    """Return the match, or AMBIGUOUS if several differ."""
    first = found[0]
    if any(not _is_same(first, other) for other in found[1:]):
        return VerificationStatus.AMBIGUOUS, None
    house = first.house
    if house is not None:
        houses = [each.house for each in found if each.house is not None]
        used = next((each.use for each in houses if each.use), None)
        units = frozenset[str]().union(*(each.units for each in houses))
        return status, _Match(first.street, replace(house, use=used, units=units))
    return status, first


def _is_same(one: _Match, other: _Match) -> bool:
    if street_words(one.street.name) != street_words(other.street.name):
        return False
    if one.house is None or other.house is None:
        return True
    a, b = one.house.point, other.house.point
    within_m = ESTATE_M if _is_one_row(one.street, one.house, other.street, other.house) else SAME_HOUSE_M
    return distance_m(a.longitude, a.latitude, b.longitude, b.latitude) <= within_m


def _is_one_row(street: KnownStreet, house: KnownHouse, other_street: KnownStreet, other: KnownHouse) -> bool:
    """Return whether two houses are parts of one address: a number may cover all houses of an estate."""
    is_street = (street.gazetteer, street.id) == (other_street.gazetteer, other_street.id)
    return is_street and is_one_address(house.context, other.context)


def _has_own_code(found: _Match | None) -> bool:
    return found is not None and found.house is not None and found.house.context.postal_code is not None


def _city_of(house: KnownHouse, code: ZipCode | None) -> str | None:
    """Return the city of a house's address: its own if the postal code accepts it, else the code's."""
    own = _name(house.context.city)
    return own if code is None or city_key(own or "") in accepted_cities(code) else code.city


def _address(parsed: _ParsedQuery, found: _Match | None, somewhere: Point, spelled: str | None) -> Address:
    """Return an address as the data spells it, or as given where the data does not know it."""
    line = parsed.line
    house = found.house if found else None
    street = found.street.name if found else line.street
    number = house.number if house else line.number
    context = (house or found.street).context if found else AddressContext()
    label = street_line(street, number, parsed.country) if found else line.text
    unit = f" {line.unit.text}" if line.unit else ""
    city = _city(parsed, _name(context.city), spelled)
    parts = Parts(
        street=f"{label or line.text}{unit}",
        city=city,
        state_code=parsed.state,
        postal_code=parsed.postal_code.code,
        country_code=parsed.country,
    )
    return Address(
        point=house.point if house else somewhere,
        layer=Layer.ADDRESS,
        formatted=formatted(parts),
        label=label or line.text,
        number=number,
        street=street,
        unit=line.unit.id if line.unit else None,
        city=city,
        county=_name(context.county) or (parsed.known_code.county if parsed.known_code else None),
        state=_name(context.state),
        state_code=parsed.state,
        postal_code=parsed.postal_code.code,
        country=_name(context.country),
        country_code=parsed.country,
    )


def _name(division: NamedDivision | None) -> str | None:
    return division.name if division else None


def _city(parsed: _ParsedQuery, *spelled: str | None) -> str:
    """Return the city in its known spelling, preferring the most reliable source."""
    code = parsed.known_code
    names = [*filter(None, spelled), *([code.city, *code.accepted] if code else ())]
    return next((name for name in names if city_key(name) == city_key(parsed.city)), parsed.city)


def _record_type(line: PostalLine, found: _Match | None) -> RecordType:
    house = found.house if found else None
    if line.type is not RecordType.STREET or found is None or house is None:
        return line.type
    if house.units or (line.unit is not None and house.use in WITH_UNITS):
        return RecordType.HIGH_RISE
    if line.unit is None and house.use in COMMERCIAL and found.street.firms_at(house) == 1:
        return RecordType.FIRM
    return RecordType.STREET


def _analysis(parsed: _ParsedQuery, house: KnownHouse | None) -> tuple[UnitFinding, ...]:
    """Return the problem with the unit, if the units of the house are known."""
    if house is None or not house.units or parsed.country == CANADA:
        return ()
    if parsed.line.unit is None:
        return (UnitFinding.MISSING,)
    known = {unit_of(unit) for unit in house.units}
    given = {unit_of(fold(each)) for each in parsed.line.unit.ids}
    return () if given & known else (UnitFinding.INVALID,)
