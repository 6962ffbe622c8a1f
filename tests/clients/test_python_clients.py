"""Every method of the Python clients, official and of others, with a real server over real areas."""

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from pydantic import ValidationError
from radar import RadarClient, endpoints
from radar_mapping_api import RadarClient as MappingClient
from radar_mapping_api import geocode_coordinates, geocode_postal_code

from tests.clients.compatibility import Client, check_calls, check_client, count
from tests.clients.served import Served, served
from tests.real_areas import workspace_with_areas

HOUSE: Final = "126 West Mitchell Avenue, State College, PA 16803"
HOUSE_AT: Final = (40.80056, -77.87531)
COLLEGE: Final = (40.7985, -77.8561)
POSTAL: Final = {"city": "State College", "state_code": "PA", "postal_code": "16803", "country_code": "US"}
LAWN: Final = {"description": "A lawn", "type": "circle", "coordinates": [-77.8561, 40.7985], "radius": 100}

DIFFERENCES: Final = (
    "`validate_address` raises `ValidationError`, since it requires coordinates, which the documented "
    "response does not have; it repeats a request five times, also after a 400, but not after a 402"
)


class Recorded:
    """A stand-in for a client that records the names of the methods called, also of its parts."""

    def __init__(self, client: object, called: set[str], prefix: str = "") -> None:
        self._client, self._called, self._prefix = client, called, prefix

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._client, name)
        if not callable(value):
            return Recorded(value, self._called, f"{self._prefix}{name}.")

        def call(*arguments: object, **named: object) -> Any:
            self._called.add(f"{self._prefix}{name}")
            return value(*arguments, **named)

        return call


def methods_of(kind: type, prefix: str = "") -> set[str]:
    """Return the public methods of a class."""
    return {f"{prefix}{name}" for name, _ in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_")}


def near(place: tuple[float, float]) -> str:
    """Return a place as in requests."""
    return f"{place[0]},{place[1]}"


@pytest.fixture(scope="module")
def server(built_areas: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    with served(folder / "home", workspace_with_areas(folder / "workspace", built_areas)) as server:
        yield server


def test_every_method_of_radar_python(server: Served) -> None:
    client = RadarClient(secret_key=server.secret, pub_key=server.publishable)
    client.api_requester.BASE_URL = f"{server.url}/"
    called: set[str] = set()
    radar: Any = Recorded(client, called)
    _check_geofences(radar)
    _check_people(radar, server)
    _check_addresses(radar)
    offered = {
        method for kind in endpoints._Endpoint.__subclasses__() for method in methods_of(kind, f"{kind.endpoint}.")
    }
    check_client(Client.PYTHON, "Python", count(called, offered))
    names = {"geocode.": "", "search.": "", "route.": ""}
    answers = {name.removeprefix(part) for name in called for part in names if name.startswith(part)}
    check_calls(Client.PYTHON, answers | {"context"})


def _check_geofences(radar: Any) -> None:
    created = radar.geofences.create({**LAWN, "tag": "park", "externalId": "1"})
    assert radar.geofences.get(id=created._id).externalId == "1"
    assert radar.geofences.upsert("park", "1", {**LAWN, "radius": 50})._id == created._id
    assert [each.geometryRadius for each in radar.geofences.list(tag="park")] == [50]
    assert [each._id for each in radar.search.geofences(near=COLLEGE, tags="park")] == [created._id]
    assert [each._id for each in radar.context.get(coordinates=COLLEGE).geofences] == [created._id]


def _check_people(radar: Any, server: Served) -> None:
    update = {"deviceId": "phone", "userId": "ann", "latitude": COLLEGE[0], "longitude": COLLEGE[1], "accuracy": 5}
    server.http.post("/v1/track", json=update).raise_for_status()
    assert [user.userId for user in radar.geofences.list_users(tag="park", externalId="1")] == ["ann"]
    assert [user.userId for user in radar.search.users(near=COLLEGE, radius=100, limit=5)] == ["ann"]
    assert [user.deviceId for user in radar.users.list()] == ["phone"]
    assert radar.users.get(userId="ann").deviceId == "phone"
    (event,) = radar.events.list()
    assert event.type == "user.entered_geofence"
    assert radar.events.verify(event._id, "accept")["meta"]["code"] == 200
    assert radar.events.get(event._id).verification == 1
    assert radar.events.delete(event._id)["meta"]["code"] == 200
    assert radar.users.delete(userId="ann")["meta"]["code"] == 200
    assert radar.geofences.delete(tag="park", externalId="1")["meta"]["code"] == 200
    assert (radar.geofences.list(), radar.users.list(), radar.events.list()) == ([], [], [])


def _check_addresses(radar: Any) -> None:
    assert radar.geocode.forward(HOUSE)[0].street == "West Mitchell Avenue"
    assert radar.geocode.reverse(HOUSE_AT)[0].number == "126"
    assert radar.geocode.ip("8.8.8.8").countryCode == "US"
    assert radar.search.autocomplete("126 west mitch", near=HOUSE_AT)[0].number == "126"
    assert radar.search.places(near=COLLEGE, chains="mcdonalds", radius=300)[0].name == "McDonald's"
    routes = radar.route.distance(COLLEGE, HOUSE_AT, "foot,car")
    assert routes.foot.distance.value > 1000
    assert routes.car.duration.value > 0


@pytest.fixture(scope="module")
def mapping(server: Served) -> MappingClient:
    client = MappingClient(api_key=server.publishable)
    client.base_url = f"{server.url}/v1/"
    return client


def test_every_method_of_radar_mapping_api(server: Served, mapping: Any) -> None:
    server.forget_requests()
    called: set[str] = set()
    radar: Any = Recorded(mapping, called)
    found = radar.forward_geocode(HOUSE, layers="address", country="US", lang="en").addresses[0]
    assert (found.number, found.street, found.countryFlag) == ("126", "West Mitchell Avenue", "🇺🇸")
    assert (found.latitude, found.longitude) == pytest.approx(HOUSE_AT, abs=3e-4)
    nearest = radar.reverse_geocode(near(HOUSE_AT), layers="address", lang="en").addresses[0]
    assert nearest.formattedAddress == found.formattedAddress
    assert nearest.distance < 30
    typed = radar.autocomplete(
        query="126 west mitch", near=near(HOUSE_AT), layers="address", limit=3, country_code="US"
    )
    assert typed.addresses[0].addressLabel == "126 West Mitchell Avenue"
    place = radar.search_places(near=near(COLLEGE), chains="mcdonalds", radius=300, limit=5).places[0]
    assert (place.name, place.chain.slug, place.location.type) == ("McDonald's", "mcdonalds", "Point")
    assert radar.search_places(near=near(COLLEGE), categories="food-beverage", limit=2).places
    with pytest.raises(ValidationError, match=r"(?s)latitude.*Field required"):
        radar.validate_address(address_label="126 W Mitchell Ave", **POSTAL)
    last = server.logged()[-1]["response"]
    assert (last["status"], json.loads(last["body"])["result"]["verificationStatus"]) == (200, "verified")
    assert [each["nearMisses"] for each in server.logged() if each["nearMisses"]] == []
    check_client(Client.MAPPING, "Python", count(called, methods_of(MappingClient)), DIFFERENCES)
    check_calls(Client.MAPPING, {"forward", "reverse", "autocomplete", "places"})


def test_its_helpers(mapping: Any) -> None:
    by_coordinates = geocode_coordinates(mapping, lat=HOUSE_AT[0], lon=HOUSE_AT[1])
    assert (by_coordinates.postal_code, by_coordinates.state_code) == ("16803", "PA")
    by_postal_code = geocode_postal_code(mapping, postal_code="16803")
    assert (by_postal_code.country_code, by_postal_code.state_code) == ("US", "PA")
    assert by_postal_code.lat == pytest.approx(HOUSE_AT[0], abs=0.2)
    assert geocode_postal_code(mapping, postal_code="no such code", country="FI") is None


def test_it_repeats_what_fails(server: Served, mapping: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MappingClient._make_request.retry, "sleep", lambda _: None)
    server.forget_requests()
    with pytest.raises(httpx.HTTPStatusError, match="400"):
        mapping.search_places(near="here", chains="mcdonalds")
    assert [each["response"]["status"] for each in server.logged()] == [400] * 6
    server.change_settings(rehearsedError="usageExceeded")
    server.forget_requests()
    try:
        with pytest.raises(httpx.HTTPStatusError, match="402"):
            mapping.forward_geocode(HOUSE)
        assert [each["response"]["status"] for each in server.logged()] == [402]
    finally:
        server.change_settings(rehearsedError=None)
