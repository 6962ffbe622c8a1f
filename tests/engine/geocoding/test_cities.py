"""Cities that queries name: the right ones, those of the post, the next town's, and those that nothing proves."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import shapely

from engine.domain.addresses.address import Address, AutocompleteQuery, ForwardQuery, Layer, ReverseQuery
from engine.domain.geometry import Point
from engine.gazetteer.writer import Context, Division, GazetteerWriter, House, Street
from engine.geocoding.embedded import EmbeddedGeocoder

type Ask = Callable[[str], tuple[Address, ...]]

HILLTON, VALETON, BIGTON, FARTON = Point(-80.0, 40.0), Point(-80.1, 40.0), Point(-80.0, 40.1), Point(-80.0, 44.0)
BESIDE_VALETON = Point(-80.08, 40.0)
TOWNS = (("Hillton", HILLTON, 9_000), ("Valeton", VALETON, 9_000), ("Bigton", BIGTON, 700_000))


class Land:
    """Writes a country of one state and two counties, with towns and their streets."""

    def __init__(self, writer: GazetteerWriter, code: str, state: str, state_code: str | None, county: str) -> None:
        self.writer = writer
        self.country = self._divide(Layer.COUNTRY, "Land", HILLTON, Context(), code=code)
        around = Context(country=self.country, country_code=code)
        west, east = (shapely.to_wkb(shapely.box(*box)) for box in ((-81, 39, -80.05, 41), (-80.05, 39, -79, 41)))
        self.state = self._divide(Layer.STATE, state, HILLTON, around, code=state_code)
        around = Context(country=self.country, state=self.state, country_code=code)
        self.counties = {
            "West": self._divide(Layer.COUNTY, "West County", VALETON, around, outline=west),
            "East": self._divide(Layer.COUNTY, county, HILLTON, around, outline=east),
        }
        self.code = code

    def _divide(
        self, layer: Layer, name: str, point: Point, context: Context, *, population: int = 0, **more: object
    ) -> int:
        number = self.writer.context(context)
        division = Division(layer=layer, name=name, point=point, context=number, population=population, **more)  # type: ignore[arg-type]
        return self.writer.division(division)

    def town(self, name: str, point: Point, population: int) -> int:
        return self._divide(Layer.LOCALITY, name, point, self._around(point), population=population)

    def _around(self, point: Point, **more: object) -> Context:
        county = self.counties["West" if point.longitude < -80.05 else "East"]
        return Context(country=self.country, state=self.state, county=county, country_code=self.code, **more)  # type: ignore[arg-type]

    def street(self, name: str, point: Point, city: int, *numbers: str, **more: object) -> None:
        context = self.writer.context(self._around(point, city=city, **more))
        street = self.writer.street(Street(name=name, point=point, context=context))
        for number in numbers:
            self.writer.house(House(street=street, number=number, point=point, context=context))


@pytest.fixture
def geocoder(tmp_path: Path) -> Iterator[Callable[..., EmbeddedGeocoder]]:
    opened: list[EmbeddedGeocoder] = []

    def make(
        code: str = "US", state: str = "Ohio", state_code: str | None = "OH", county: str = "East County"
    ) -> EmbeddedGeocoder:
        for name in ("world", "area"):
            with GazetteerWriter(tmp_path / name, {}) as writer:
                land = Land(writer, code, state, state_code, county)
                towns = {each[0]: land.town(*each) for each in TOWNS}
                if name == "world":
                    land.town("Farton", FARTON, 900_000)
                else:
                    _write_streets(land, towns)
        with closing(sqlite3.connect(tmp_path / "world")) as pack, pack:
            pack.execute("CREATE TABLE zip_codes (state, city)")
            pack.executemany("INSERT INTO zip_codes VALUES (?, ?)", [("OH", "Bigton"), ("OH", "Hillton")])
        opened.append(EmbeddedGeocoder([tmp_path / "area"], tmp_path / "world"))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


def _write_streets(land: Land, towns: dict[str, int]) -> None:
    land.street("Cruz Street", HILLTON, towns["Hillton"], "14", postal_code="12345")
    land.street("Mall Street", VALETON, towns["Valeton"], "3")
    land.street("Mall Street", BESIDE_VALETON, towns["Hillton"], "5")
    land.street("Mall Street", HILLTON, towns["Hillton"], "6")
    land.street("Edge Street", HILLTON, towns["Hillton"], "7", is_uncertain=True)
    oldham = land.town("Oldham", BIGTON, 4_000)
    land.street("Twin Street", HILLTON, towns["Hillton"], "8", postal_code="12345")
    land.street("Twin Street", BIGTON, oldham, "8")
    land.writer.postal_cities("US", "12345", ["Hillton", "Oldham"])


def first(geocoder: EmbeddedGeocoder, text: str) -> tuple[str | None, str | None, str | None]:
    """Return street and number, city and confidence of the first result."""
    found = geocoder.forward(ForwardQuery(text=text, limit=3))[0]
    line = f"{found.number} {found.street}" if found.number else found.label
    return line, found.city, found.confidence and str(found.confidence)


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("14 Cruz Street, Hillton", "exact"),
        ("14 Cruz Street", "exact"),
        ("14 Cruz Street, Bigton", "fallback"),
        ("14 Cruz Street, Hillton, Bigton", "exact"),
        ("14 Cruz Street, Bigton 12345", "exact"),
        ("14 Cruz Street, Valeton", "fallback"),
    ],
)
def test_a_state_named_like_a_city_does_not_prove_the_city(
    geocoder: Callable[..., EmbeddedGeocoder], text: str, confidence: str
) -> None:
    assert first(geocoder(code="PH", state="Bigton", state_code=None), text) == (
        "14 Cruz Street",
        "Hillton",
        confidence,
    )


@pytest.mark.parametrize(
    ("county", "named", "confidence"), [("Bigton", "Bigton", "fallback"), ("Queens", "Queens", "exact")]
)
def test_a_county_proves_no_city_that_has_postal_codes_of_its_own(
    geocoder: Callable[..., EmbeddedGeocoder], county: str, named: str, confidence: str
) -> None:
    found = first(geocoder(county=f"{county} County"), f"14 Cruz Street, {named}, OH")
    assert found == ("14 Cruz Street", "Hillton", confidence)


def test_an_uncertain_city_is_returned_but_not_proven(geocoder: Callable[..., EmbeddedGeocoder]) -> None:
    made = geocoder()
    assert first(made, "7 Edge Street, Hillton, OH") == ("7 Edge Street", "Hillton", "fallback")
    assert first(made, "7 Edge Street, OH") == ("7 Edge Street", "Hillton", "exact")


@pytest.mark.parametrize("city", ["Hillton", "Oldham"])
def test_each_city_that_the_post_accepts_for_the_postal_code_is_right(
    geocoder: Callable[..., EmbeddedGeocoder], city: str
) -> None:
    made = geocoder()
    for text in (f"14 Cruz Street, {city}, OH 12345", f"14 Cruz Street, {city}, OH", f"14 cruz street {city.lower()}"):
        assert first(made, text) == ("14 Cruz Street", "Hillton", "exact")


def test_a_house_in_the_city_itself_precedes_one_whose_postal_code_accepts_it(
    geocoder: Callable[..., EmbeddedGeocoder],
) -> None:
    made = geocoder()
    assert first(made, "8 Twin Street, Oldham, OH") == ("8 Twin Street", "Oldham", "exact")
    assert first(made, "8 Twin Street, Oldham, OH 12345") == ("8 Twin Street", "Hillton", "exact")


@pytest.mark.parametrize("text", ["5 Mall Street, Valeton, OH", "5 mall street valeton oh", "Valeton, Mall Street 5"])
def test_the_number_may_be_on_the_street_of_that_name_in_the_next_town(
    geocoder: Callable[..., EmbeddedGeocoder], text: str
) -> None:
    assert first(geocoder(), text) == ("5 Mall Street", "Hillton", "fallback")


@pytest.mark.parametrize("number", ["6", "9"])
def test_a_number_that_no_street_of_the_name_nearby_has_leads_to_the_street_in_the_town(
    geocoder: Callable[..., EmbeddedGeocoder], number: str
) -> None:
    assert first(geocoder(), f"{number} Mall Street, Valeton, OH") == ("Mall Street", "Valeton", "fallback")


def test_the_postal_code_of_a_house_counts_more_than_a_city_far_away(geocoder: Callable[..., EmbeddedGeocoder]) -> None:
    made = geocoder()
    assert first(made, "14 Cruz Street, Farton, OH 12345") == ("14 Cruz Street", "Hillton", "fallback")
    assert first(made, "14 Cruz Street, Farton, OH")[0] == "Farton"


@pytest.mark.parametrize(("longitude", "city"), [(-80.04, "Hillton"), (-80.06, "Valeton")])
def test_the_nearest_locality_is_on_this_side_of_the_county_line(
    geocoder: Callable[..., EmbeddedGeocoder], longitude: float, city: str
) -> None:
    query = ReverseQuery(point=Point(longitude, 40.01), layers=frozenset({Layer.LOCALITY}))
    found = geocoder().reverse(query)
    assert [each.city for each in found] == [city]


@pytest.mark.parametrize(
    ("city", "population", "expected"),
    [
        ("New Plain City", 8_000_000, Layer.LOCALITY),
        ("New Plain", 700_000, Layer.LOCALITY),
        ("New Plain", 20_000, Layer.STATE),
        ("New Plain City", 700_000, Layer.STATE),
    ],
)
def test_a_state_of_an_areas_country_precedes_only_small_cities_of_its_name(
    tmp_path: Path, city: str, population: int, expected: Layer
) -> None:
    for name in ("world", "area"):
        with GazetteerWriter(tmp_path / name, {}) as writer:
            land = Land(writer, "US", "New Plain", "NP", "East County")
            if name == "world":
                land.town(city, FARTON, population)
            else:
                land.street("Elm Street", HILLTON, land.town("Hillton", HILLTON, 9_000), "1")
    made = EmbeddedGeocoder([tmp_path / "area"], tmp_path / "world")
    assert made.forward(ForwardQuery(text="New Plain"))[0].layer is expected
    assert made.autocomplete(AutocompleteQuery(text="New Plain"))[0].layer is expected
    assert made.forward(ForwardQuery(text="NP"))[0].layer is Layer.STATE
    made.close()
