"""Addresses and places through the vendor's own SDKs, in Python and in a browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from radar import RadarClient
from radar.errors import InvalidRequestError

from app.api.server.server import ApiServer
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from tests.clients.shop import SDK, shop, visit

__all__ = ["shop"]

HOUSE = "126 West Mitchell Avenue, State College, PA 16803"
HOUSE_AT = (40.80056, -77.87531)
COLLEGE = (40.7985, -77.8561)


@pytest.fixture
def radar(real_engine: Engine) -> Iterator[Any]:
    """The Python SDK, configured for an endpoint."""
    with ApiServer(real_engine, port=0) as server:
        client = RadarClient(secret_key=real_engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET))
        client.api_requester.BASE_URL = f"{server.url}/"
        yield client


def test_python_geocodes(radar: Any) -> None:
    best = radar.geocode.forward(HOUSE)[0]
    assert (best.number, best.street, best.confidence) == ("126", "West Mitchell Avenue", "exact")
    assert (best.latitude, best.longitude) == pytest.approx(HOUSE_AT, abs=3e-4)
    nearest = radar.geocode.reverse(HOUSE_AT)[0]
    assert nearest.formattedAddress == best.formattedAddress
    assert nearest.distance < 30


def test_python_locates_addresses_of_the_internet(radar: Any) -> None:
    assert radar.geocode.ip("8.8.8.8").countryCode == "US"
    assert radar.geocode.ip("127.0.0.1").countryFlag
    with pytest.raises(InvalidRequestError):
        radar.geocode.ip("here")


def test_python_completes(radar: Any) -> None:
    found = radar.search.autocomplete("126 west mitch", near=HOUSE_AT, limit=3)
    assert found[0].addressLabel == "126 West Mitchell Avenue"
    assert len(found) <= 3


def test_python_finds_places(radar: Any) -> None:
    (place,) = radar.search.places(near=COLLEGE, chains="mcdonalds", radius=300)
    assert (place.name, place.chain["slug"]) == ("McDonald's", "mcdonalds")
    assert radar.search.places(near=COLLEGE, categories="food-beverage", limit=5)
    assert radar.search.places(near=COLLEGE, groups="coffee", radius=5000)
    with pytest.raises(InvalidRequestError):
        radar.search.places(near=COLLEGE)


PAGE = """\
<!doctype html><meta charset="utf-8"><title>A shop</title>
<script type="module">
import Radar from "/radar.js";
const seen = {};
const failure = error => ({name: error.name, meta: error.response?.meta});
Radar.initialize("@KEY@", {host: "@HOST@"});
const college = {latitude: 40.7985, longitude: -77.8561};
try {
  seen.forward = await Radar.forwardGeocode({query: "126 West Mitchell Avenue, State College", layers: ["address"],
    country: "US", lang: "en"});
  seen.reverse = await Radar.reverseGeocode({latitude: 40.80056, longitude: -77.87531,
    layers: ["address", "locality"]});
  seen.ip = await Radar.ipGeocode();
  seen.typed = await Radar.autocomplete({query: "126 west mitch", near: college, limit: 5, layers: ["address"],
    countryCode: "US"});
  seen.anywhere = await Radar.autocomplete({query: "torkelgass"});
  let client;
  Radar.registerPlugin({name: "spy", version: "1", install: context => { client = context; }});
  await client.apis.Search.autocompleteClick({sessionToken: "a", requestId: seen.typed.requestId, idx: 0});
  seen.click = await client.Http.request({method: "POST", path: "search/autocomplete/click", data: {idx: 0}});
  seen.places = await Radar.searchPlaces({near: college, chains: ["mcdonalds", "starbucks"], radius: 300, limit: 10});
  seen.valid = await Radar.validateAddress({number: "126", street: "W Mitchell Ave", city: "State College",
    stateCode: "PA", postalCode: "16803", countryCode: "US"});
} catch (error) { seen.unexpected = failure(error); }
try { await Radar.forwardGeocode({query: ""}); } catch (error) { seen.empty = failure(error); }
try { await Radar.autocomplete({query: "a", limit: 101}); } catch (error) { seen.many = failure(error); }
try { await Radar.searchPlaces({near: college}); } catch (error) { seen.nothing = failure(error); }
console.log("result:" + JSON.stringify(seen));
</script>
"""


@pytest.mark.skipif(not SDK.exists(), reason="the web assets have not been installed")
def test_a_page_finds_addresses_and_places(real_engine: Engine, shop: str) -> None:
    result = visit(real_engine, shop, PAGE)
    assert "unexpected" not in result, result["unexpected"]
    assert result["forward"]["addresses"][0]["addressLabel"] == "126 West Mitchell Avenue"
    assert {address["layer"] for address in result["reverse"]["addresses"]} == {"address", "locality"}
    assert (result["ip"]["ip"], result["ip"]["proxy"]) == ("127.0.0.1", False)
    assert result["ip"]["address"]["countryCode"]
    assert result["typed"]["addresses"][0]["addressLabel"] == "126 West Mitchell Avenue"
    assert result["click"]["meta"]["code"] == 200
    assert result["typed"]["requestId"]
    assert result["anywhere"]["addresses"][0]["countryCode"] == "LI"
    assert result["places"]["places"][0]["chain"]["slug"] == "mcdonalds"
    assert result["valid"]["result"]["verificationStatus"] == "verified"
    assert result["valid"]["address"]["postalCode"] == "16803"
    assert result["empty"]["meta"]["param"] == "query"
    assert result["many"]["meta"]["param"] == "limit"
    assert result["nothing"]["meta"]["param"] == "chains"
