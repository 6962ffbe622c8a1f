"""Locations of IP addresses."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bundled import CITY_FILES
from engine.domain.addresses.address import Layer
from engine.domain.area import Area
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.ip import parse_ip_ranges
from engine.geocoding.absent import NO_CITIES, NO_CITY
from engine.geocoding.embedded import EmbeddedGeocoder
from engine.geocoding.ip import CITY_FILE, HOME_FILE, IP_FILE, IpLocator, home_of
from engine.geocoding.ip_databases import city_record
from engine.geocoding.regions import RegionFinder
from engine.geocoding.world import World
from tests.engine.geocoding.mmdb import write_mmdb

PRIVATE = [
    *("127.0.0.1", "::1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fd00::1"),
    *("169.254.1.1", "fe80::1%eth0", "100.64.0.1", "192.0.2.1", "198.51.100.7", "203.0.113.9", "2001:db8::1"),
    *("0.0.0.0", "::", "255.255.255.255", "::ffff:10.0.0.1"),
]


def area(west: float, south: float, east: float, north: float) -> Area:
    here = Path()
    return Area(
        name="here",
        folder=here,
        bounds=(west, south, east, north),
        roads=here,
        basemap=None,
        built_at=datetime(2026, 1, 1, tzinfo=UTC),
        source="",
        format=1,
    )


STATE_COLLEGE = area(-77.96, 40.69, -77.76, 40.89)


class Opener:
    """Creates locators and closes their resources."""

    def __init__(self, pack: Path, world: World | None) -> None:
        self.pack = pack
        self.world = world
        self.geocoder = EmbeddedGeocoder([], pack / "world.sqlite" if world else None)
        self.locators: list[IpLocator] = []

    def __call__(
        self,
        workspace: Path,
        areas: tuple[Area, ...] = (STATE_COLLEGE,),
        pack: Path | None = None,
        cities: Path | None = None,
    ) -> IpLocator:
        locator = IpLocator(
            pack or self.pack,
            workspace,
            cities=cities,
            world=self.world,
            regions=RegionFinder(self.world),
            geocoder=self.geocoder,
            areas=areas,
        )
        self.locators.append(locator)
        return locator

    def close(self) -> None:
        for locator in self.locators:
            locator.close()
        self.geocoder.close()


@pytest.fixture(scope="module")
def located(pack: Path, world: World) -> Iterator[Opener]:
    opener = Opener(pack, world)
    yield opener
    opener.close()


# Ranges that registries have listed for the same organisation for decades.
@pytest.mark.parametrize(
    ("ip", "country"),
    [
        ("8.8.8.8", "US"),
        ("128.118.1.1", "US"),  # Penn State
        ("18.7.22.83", "US"),  # MIT
        ("130.59.31.80", "CH"),  # SWITCH
        ("133.11.0.1", "JP"),  # The University of Tokyo
        ("200.160.2.3", "BR"),  # NIC.br
        ("193.99.144.80", "DE"),  # heise
        ("2001:4860:4860::8888", "US"),
        ("2001:630::1", "GB"),  # Janet
        ("::ffff:8.8.8.8", "US"),
    ],
)
def test_public_addresses_are_in_their_countries(located: Opener, tmp_path: Path, ip: str, country: str) -> None:
    found = located(tmp_path).locate(ip).address
    assert found is not None
    assert (found.country_code, found.layer) == (country, Layer.COUNTRY)
    assert found.country
    # The remaining fields are unknown, and none is made up.
    assert (found.city, found.state, found.postal_code) == (None, None, None)


@pytest.mark.parametrize("ip", PRIVATE)
def test_a_private_address_is_at_home(located: Opener, tmp_path: Path, ip: str) -> None:
    found = located(tmp_path).locate(ip).address
    assert found is not None
    assert (found.city, found.state_code, found.state) == ("State College", "PA", "Pennsylvania")
    assert (found.country_code, found.country) == ("US", "United States")
    assert found.postal_code in ("16801", "16803")
    assert (found.point.longitude, found.point.latitude) == pytest.approx((-77.86, 40.79))
    assert found.formatted == f"State College, PA {found.postal_code} US"


def test_home_is_set_by_the_workspace(located: Opener, tmp_path: Path) -> None:
    (tmp_path / HOME_FILE).write_bytes(orjson.dumps({"latitude": 40.7580, "longitude": -73.9855}))
    found = located(tmp_path).locate("127.0.0.1").address
    assert found is not None
    assert (found.point, found.state_code) == (Point(-73.9855, 40.7580), "NY")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"latitude": 91, "longitude": 0}',
        '{"latitude": "x", "longitude": 0}',
        '{"latitude": 1, "longitude": 2, "more": ' + "[" * 200 + "]" * 200 + "}",
    ],
)
def test_an_invalid_home_is_logged_once(
    located: Opener, tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / HOME_FILE).write_text(content, encoding="utf-8")
    locator = located(tmp_path)
    for ip in ("::1", "127.0.0.1"):
        found = locator.locate(ip).address
        assert found is not None
        assert found.city == "State College"
    assert [record.getMessage().count("home.json") for record in caplog.records] == [1]


@pytest.mark.usefixtures("real_extracts")
def test_home_is_described_by_its_surroundings(
    world: World, pack: Path, liechtenstein_file: Path, tmp_path: Path
) -> None:
    geocoder = EmbeddedGeocoder([liechtenstein_file], pack / "world.sqlite")
    # In the woods above the towns, hundreds of metres from the nearest house.
    (tmp_path / HOME_FILE).write_bytes(orjson.dumps({"latitude": 47.1439, "longitude": 9.5345}))
    regions = RegionFinder(world, geocoder.areas)
    locator = IpLocator(pack, tmp_path, world=world, regions=regions, geocoder=geocoder, areas=())
    found = locator.locate("127.0.0.1").address
    locator.close()
    geocoder.close()
    assert found is not None
    assert (found.city, found.county, found.postal_code) == ("Triesenberg", "Oberland", "9497")
    assert found.formatted == "9497 Triesenberg LI"


def test_without_any_area_a_private_address_is_nowhere(located: Opener, tmp_path: Path) -> None:
    assert located(tmp_path, ()).locate("127.0.0.1").address is None
    assert home_of(None, ()) is None


def test_a_multicast_address_has_no_location(located: Opener, tmp_path: Path) -> None:
    assert located(tmp_path).locate("224.0.0.1").address is None
    assert located(tmp_path).locate("ff02::1").address is None


@pytest.mark.parametrize("ip", ["", "x", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.4/8", "::g"])
def test_an_invalid_address_is_refused(located: Opener, tmp_path: Path, ip: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        located(tmp_path).locate(ip)
    assert caught.value.param == "ip"


def test_proxies_are_reported(located: Opener, tmp_path: Path) -> None:
    proxies = parse_ip_ranges("8.8.0.0/16,10.*.*.*")
    locator = located(tmp_path)
    assert locator.locate("8.8.8.8", proxies).proxy
    assert locator.locate("10.0.0.1", proxies).proxy
    assert not locator.locate("9.9.9.9", proxies).proxy
    assert not locator.locate("8.8.8.8").proxy


@given(st.ip_addresses())
def test_every_address_has_an_answer(located: Opener, tmp_path_factory: pytest.TempPathFactory, ip: object) -> None:
    if not located.locators:
        located(tmp_path_factory.mktemp("any"))
    found = located.locators[0].locate(str(ip))
    assert found.address is None or found.address.country_code


class TestCityDatabase:
    """Files supplied by the user take precedence."""

    @pytest.fixture
    def workspace(self, tmp_path: Path) -> Path:
        names = {"en": "Vaduz", "de": "Vaduz"}
        full: dict[str, Any] = {
            "city": {"names": names},
            "country": {"iso_code": "LI", "names": {"en": "Liechtenstein"}},
            "location": {"latitude": 47.1410, "longitude": 9.5215},
            "postal": {"code": "9490"},
            "subdivisions": [{"iso_code": "11", "names": {"en": "Vaduz"}}],
        }
        bare: dict[str, Any] = {"location": {"latitude": 40.7934, "longitude": -77.8600}}
        nowhere: dict[str, Any] = {"country": {"iso_code": "DE"}}
        networks = {"8.8.8.0/24": full, "9.9.9.0/24": bare, "130.59.0.0/16": nowhere}
        write_mmdb(tmp_path / CITY_FILE, "GeoLite2-City", networks)
        return tmp_path

    def test_it_contains_the_city(self, located: Opener, workspace: Path) -> None:
        found = located(workspace).locate("8.8.8.8").address
        assert found is not None
        assert (found.city, found.postal_code, found.state_code, found.country) == (
            *("Vaduz", "9490", "11", "Liechtenstein"),
        )
        assert found.point == Point(9.5215, 47.1410)
        assert found.layer is Layer.LOCALITY

    def test_missing_fields_follow_from_the_position(self, located: Opener, workspace: Path) -> None:
        found = located(workspace).locate("9.9.9.9").address
        assert found is not None
        assert (found.city, found.state_code, found.postal_code) == ("State College", "PA", "16801")

    def test_without_a_position_the_country_counts(self, located: Opener, workspace: Path) -> None:
        found = located(workspace).locate("130.59.31.80").address
        assert found is not None
        assert (found.country_code, found.layer) == ("CH", Layer.COUNTRY)

    def test_other_addresses_and_versions_are_the_packs(self, located: Opener, workspace: Path) -> None:
        locator = located(workspace)
        for ip, country in (("133.11.0.1", "JP"), ("2001:4860:4860::8888", "US")):
            found = locator.locate(ip).address
            assert found is not None
            assert found.country_code == country


def flat(city: str, state: str, country: str, latitude: float, longitude: float) -> dict[str, Any]:
    """Return a record as in the databases of ip-location-db, where all fields exist and some are empty."""
    return {
        "city": city,
        "country_code": country,
        "latitude": latitude,
        "longitude": longitude,
        "postcode": "",
        "state1": state,
        "state2": "",
        "timezone": "",
    }


@pytest.fixture(scope="module")
def cities(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with downloaded cities of some networks."""
    folder = tmp_path_factory.mktemp("cities")
    four = {
        "8.8.8.0/24": flat("Mountain View", "California", "US", 37.422000885009766, -122.08499908447266),
        "9.9.9.0/24": flat("Stockholm (Ostermalm)", "Stockholm", "SE", 59.3499, 18.0703),
        "11.0.0.0/16": flat("Pinheiros", "Sao Paulo", "BR", -23.5611, -46.6876),
        "12.0.0.0/16": flat("Milan", "Lombardy", "IT", 45.4642, 9.19),
        "13.0.0.0/16": flat("Kansas City", "Missouri", "US", 39.1, -94.63),  # in Kansas
        "14.0.0.0/16": flat("Nowhere", "Lower Nowhere", "DE", 51.0, 10.0),
        "15.0.0.0/16": flat("Singapore", "", "SG", 1.35208, 103.82),
        "16.0.0.0/16": flat("", "", "DE", 0.0, 0.0),
        "130.59.0.0/16": flat("Konstanz", "Baden-Wurttemberg", "DE", 47.55, 8.9),  # in Switzerland
    }
    write_mmdb(folder / CITY_FILES[0], "city ipv4", four)
    six = {"2001:4860::/32": flat("Montreal (Ville-Marie)", "Quebec", "CA", 45.5019, -73.5674)}
    write_mmdb(folder / CITY_FILES[1], "city ipv6", six)
    return folder


class TestDownloadedCities:
    """The databases of `fencewright setup --cities`."""

    @pytest.mark.parametrize(
        ("ip", "expected"),
        [
            ("8.8.8.8", ("Mountain View", "California", "CA", "United States")),
            ("::ffff:8.8.8.8", ("Mountain View", "California", "CA", "United States")),
            ("2001:4860:4860::8888", ("Montreal", "Quebec", "QC", "Canada")),
            ("9.9.9.9", ("Stockholm", "Stockholm", "AB", "Sweden")),
            ("11.0.0.1", ("Pinheiros", "São Paulo", "SP", "Brazil")),
            ("12.0.0.1", ("Milan", "Lombardia", "25", "Italy")),
            ("13.0.0.1", ("Kansas City", "Missouri", "MO", "United States")),
            ("14.0.0.1", ("Nowhere", "Lower Nowhere", None, "Germany")),
            ("130.59.31.80", ("Konstanz", "Baden-Württemberg", "BW", "Germany")),
        ],
    )
    def test_they_have_city_and_state(
        self, located: Opener, tmp_path: Path, cities: Path, ip: str, expected: tuple[str | None, ...]
    ) -> None:
        found = located(tmp_path, cities=cities).locate(ip)
        assert found.address is not None
        assert (found.address.city, found.address.state, found.address.state_code, found.address.country) == expected
        assert (found.address.postal_code, found.lack) == (None, None), "none is made up"

    def test_their_position_is_without_the_noise_of_short_floats(
        self, located: Opener, tmp_path: Path, cities: Path
    ) -> None:
        found = located(tmp_path, cities=cities).locate("8.8.8.8").address
        assert found is not None
        assert (found.point, found.layer) == (Point(-122.085, 37.422), Layer.LOCALITY)
        assert found.county == "Santa Clara County"

    def test_without_a_world_pack_the_codes_are_known(self, tmp_path: Path, cities: Path) -> None:
        opener = Opener(tmp_path, None)
        locator = opener(tmp_path, cities=cities)
        found = locator.locate("8.8.8.8").address
        assert found is not None
        assert (found.city, found.state_code, found.country_code) == ("Mountain View", "CA", "US")
        assert locator.lack("8.8.8.8") is None
        opener.close()

    def test_what_is_missing_is_reported(self, located: Opener, tmp_path: Path, cities: Path) -> None:
        without = located(tmp_path)
        assert without.locate("8.8.8.8").lack == NO_CITIES
        assert without.locate("127.0.0.1").lack is None
        assert without.locate("224.0.0.1").lack is None
        locator = located(tmp_path, cities=cities)
        assert [locator.locate(ip).lack for ip in ("133.11.0.1", "16.0.0.1")] == [NO_CITY, NO_CITY]
        # Singapore has no states.
        assert locator.locate("15.0.0.1").lack is None

    def test_the_users_database_takes_precedence(self, located: Opener, tmp_path: Path, cities: Path) -> None:
        write_mmdb(tmp_path / CITY_FILE, "city ipv4", {"8.8.8.0/24": flat("Vaduz", "Vaduz", "LI", 47.141, 9.5215)})
        locator = located(tmp_path, cities=cities)
        found = [locator.locate(ip).address for ip in ("8.8.8.8", "9.9.9.9")]
        assert [address and address.city for address in found] == ["Vaduz", "Stockholm"]

    @given(
        record=st.dictionaries(
            st.sampled_from(["city", "state1", "country_code", "latitude", "longitude", "postcode", "location"]),
            st.none() | st.floats() | st.text() | st.integers() | st.lists(st.text()),
        )
    )
    def test_any_record_has_a_position_on_the_earth_or_none(self, record: dict[str, Any]) -> None:
        found = city_record(record)
        if found is not None:
            assert -180 <= found.point.longitude <= 180
            assert -90 <= found.point.latitude <= 90
            assert "" not in (found.city, found.state, found.country_code, found.postal_code)


class TestWithoutData:
    """Absent or damaged files yield no data, and no errors."""

    def test_no_pack(self, tmp_path: Path) -> None:
        opener = Opener(tmp_path, None)
        locator = opener(tmp_path)
        assert locator.locate("8.8.8.8").address is None
        home = locator.locate("127.0.0.1").address
        assert home is not None
        assert home.point.longitude == pytest.approx(-77.86)
        assert home.country_code is None
        opener.close()

    def test_a_damaged_database(
        self, located: Opener, pack: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        (tmp_path / IP_FILE).write_bytes(b"no database")
        (tmp_path / CITY_FILE).write_bytes((pack / IP_FILE).read_bytes()[:1000])
        locator = located(tmp_path, pack=tmp_path)
        assert locator.locate("8.8.8.8").address is None
        assert len(caplog.records) == 2

    def test_a_database_that_is_damaged_within(self, located: Opener, pack: Path, tmp_path: Path) -> None:
        shutil.copyfile(pack / IP_FILE, tmp_path / IP_FILE)
        with (tmp_path / IP_FILE).open("r+b") as file:
            file.write(b"\xff" * 4_000_000)
        locator = located(tmp_path, pack=tmp_path)
        assert locator.locate("8.8.8.8").address is None
