"""GET /v1/geocode/ip with the cities of the set-up and without: the fields, and what is missing."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest

from app.api.server.server import ApiServer
from engine import wiring
from engine.bundled import CITY_FILES
from engine.engine import Engine
from engine.geocoding.geocoding import Geocoding
from tests.app.api.conftest import Api
from tests.engine.geocoding.mmdb import write_mmdb
from tests.engine.geocoding.test_ip import flat


@pytest.fixture(scope="module")
def cities(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder for the cities."""
    return tmp_path_factory.mktemp("cities")


@pytest.fixture(scope="module")
def engine(cities: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine whose cities are in that folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "Geocoding", partial(Geocoding, cities=cities))
        with Engine.open(tmp_path_factory.mktemp("workspace")) as engine:
            yield engine


def test_without_cities_a_warning_names_the_command_until_they_are_there(
    publishable: Api, engine: Engine, cities: Path
) -> None:
    before = publishable.get("/v1/geocode/ip?ip=8.8.8.8").json()
    (warning,) = before["meta"]["warnings"]
    assert warning.startswith("address: Only the country is known; the position is its centre.")
    assert "'fencewright setup --cities'" in warning
    assert "city" not in before["address"]
    assert "warnings" not in publishable.get("/v1/geocode/ip").json()["meta"], "this machine is at home"
    record = flat("Mountain View (Old Town)", "California", "US", 37.422000885009766, -122.08499908447266)
    write_mmdb(cities / CITY_FILES[0], "city ipv4", {"8.8.8.0/24": record})
    six = {"2001:620::/32": flat("Zurich", "Zurich", "CH", 47.3765, 8.54809)}
    write_mmdb(cities / CITY_FILES[1], "city ipv6", six)
    engine.find_data()
    after = publishable.get("/v1/geocode/ip?ip=8.8.8.8").json()
    assert "warnings" not in after["meta"]
    address = after["address"]
    expected = {
        "latitude": 37.422,
        "longitude": -122.085,
        "geometry": {"type": "Point", "coordinates": [-122.085, 37.422]},
        "country": "United States",
        "countryCode": "US",
        "state": "California",
        "stateCode": "CA",
        "city": "Mountain View",
    }
    assert address.items() >= expected.items()
    assert address["timeZone"]["id"] == "America/Los_Angeles"
    # Fields that are not known are left out, never null: clients of the platform rely on that.
    assert "postalCode" not in address
    assert None not in address.values()
    found = publishable.get("/v1/geocode/ip?ip=2001:620:8:1::1").json()["address"]
    assert (found["city"], found["stateCode"], found["countryCode"]) == ("Zurich", "ZH", "CH")
    (warning,) = publishable.get("/v1/geocode/ip?ip=133.11.0.1").json()["meta"]["warnings"]
    assert warning.endswith("The city data has no such address.")


def test_the_description_of_the_operation_credits_the_source_with_its_link(server: ApiServer) -> None:
    paths = httpx.get(f"{server.url}/openapi.json", trust_env=False).json()["paths"]
    described = paths["/v1/geocode/ip"]["get"]["description"]
    assert described.endswith("Cities, if downloaded: [IP Geolocation by DB-IP](https://db-ip.com).")
    assert "DB-IP" not in paths["/v1/geocode/forward"]["get"]["description"]
