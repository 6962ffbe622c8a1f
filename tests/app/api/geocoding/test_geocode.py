"""Geocoding over real sockets, on real areas; the expected values were read directly from the extracts."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest

from app.api.server.server import ApiServer
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment, KeyLevel
from engine.domain.settings import SettingsChange
from engine.engine import Engine
from tests.app.api.conftest import Api, MakeApi, assert_refused, unlimited
from tests.app.api.contract import Contract
from tests.real_areas import workspace_with_areas

LAYERS = ("place", "address", "postalCode", "locality", "county", "state", "country")
FRASER = "126 West Mitchell Avenue, State College, PA 16803"
FRASER_AT = (40.80056, -77.87531)
VADUZ_HOUSE = "Torkelgass 13, 9494 Schaan"
SUMMER = datetime(2026, 7, 1, 12, 0, 0, 250_000, UTC)


@pytest.fixture(scope="module")
def engine(built_areas: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine with Liechtenstein and State College, whose Test clock is set to summer."""
    folder = workspace_with_areas(tmp_path_factory.mktemp("real") / "workspace", built_areas)
    with Engine.open(folder, frozen_at=SUMMER) as engine:
        unlimited(engine)
        yield engine


def addresses(response: httpx.Response) -> list[dict[str, Any]]:
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = response.json()["addresses"]
    return found


def forward(api: Api, query: str, **params: str) -> list[dict[str, Any]]:
    return addresses(api.get("/v1/geocode/forward", params={"query": query, **params}))


def test_forward(publishable: Api) -> None:
    best = forward(publishable, FRASER)[0]
    assert best["latitude"] == pytest.approx(FRASER_AT[0], abs=3e-4)
    assert best["longitude"] == pytest.approx(FRASER_AT[1], abs=3e-4)
    assert best["geometry"] == {"type": "Point", "coordinates": [best["longitude"], best["latitude"]]}
    expected = {
        "country": "United States",
        "countryCode": "US",
        "countryFlag": "🇺🇸",
        "state": "Pennsylvania",
        "stateCode": "PA",
        "county": "Centre County",
        "city": "State College",
        "postalCode": "16803",
        "street": "West Mitchell Avenue",
        "number": "126",
        "addressLabel": "126 West Mitchell Avenue",
        "formattedAddress": "126 West Mitchell Avenue, State College, PA 16803 US",
        "layer": "address",
        "confidence": "exact",
    }
    assert {name: best.get(name) for name in expected} == expected
    assert "distance" not in best


def test_the_time_zone_by_the_clock_of_the_environment(publishable: Api, live: Api) -> None:
    best = forward(publishable, FRASER)[0]
    assert best["timeZone"] == {
        "id": "America/New_York",
        "name": "Eastern Daylight Time",
        "code": "EDT",
        "currentTime": "2026-07-01T08:00:00-04:00",
        "utcOffset": -14400,
        "dstOffset": 3600,
    }
    current_time = datetime.fromisoformat(forward(live, FRASER)[0]["timeZone"]["currentTime"])
    assert abs((current_time - datetime.now(ZoneInfo("America/New_York"))).total_seconds()) < 60


def test_utc_is_a_z(publishable: Api, engine: Engine) -> None:
    engine.set_clock(ClockChange(now=datetime(2026, 1, 1, tzinfo=UTC), frozen=True))
    try:
        found = addresses(publishable.get("/v1/geocode/reverse?coordinates=51.5072,-0.1276&layers=country"))
    finally:
        engine.set_clock(ClockChange(now=SUMMER, frozen=True))
    assert found[0]["timeZone"]["currentTime"] == "2026-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("query", "country"),
    [(FRASER, "US"), (VADUZ_HOUSE, "LI"), ("Saxgass 38 Schaan", "LI"), ("schaan, torkelgasse 13", "LI")],
)
def test_countries(publishable: Api, query: str, country: str) -> None:
    assert forward(publishable, query)[0]["countryCode"] == country
    for name in ("country", "countryCode"):
        assert {found["countryCode"] for found in forward(publishable, query, **{name: country.lower()})} == {country}
        assert all(found["countryCode"] == "FR" for found in forward(publishable, query, **{name: "FR"}))


def test_layers(publishable: Api) -> None:
    for layer in ("locality", "country", "address"):
        found = forward(publishable, "Vaduz Liechtenstein", layers=layer)
        assert {one["layer"] for one in found} <= {layer}
    coarse = forward(publishable, "State College", layers="coarse")
    assert coarse
    assert {one["layer"] for one in coarse} <= {"postalCode", "locality", "county", "state", "country"}
    fine = forward(publishable, "Starbucks State College", layers="fine")
    assert {one["layer"] for one in fine} <= {"address", "place"}
    assert "Starbucks" in fine[0]["placeLabel"]
    assert "place" not in {one["layer"] for one in forward(publishable, "Starbucks State College")}


def test_streets_have_a_layer_of_their_own_if_requested(publishable: Api) -> None:
    name = "West Mitchell Avenue, State College"
    street = forward(publishable, name, layers="street")[0]
    assert (street["layer"], street["street"], street["confidence"]) == ("street", "West Mitchell Avenue", "exact")
    assert "number" not in street
    [same] = [one for one in forward(publishable, name) if one["formattedAddress"] == street["formattedAddress"]]
    assert same["layer"] == "address"
    both = forward(publishable, FRASER, layers="street,address")[0]
    assert (both["layer"], both["number"]) == ("address", "126")
    only = forward(publishable, FRASER, layers="street")
    assert only[0]["street"] == "West Mitchell Avenue"
    assert {one["layer"] for one in only} == {"street"}
    assert not any("number" in one for one in only)
    near = {"coordinates": f"{FRASER_AT[0]},{FRASER_AT[1]}"}
    found = addresses(publishable.get("/v1/geocode/reverse", params=near | {"layers": "street"}))
    assert [one["layer"] for one in found] == ["street"]
    layers = [
        one["layer"]
        for one in addresses(publishable.get("/v1/geocode/reverse", params=near | {"layers": "address,street"}))
    ]
    assert sorted(layers) == ["address", "street"]
    begun = addresses(publishable.get("/v1/search/autocomplete", params={"query": "West Mitch", "layers": "street"}))
    assert {one["layer"] for one in begun} == {"street"}


def test_crossings_have_a_layer_of_their_own_if_requested(publishable: Api) -> None:
    query = "West Mitchell Avenue & North Atherton Street, State College"
    as_address = forward(publishable, query)
    for layers in ("intersection", "intersection,address"):
        found = forward(publishable, query, layers=layers)
        assert [one["layer"] for one in found] == ["intersection"] * len(as_address)
        assert [one["formattedAddress"] for one in found] == [one["formattedAddress"] for one in as_address]
    assert {one["layer"] for one in as_address} <= {"address"}
    assert not forward(publishable, FRASER, layers="intersection")
    near = {"coordinates": f"{FRASER_AT[0]},{FRASER_AT[1]}", "layers": "intersection"}
    for one in addresses(publishable.get("/v1/geocode/reverse", params=near)):
        assert one["layer"] == "intersection"
        assert "&" in one["addressLabel"]
        assert 0 <= one["distance"] <= 250


def test_neighborhoods_have_a_layer_of_their_own_if_requested(publishable: Api) -> None:
    assert not forward(publishable, "Vaduz Liechtenstein", layers="neighborhood")
    both = forward(publishable, "Vaduz Liechtenstein", layers="neighborhood,locality")
    assert both[0]["layer"] == "locality"
    for path in ("geocode/reverse?coordinates=47.1410,9.5209", "search/autocomplete?query=Vaduz"):
        found = addresses(publishable.get(f"/v1/{path}&layers=neighborhood"))
        assert {one["layer"] for one in found} <= {"neighborhood"}


def test_languages(publishable: Api) -> None:
    names = {
        language: forward(publishable, "Liechtenstein", lang=language, layers="country")[0]["country"]
        for language in ("ar", "de", "en", "es", "fr", "ja", "ko", "pt", "ru", "zh")
    }
    assert names["en"] == names["de"] == "Liechtenstein"
    assert names["ja"] == "リヒテンシュタイン"
    # OpenStreetMap has no Korean name, but the world pack has one.
    assert (names["ko"], names["zh"]) == ("리히텐슈타인", "列支敦士登")
    assert len(set(names.values())) >= 5


def test_nothing_is_an_honest_empty_list(publishable: Api) -> None:
    assert forward(publishable, "qqqqqzzzzz 99999xyz") == []


FTS = [
    '"',
    '"Vaduz',
    "Vaduz*",
    "NEAR(a b)",
    "a AND",
    "OR",
    "NOT",
    "Vaduz^",
    "name:Vaduz",
    "(((",
    "-",
    "'; DROP TABLE x--",
]


@pytest.mark.parametrize("query", FTS)
def test_search_syntax_is_plain_text(publishable: Api, query: str) -> None:
    for path in ("geocode/forward", "search/autocomplete"):
        assert publishable.get(f"/v1/{path}", params={"query": query}).status_code == 200


def test_reverse(publishable: Api) -> None:
    found = addresses(publishable.get(f"/v1/geocode/reverse?coordinates={FRASER_AT[0]},{FRASER_AT[1]}"))
    assert found[0]["addressLabel"] == "126 West Mitchell Avenue"
    assert found[0]["distance"] < 30
    assert found[0]["timeZone"]["id"] == "America/New_York"
    layers = [one["layer"] for one in found]
    assert {"address", "locality", "county", "state", "country"} <= set(layers)
    coarse = [layer for layer in layers if layer != "address"]
    assert coarse == sorted(coarse, key=LAYERS.index)
    assert all("confidence" not in one for one in found)


def test_reverse_with_layers_and_language(publishable: Api) -> None:
    path = "/v1/geocode/reverse?coordinates=47.1410,9.5209"
    assert {one["layer"] for one in addresses(publishable.get(f"{path}&layers=country,locality"))} == {
        "country",
        "locality",
    }
    assert addresses(publishable.get(f"{path}&layers=country&lang=ru"))[0]["country"] == "Лихтенштейн"


def test_ip_of_this_machine_is_at_home(publishable: Api) -> None:
    answer = publishable.get("/v1/geocode/ip").json()
    assert (answer["ip"], answer["proxy"]) == ("127.0.0.1", False)
    assert set(answer["address"]) >= {"latitude", "longitude", "geometry", "countryCode", "countryFlag", "timeZone"}
    assert answer["address"]["formattedAddress"].endswith(answer["address"]["countryCode"])
    there = f"{answer['address']['latitude']},{answer['address']['longitude']}"
    around = addresses(publishable.get(f"/v1/geocode/reverse?coordinates={there}&layers=county,locality"))
    counties = {one["county"] for one in around if "county" in one}
    assert answer["address"].get("county") in (counties or {None})
    for name in ("", "null"):
        assert publishable.get(f"/v1/geocode/ip?ip={name}").json()["ip"] == "127.0.0.1"


def test_ip_that_is_named(publishable: Api) -> None:
    for ip, country in (("8.8.8.8", "US"), ("::ffff:8.8.8.8", "US"), ("2001:4860:4860::8888", "US")):
        answer = publishable.get("/v1/geocode/ip", params={"ip": ip}).json()
        assert answer["address"]["countryCode"] == country
        assert answer["address"]["formattedAddress"] == "United States"
        assert answer["proxy"] is False
    unknown = publishable.get("/v1/geocode/ip?ip=224.0.0.1").json()
    assert (unknown["ip"], "address" in unknown) == ("224.0.0.1", False)


@pytest.mark.parametrize(
    ("ip", "country", "zone"),
    [
        ("8.8.8.8", "US", None),
        ("130.60.1.1", "CH", "Europe/Zurich"),
        ("141.20.1.1", "DE", "Europe/Berlin"),
        ("133.11.1.1", "JP", "Asia/Tokyo"),
        ("95.213.1.1", "RU", None),
    ],
)
def test_a_country_has_a_time_zone_only_without_a_second_one(
    publishable: Api, ip: str, country: str, zone: str | None
) -> None:
    address = publishable.get("/v1/geocode/ip", params={"ip": ip}).json()["address"]
    assert (address["countryCode"], address.get("timeZone", {}).get("id")) == (country, zone)


def test_ip_of_a_proxy(publishable: Api, secret: Api) -> None:
    secret.patch("/v1/settings", json={"proxyAddresses": "8.8.0.0/16"})
    try:
        assert publishable.get("/v1/geocode/ip?ip=8.8.8.8").json()["proxy"] is True
        assert publishable.get("/v1/geocode/ip?ip=1.1.1.1").json()["proxy"] is False
    finally:
        secret.patch("/v1/settings", json={"proxyAddresses": None})


def test_ip_from_a_trusted_proxy(publishable: Api, engine: Engine) -> None:
    headers = {"X-Forwarded-For": "1.2.3.4, 8.8.8.8"}
    assert publishable.get("/v1/geocode/ip", headers=headers).json()["ip"] == "127.0.0.1"
    engine.settings.change(Environment.TEST, SettingsChange(trusted_proxy_header="X-Forwarded-For"))
    try:
        answer = publishable.get("/v1/geocode/ip", headers=headers).json()
    finally:
        engine.settings.change(Environment.TEST, SettingsChange(trusted_proxy_header=None))
    assert (answer["ip"], answer["address"]["countryCode"]) == ("8.8.8.8", "US")


BAD = [
    ("/v1/geocode/forward", "query", "required"),
    ("/v1/geocode/forward?query=", "query", "empty"),
    ("/v1/geocode/forward?query=%20%09", "query", "empty"),
    (f"/v1/geocode/forward?query={'a' * 10_000}", "query", "10000"),
    ("/v1/geocode/forward?query=a%00b", "query", "not valid text"),
    ("/v1/geocode/forward?query=a&layers=venue", "layers", "place, address, street"),
    ("/v1/geocode/forward?query=a&layers=place,Address", "layers", "'Address'"),
    ("/v1/geocode/forward?query=a&lang=it", "lang", "'zh'"),
    ("/v1/geocode/forward?query=a&country=XX", "country", "ISO 3166"),
    ("/v1/geocode/forward?query=a&country=USA", "country", "'USA'"),
    ("/v1/geocode/forward?query=a&countryCode=US,", "", ""),
    ("/v1/geocode/forward?query=a&countryCode=U1", "countryCode", "'U1'"),
    ("/v1/geocode/forward?query=a&query=b", "query", "more than once"),
    ("/v1/geocode/reverse", "coordinates", "required"),
    ("/v1/geocode/reverse?coordinates=", "coordinates", "latitude,longitude"),
    ("/v1/geocode/reverse?coordinates=1", "coordinates", "latitude,longitude"),
    ("/v1/geocode/reverse?coordinates=1,2,3", "coordinates", "latitude,longitude"),
    ("/v1/geocode/reverse?coordinates=91,0", "coordinates", "[-90, 90]"),
    ("/v1/geocode/reverse?coordinates=0,181", "coordinates", "[-180, 180]"),
    ("/v1/geocode/reverse?coordinates=nan,0", "coordinates", "latitude"),
    ("/v1/geocode/reverse?coordinates=1,2&coordinates=3,4", "coordinates", ""),
    ("/v1/geocode/reverse?coordinates=1,2&layers=city", "layers", "'city'"),
    ("/v1/geocode/reverse?coordinates=1,2&lang=EN", "lang", "'EN'"),
    ("/v1/geocode/ip?ip=1.2.3", "ip", "192.0.2.1"),
    ("/v1/geocode/ip?ip=example.com", "ip", "'example.com'"),
    ("/v1/search/autocomplete", "query", "required"),
    ("/v1/search/autocomplete?query=", "query", "empty"),
    (f"/v1/search/autocomplete?query={'a' * 10_000}", "query", "10000"),
    ("/v1/search/autocomplete?query=a&limit=0", "limit", "[1, 100]"),
    ("/v1/search/autocomplete?query=a&limit=101", "limit", "[1, 100]"),
    ("/v1/search/autocomplete?query=a&limit=1.5", "limit", "whole number"),
    ("/v1/search/autocomplete?query=a&limit=ten", "limit", "whole number"),
    ("/v1/search/autocomplete?query=a&near=here", "near", "latitude,longitude"),
    ("/v1/search/autocomplete?query=a&near=0,200", "near", "[-180, 180]"),
    ("/v1/search/autocomplete?query=a&layers=,x", "layers", "'x'"),
    ("/v1/search/autocomplete?query=a&countryCode=USA", "countryCode", "'USA'"),
    ("/v1/search/autocomplete?query=a&country=us,zz", "country", "'ZZ'"),
    ("/v1/search/autocomplete?query=a&lang=xx", "lang", "'xx'"),
]


@pytest.mark.parametrize(("path", "param", "words"), BAD)
def test_bad_requests(publishable: Api, path: str, param: str, words: str) -> None:
    response = publishable.get(path)
    if param:
        assert_refused(response, param, words)
    else:
        assert response.status_code == 200, response.text


def test_null_values_of_sdks(publishable: Api) -> None:
    nothing = dict.fromkeys(("layers", "country", "countryCode", "lang"), "null")
    assert forward(publishable, FRASER, **nothing) == forward(publishable, FRASER)
    assert forward(publishable, FRASER, lang="") == forward(publishable, FRASER)
    for path in ("/v1/geocode/reverse?coordinates=40.8,-77.87", "/v1/search/autocomplete?query=frase"):
        assert addresses(publishable.get(f"{path}&lang=")) == addresses(publishable.get(path))
    params = {"query": "126 West Mitch", **nothing, "near": "null", "limit": "null"}
    assert addresses(publishable.get("/v1/search/autocomplete", params=params))


def complete(api: Api, query: str, **params: str) -> list[dict[str, Any]]:
    return addresses(api.get("/v1/search/autocomplete", params={"query": query, **params}))


def test_autocomplete(publishable: Api) -> None:
    near = f"{FRASER_AT[0]},{FRASER_AT[1]}"
    for typed in ("126 west mitch", "126 West Mitchell Av", "126 west mitchell avenue"):
        best = complete(publishable, typed, near=near)[0]
        assert best["addressLabel"] == "126 West Mitchell Avenue"
        assert best["distance"] < 30
        assert "confidence" not in best
        assert best["timeZone"]["id"] == "America/New_York"


def test_autocomplete_limits_layers_and_countries(publishable: Api) -> None:
    near = "47.1410,9.5209"
    assert len(complete(publishable, "s", near=near)) == 10
    assert len(complete(publishable, "s", near=near, limit="3")) == 3
    assert len(complete(publishable, "s", near=near, limit="100")) > 10
    assert {one["layer"] for one in complete(publishable, "s", near=near, layers="address")} == {"address"}
    for name in ("country", "countryCode"):
        assert {one["countryCode"] for one in complete(publishable, "s", near=near, **{name: "us"})} == {"US"}
        nearby = (near, f"{FRASER_AT[0]},{FRASER_AT[1]}")
        both = [one for at in nearby for one in complete(publishable, "s", near=at, limit="100", **{name: "US,LI"})]
        assert {one["countryCode"] for one in both} == {"US", "LI"}
    starbucks = complete(publishable, "starbu", near=f"{FRASER_AT[0]},{FRASER_AT[1]}", layers="place")
    assert starbucks[0]["placeLabel"].startswith("Starbucks")


def test_without_near_the_address_of_the_request_anchors(publishable: Api, engine: Engine) -> None:
    """A loopback address is located at home, in the areas in use."""
    best = complete(publishable, "torkelgass 13")[0]
    assert "distance" in best
    home = publishable.get("/v1/geocode/ip").json()["address"]
    assert home["countryCode"] in ("LI", "US")


@pytest.mark.parametrize(
    "body",
    [{}, {"sessionToken": "a", "requestId": "b", "idx": 0}, {"idx": None, "sessionToken": None, "requestId": None}],
)
def test_a_click_is_answered_with_200(publishable: Api, body: dict[str, Any]) -> None:
    answer = publishable.post("/v1/search/autocomplete/click", json=body)
    assert (answer.status_code, answer.json()) == (200, {"meta": {"code": 200}})


def test_bad_clicks(publishable: Api) -> None:
    assert_refused(publishable.post("/v1/search/autocomplete/click", json={"idx": -1}), "idx", "0 or greater")
    assert_refused(publishable.post("/v1/search/autocomplete/click", json=[]), "body")


def test_keys(make_api: MakeApi, secret: Api) -> None:
    assert make_api("prj_test_pk_unknown").get("/v1/geocode/forward?query=a").status_code == 401
    assert forward(secret, FRASER)


def test_no_answer_from_elsewhere_is_503(tmp_path: Path, contract: Contract) -> None:
    with (
        Engine.open(tmp_path / "w", geocoder_url="photon+http://127.0.0.1:9") as engine,
        ApiServer(engine, port=0) as server,
    ):
        api = Api(server.url, engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE), contract)
        lost = api.get("/v1/geocode/forward?query=qqqqqzzzzz&layers=address")
        found = api.get("/v1/geocode/forward?query=Liechtenstein&layers=country")
        api.close()
    assert (lost.status_code, found.status_code) == (503, 200)
    assert "photon" in lost.json()["meta"]["message"].lower()
    assert found.json()["addresses"][0]["countryCode"] == "LI"


def test_limits(publishable: Api, engine: Engine) -> None:
    engine.settings.change(Environment.TEST, SettingsChange(endpoint_rate_limits=True))
    try:
        for path in (
            "geocode/forward?query=a",
            "geocode/reverse?coordinates=1,2",
            "geocode/ip",
            "search/autocomplete?query=a",
        ):
            engine.set_clock(ClockChange(advance_s=10))
            answers = [publishable.get(f"/v1/{path}") for _ in range(11)]
            assert [answer.status_code for answer in answers] == [200] * 10 + [429], path
            assert answers[9].headers["x-ratelimit-remaining"] == "0"
    finally:
        engine.settings.change(Environment.TEST, SettingsChange(endpoint_rate_limits=False))
        engine.set_clock(ClockChange(now=SUMMER, frozen=True))


def test_local_times_have_the_documented_form(publishable: Api) -> None:
    zones = [one["timeZone"]["currentTime"] for one in complete(publishable, "s", limit="100")]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([+-]\d\d:\d\d|Z)", zone) for zone in zones)
