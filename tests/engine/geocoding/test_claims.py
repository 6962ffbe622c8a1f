"""States, provinces and countries in queries that contradict the result."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.addresses.address import Address, ForwardQuery, Layer, MatchConfidence
from engine.domain.geometry import Point
from engine.gazetteer.rows import DivisionLayer
from engine.gazetteer.writer import Context, Division, GazetteerWriter, House, Street
from engine.geocoding.embedded import EmbeddedGeocoder
from engine.geocoding.search.own_names import country_names
from engine.geocoding.search.wording.claims import code_in
from engine.geocoding.states import STATE_NAMES, STATES

EXACT = MatchConfidence.EXACT

TOWNS = {
    "New York": ("United States", "US", "New York", "NY", "New York County", "10271", Point(-74.0107, 40.7083)),
    "La Crosse": ("United States", "US", "Wisconsin", "WI", "La Crosse County", "54601", Point(-91.24, 43.81)),
    "Ontario": ("United States", "US", "California", "CA", "San Bernardino County", "91761", Point(-117.65, 34.06)),
    "Vancouver": ("Canada", "CA", "British Columbia", "BC", "Mount Pleasant", "V6H 1G2", Point(-123.12, 49.26)),
    "Vaduz": ("Liechtenstein", "LI", None, None, None, "9490", Point(9.52, 47.14)),
}
STREETS = ("Broadway", "Avenue de la Gare", "Maple Court", "Delaware Avenue")
OTHER_NAMES = {"New York": {"es": "Estado de Nueva York"}, "United States": {"fr": "États-Unis"}}


@pytest.fixture(scope="module")
def geocoder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedGeocoder]:
    file = tmp_path_factory.mktemp("towns") / "gazetteer.sqlite"
    with GazetteerWriter(file, {"name": "towns"}) as writer:
        for town in TOWNS:
            _write_town(writer, town)
    opened = EmbeddedGeocoder([file])
    yield opened
    opened.close()


def _write_town(writer: GazetteerWriter, town: str) -> None:
    country_name, country_code, state_name, state_code, county_name, postal_code, point = TOWNS[town]

    def division(layer: DivisionLayer, name: str | None, context: Context, code: str | None = None) -> int | None:
        if name is None:
            return None
        names = OTHER_NAMES.get(name, {})
        number = writer.context(context)
        return writer.division(Division(layer=layer, name=name, code=code, names=names, point=point, context=number))

    country = division(Layer.COUNTRY, country_name, Context(), country_code)
    around = Context(country=country, country_code=country_code)
    state = division(Layer.STATE, state_name, around, state_code)
    around = Context(country=country, state=state, country_code=country_code)
    county = division(Layer.COUNTY, county_name, around)
    around = Context(country=country, state=state, county=county, country_code=country_code)
    city = division(Layer.LOCALITY, town, around)
    within = writer.context(
        Context(
            country=country,
            state=state,
            county=county,
            city=city,
            postal_code=postal_code,
            country_code=country_code,
        )
    )
    for row, name in enumerate(STREETS):
        at = Point(point.longitude, point.latitude + row * 0.002)
        street = writer.street(Street(name=name, point=at, context=within))
        writer.house(House(street=street, number="120", point=at, context=within))


def best(geocoder: EmbeddedGeocoder, text: str) -> Address | None:
    return next(iter(geocoder.forward(ForwardQuery(text=text))), None)


FORMS = (
    "120 {street}, {town}, {region} {code}",
    "120 {street}, {town}, {region}",
    "120 {street}, {town} {region}",
    "120 {street} {town} {region} {code}",
    "120 {street} {town} {region}",
    "{street} 120, {code} {town}, {region}",
)
REGIONS = [
    *sorted(STATES["US"] | STATES["CA"]),
    *sorted(name.title() for name in STATE_NAMES),
    *sorted(country_names()),
    *sorted(name for names in country_names().values() for name in names if name.isascii()),
]


def _means(region: str, town: str) -> bool:
    """Return whether a region is that of a town, or is written like the town."""
    country_name, country_code, state_name, state_code, _, _, _ = TOWNS[town]
    folded = region.casefold()
    own = {country_name, country_code, state_name, state_code, town, *country_names()[country_code]}
    # The code of the vehicles of Liechtenstein is that of Florida.
    signs = {"fl"} if country_code == "LI" else set()
    return folded in {name.casefold() for name in own if name} | signs


@given(st.sampled_from(sorted(TOWNS)), st.sampled_from(STREETS), st.sampled_from(REGIONS), st.sampled_from(FORMS))
def test_a_region_that_contradicts_the_house_is_never_exact(
    geocoder: EmbeddedGeocoder, town: str, street: str, region: str, form: str
) -> None:
    text = form.format(street=street, town=town, region=region, code=TOWNS[town][5])
    found = best(geocoder, text)
    if not _means(region, town):
        assert found is None or found.confidence is not EXACT


@pytest.mark.parametrize("street", STREETS)
@pytest.mark.parametrize(
    ("town", "regions"),
    [
        ("New York", ("NY", "ny", "New York", "NY, USA", "US", "United States", "NY US", "États-Unis")),
        ("La Crosse", ("WI", "Wisconsin", "WI, USA")),
        ("Ontario", ("CA", "California")),
        ("Vancouver", ("BC", "British Columbia", "BC, Canada", "CA", "BC CA")),
        ("Vaduz", ("LI", "Liechtenstein", "FL")),
    ],
)
def test_the_region_of_the_house_is_exact(
    geocoder: EmbeddedGeocoder, town: str, regions: tuple[str, ...], street: str
) -> None:
    for region in regions:
        found = best(geocoder, f"120 {street}, {town}, {region}")
        assert (found and found.confidence) is EXACT, region


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("120 Broadway, New York, DE 10271", "de"),
        ("120 Broadway, New York, de", "de"),
        ("120 Broadway, New York IN, USA", "in"),
        ("1312 West Broadway Vancouver ON", "on"),
        ("1312 West Broadway Vancouver ON V6H 1G2 Canada", "on"),
        ("Stephansplatz 1, Wien, AT", "at"),
        ("Rue de la Gare 5, Paris", None),
        ("Avenue de la Gare 5", None),
        ("Frankfurt am Main", None),
        ("de", None),
        ("", None),
    ],
)
def test_two_letters_in_the_place_of_a_state_are_a_code(text: str, code: str | None) -> None:
    assert code_in(text) == code


@pytest.mark.parametrize(
    "text", ["Broadway Nr 120, Vaduz", "Vaduz Broadway Nr 120", "Broadway Nr. 120", "120 Broadway PH"]
)
def test_words_of_numbers_and_units_are_no_countries(geocoder: EmbeddedGeocoder, text: str) -> None:
    found = geocoder.forward(ForwardQuery(text=text, countries=frozenset({"LI"})))
    assert found[0].confidence is EXACT


@pytest.mark.parametrize("text", ["Broadway & Maple Court, New York, LA", "Broadway & Maple Court, New York, Ohio"])
def test_a_corner_in_another_state_is_not_exact(geocoder: EmbeddedGeocoder, text: str) -> None:
    assert all(each.confidence is not EXACT for each in geocoder.forward(ForwardQuery(text=text)))


def test_a_code_decides_between_namesakes(pack: Path) -> None:
    world = EmbeddedGeocoder([], pack / "world.sqlite")
    for text, formatted in (
        ("London, ON", "London, ON CA"),
        ("Portland IN", "Portland, IN US"),
        ("Dover, DE, USA", "Dover, DE US"),
        ("Alexandria, LA", "Alexandria, LA US"),
    ):
        found = best(world, text)
        assert found is not None
        assert (found.formatted, found.confidence) == (formatted, EXACT)
    world.close()


@pytest.mark.parametrize("sign", ["A", "F", "CH", "FR", "AT", "US", "PL"])
def test_the_sign_of_another_country_before_the_postal_code_is_not_exact(geocoder: EmbeddedGeocoder, sign: str) -> None:
    found = best(geocoder, f"Avenue de la Gare 120, {sign}-9490 Vaduz")
    assert found is not None
    assert (found.city, found.confidence) == ("Vaduz", MatchConfidence.FALLBACK)


@pytest.mark.parametrize(
    "text",
    [
        "Avenue de la Gare 120, FL-9490 Vaduz",
        "Avenue de la Gare 120, LI-9490 Vaduz",
        "120 Broadway, New York, NY-10271",
        "120 Broadway, New York, US-10271",
    ],
)
def test_the_own_sign_or_state_before_the_postal_code_is_exact(geocoder: EmbeddedGeocoder, text: str) -> None:
    found = best(geocoder, text)
    assert found is not None
    assert found.confidence is EXACT


@pytest.mark.parametrize("beginning", ["New", "British", "La"])
def test_the_beginning_of_a_city_or_state_proves_nothing(geocoder: EmbeddedGeocoder, beginning: str) -> None:
    found = best(geocoder, f"120 Broadway, {beginning}")
    assert found is None or found.confidence is not EXACT
