"""Nominatim, Photon and Pelias: the requests, and the parsing of their responses."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.domain.addresses.address import (
    COARSE,
    FINE,
    Address,
    AddressLanguage,
    AutocompleteQuery,
    ForwardQuery,
    Layer,
    MatchConfidence,
    ReverseQuery,
)
from engine.domain.geometry import Point
from engine.geocoding.remote.nominatim import NominatimGeocoder
from engine.geocoding.remote.pelias import PeliasGeocoder
from engine.geocoding.remote.photon import PhotonGeocoder
from tests.servers import FakeServer, answering, send, serving

VADUZ = Point(9.5209, 47.1410)
US_HOUSE = {
    "place_id": 7,
    "osm_type": "node",
    "osm_id": 8,
    "lat": "40.7934",
    "lon": "-77.8600",
    "category": "place",
    "type": "house",
    "place_rank": 30,
    "addresstype": "place",
    "name": "",
    "display_name": "123, East Beaver Avenue, State College, Centre County, Pennsylvania, 16801, United States",
    "address": {
        "house_number": "123",
        "road": "East Beaver Avenue",
        "neighbourhood": "Downtown",
        "town": "State College",
        "county": "Centre County",
        "state": "Pennsylvania",
        "ISO3166-2-lvl4": "US-PA",
        "postcode": "16801",
        "country": "United States",
        "country_code": "us",
    },
}


def nominatim(**fields: Any) -> dict[str, Any]:
    address = US_HOUSE["address"] | fields.pop("address", {})
    return US_HOUSE | fields | {"address": address}


def photon(longitude: float = 9.5209, latitude: float = 47.1410, **properties: Any) -> dict[str, Any]:
    point = {"type": "Point", "coordinates": [longitude, latitude]}
    common = {"osm_type": "N", "osm_id": 1, "country": "Liechtenstein", "countrycode": "LI"}
    return {"type": "Feature", "geometry": point, "properties": common | properties}


LI_HOUSE = photon(
    osm_key="place",
    osm_value="house",
    type="house",
    housenumber="12a",
    street="Landstrasse",
    city="Vaduz",
    district="Mitteldorf",
    locality="Hintergass",
    county="Oberland",
    state="Vaduz",
    postcode="9490",
)
PELIAS_HOUSE = photon(
    layer="address",
    name="Landstrasse 12a",
    housenumber="12a",
    street="Landstrasse",
    postalcode="9490",
    locality="Vaduz",
    borough="Mitteldorf",
    neighbourhood="Hintergass",
    county="Oberland",
    region="Vaduz",
    region_a="VD",
    country_code="LI",
    country_a="LIE",
    accuracy="point",
    match_type="exact",
    label="Landstrasse 12a, Vaduz, Liechtenstein",
)


def collection(*features: Any) -> dict[str, Any]:
    return {"type": "FeatureCollection", "features": list(features)}


def params_of(server: FakeServer) -> dict[str, list[str]]:
    (request,) = server.requests
    return request.params


def test_nominatim_finds_a_house() -> None:
    with serving(answering([nominatim()])) as server:
        geocoder = NominatimGeocoder(f"{server.url}/geo/")
        query = ForwardQuery(text="123 east beaver ave", countries=frozenset({"US", "CA"}))
        (found,) = geocoder.forward(query)
        geocoder.close()
    assert found == Address(
        point=Point(-77.86, 40.7934),
        layer=Layer.ADDRESS,
        formatted="123 East Beaver Avenue, State College, PA 16801 US",
        label="123 East Beaver Avenue",
        number="123",
        street="East Beaver Avenue",
        neighborhood="Downtown",
        city="State College",
        county="Centre County",
        state="Pennsylvania",
        state_code="PA",
        postal_code="16801",
        country="United States",
        country_code="US",
        confidence=MatchConfidence.EXACT,
    )
    (request,) = server.requests
    assert request.path == "/geo/search"
    assert request.params["q"] == ["123 east beaver ave"]
    assert request.params["countrycodes"] == ["ca,us"]
    assert request.params["format"] == ["jsonv2"]
    assert request.params["addressdetails"] == ["1"]
    assert request.params["accept-language"] == ["en"]
    assert "Fencewright" in request.headers["user-agent"]


COARSE_RESULTS = [
    ({"addresstype": "country", "category": "boundary", "type": "administrative"}, Layer.COUNTRY),
    ({"addresstype": "state", "category": "boundary", "type": "administrative"}, Layer.STATE),
    ({"addresstype": "county", "category": "boundary", "type": "administrative"}, Layer.COUNTY),
    ({"addresstype": "village", "category": "boundary", "type": "administrative"}, Layer.LOCALITY),
    ({"addresstype": None, "category": "place", "type": "town"}, Layer.LOCALITY),
    ({"addresstype": "postcode", "category": "place", "type": "postcode"}, Layer.POSTAL_CODE),
    ({"addresstype": "road", "category": "highway", "type": "residential"}, Layer.ADDRESS),
    ({"addresstype": "amenity", "category": "amenity", "type": "cafe"}, Layer.PLACE),
    ({"addresstype": "building", "category": "building", "type": "yes"}, Layer.ADDRESS),
]


@pytest.mark.parametrize(("fields", "layer"), COARSE_RESULTS)
def test_nominatim_layers(fields: dict[str, Any], layer: Layer) -> None:
    with serving(answering([nominatim(name="Something", **fields)])) as server:
        geocoder = NominatimGeocoder(server.url)
        (found,) = geocoder.forward(ForwardQuery(text="something", layers=COARSE | FINE))
        assert geocoder.forward(ForwardQuery(text="something", layers=(COARSE | FINE) - {layer})) == ()
        geocoder.close()
    assert found.layer is layer
    assert (found.place_label == "Something") is (layer is Layer.PLACE)
    assert (found.number is None) is (layer not in FINE)


@pytest.mark.parametrize(
    ("text", "fields", "confidence"),
    [
        ("123 East Beaver Avenue", {}, MatchConfidence.EXACT),
        ("125 East Beaver Avenue", {}, MatchConfidence.FALLBACK),
        ("123 East Beaver Avenue", {"osm_type": "way"}, MatchConfidence.INTERPOLATED),
        ("state college", {"addresstype": "town", "name": "State College"}, MatchConfidence.EXACT),
        ("state college 16801", {"addresstype": "town", "name": "State College"}, MatchConfidence.EXACT),
        ("9 elm street state college", {"addresstype": "town", "name": "State College"}, MatchConfidence.FALLBACK),
        ("college", {"addresstype": "town", "name": "State College"}, MatchConfidence.FALLBACK),
    ],
)
def test_nominatim_confidence(text: str, fields: dict[str, Any], confidence: MatchConfidence) -> None:
    with serving(answering([nominatim(**fields)])) as server:
        geocoder = NominatimGeocoder(server.url)
        (found,) = geocoder.forward(ForwardQuery(text=text))
        geocoder.close()
    assert found.confidence is confidence


@pytest.mark.parametrize(
    ("layers", "zoom", "themes"),
    [
        (COARSE | {Layer.ADDRESS}, "18", "address"),
        (FINE, "18", "address,poi"),
        (frozenset({Layer.PLACE}), "18", "poi"),
        (COARSE, "10", "address"),
        (frozenset({Layer.STATE, Layer.COUNTRY}), "5", "address"),
    ],
)
def test_nominatim_reverse(layers: frozenset[Layer], zoom: str, themes: str) -> None:
    with serving(answering(nominatim())) as server:
        geocoder = NominatimGeocoder(server.url)
        point = Point(-77.86, 40.7944)
        found = geocoder.reverse(ReverseQuery(point=point, layers=layers, language=AddressLanguage.JAPANESE))
        geocoder.close()
    params = params_of(server)
    assert (params["zoom"], params["layer"]) == ([zoom], [themes])
    assert (params["lat"], params["lon"]) == (["40.7944"], ["-77.86"])
    assert params["accept-language"] == ["ja"]
    if Layer.ADDRESS in layers:
        assert found[0].distance_m == pytest.approx(111, abs=1)
        assert found[0].confidence is None
    else:
        assert found == ()


def test_nominatim_without_a_result() -> None:
    with serving(answering({"error": "Unable to geocode"})) as server:
        geocoder = NominatimGeocoder(server.url)
        assert geocoder.reverse(ReverseQuery(point=Point(0, 0))) == ()
        assert geocoder.reverse(ReverseQuery(point=Point(0, 0), layers=frozenset({Layer.POSTAL_CODE}))) == ()
        geocoder.close()
    assert len(server.requests) == 1


def test_photon_finds_a_house() -> None:
    with serving(answering(collection(LI_HOUSE))) as server:
        geocoder = PhotonGeocoder(server.url)
        (found,) = geocoder.forward(
            ForwardQuery(text="Landstr. 12a, Vaduz", countries=frozenset({"LI", "CH"}), language=AddressLanguage.GERMAN)
        )
        geocoder.close()
    assert found == Address(
        point=VADUZ,
        layer=Layer.ADDRESS,
        formatted="Landstrasse 12a, 9490 Vaduz LI",
        label="Landstrasse 12a",
        number="12a",
        street="Landstrasse",
        neighborhood="Hintergass",
        borough="Mitteldorf",
        city="Vaduz",
        county="Oberland",
        state="Vaduz",
        postal_code="9490",
        country="Liechtenstein",
        country_code="LI",
        confidence=MatchConfidence.EXACT,
    )
    params = params_of(server)
    assert server.requests[0].path == "/api"
    assert params["q"] == ["Landstr. 12a, Vaduz"]
    assert params["lang"] == ["de"]
    assert params["countrycode"] == ["CH", "LI"]
    assert set(params["layer"]) == {"house", "street", "city", "district", "locality", "county", "state", "country"}


@pytest.mark.parametrize(
    ("properties", "layer"),
    [
        ({"type": "house", "osm_key": "shop", "osm_value": "bakery", "name": "Something"}, Layer.PLACE),
        ({"type": "other", "osm_key": "natural", "osm_value": "peak", "name": "Something"}, Layer.PLACE),
        ({"type": "street", "osm_key": "highway", "osm_value": "residential", "name": "Something"}, Layer.ADDRESS),
        ({"type": "city", "osm_key": "place", "osm_value": "town", "name": "Something"}, Layer.LOCALITY),
        ({"type": "state", "osm_key": "boundary", "osm_value": "administrative", "name": "Something"}, Layer.STATE),
        ({"type": "country", "osm_key": "place", "osm_value": "country", "name": "Something"}, Layer.COUNTRY),
        ({"osm_key": "place", "osm_value": "city", "name": "Something"}, Layer.LOCALITY),
    ],
)
def test_photon_layers(properties: dict[str, Any], layer: Layer) -> None:
    with serving(answering(collection(photon(**properties)))) as server:
        geocoder = PhotonGeocoder(server.url)
        (found,) = geocoder.forward(ForwardQuery(text="something", layers=COARSE | FINE))
        assert geocoder.forward(ForwardQuery(text="something", layers=(COARSE | FINE) - {layer})) == ()
        geocoder.close()
    assert found.layer is layer
    assert "Something" in (found.place_label, found.street, found.city, found.state, found.country, found.label)


def test_photon_completes_near_a_position() -> None:
    with serving(answering(collection(LI_HOUSE, LI_HOUSE))) as server:
        geocoder = PhotonGeocoder(server.url)
        found = geocoder.autocomplete(AutocompleteQuery(text="Landst", near=Point(9.5209, 47.1420), limit=1))
        geocoder.close()
    assert [address.distance_m for address in found] == [pytest.approx(111, abs=1)]
    assert found[0].confidence is None
    assert (params_of(server)["lat"], params_of(server)["lon"]) == (["47.142"], ["9.5209"])


def test_photon_without_the_language() -> None:
    """Photon supports only the languages that its data was built with, and refuses others."""

    def reply(handler: Any, request: Any) -> None:
        if "lang" in request.params:
            send(handler, 400, b'{"message": "Language is not supported."}')
        else:
            answering(collection(LI_HOUSE))(handler, request)

    with serving(reply) as server:
        geocoder = PhotonGeocoder(server.url)
        query = ForwardQuery(text="Landstrasse 12a", language=AddressLanguage.KOREAN)
        assert len(geocoder.forward(query)) == len(geocoder.forward(query)) == 1
        geocoder.close()
    assert ["lang" in request.params for request in server.requests] == [True, False, False]


def test_photon_reverse() -> None:
    with serving(answering(collection(LI_HOUSE))) as server:
        geocoder = PhotonGeocoder(server.url)
        (found,) = geocoder.reverse(ReverseQuery(point=Point(9.5209, 47.1420)))
        geocoder.close()
    assert (found.number, found.confidence) == ("12a", None)
    assert found.distance_m == pytest.approx(111, abs=1)
    assert server.requests[0].path == "/reverse"
    assert set(params_of(server)["layer"]) == {"house", "street"}


def test_other_countries_are_left_out_even_if_the_server_does_not() -> None:
    with serving(answering(collection(LI_HOUSE))) as server:
        geocoder = PhotonGeocoder(server.url)
        assert geocoder.forward(ForwardQuery(text="Landstrasse 12a", countries=frozenset({"CH"}))) == ()
        geocoder.close()


def test_pelias_finds_a_house() -> None:
    with serving(answering(collection(PELIAS_HOUSE))) as server:
        geocoder = PeliasGeocoder(f"{server.url}?api_key=secret")
        (found,) = geocoder.forward(ForwardQuery(text="landstrasse 12a", countries=frozenset({"LI"})))
        geocoder.close()
    assert found == Address(
        point=VADUZ,
        layer=Layer.ADDRESS,
        formatted="Landstrasse 12a, 9490 Vaduz LI",
        label="Landstrasse 12a",
        number="12a",
        street="Landstrasse",
        neighborhood="Hintergass",
        borough="Mitteldorf",
        city="Vaduz",
        county="Oberland",
        state="Vaduz",
        state_code="VD",
        postal_code="9490",
        country="Liechtenstein",
        country_code="LI",
        confidence=MatchConfidence.EXACT,
    )
    params = params_of(server)
    assert server.requests[0].path == "/v1/search"
    assert params["text"] == ["landstrasse 12a"]
    assert params["api_key"] == ["secret"]
    assert params["boundary.country"] == ["LI"]
    assert set(params["layers"][0].split(",")) >= {"address", "street", "locality", "region", "country", "postalcode"}
    assert "venue" not in params["layers"][0]


@pytest.mark.parametrize(
    ("properties", "confidence"),
    [
        ({"match_type": "exact"}, MatchConfidence.EXACT),
        ({"match_type": "interpolated", "accuracy": "interpolated"}, MatchConfidence.INTERPOLATED),
        ({"match_type": "fallback"}, MatchConfidence.FALLBACK),
        ({"match_type": None}, MatchConfidence.EXACT),
        ({"match_type": "something new", "housenumber": "14"}, MatchConfidence.FALLBACK),
    ],
)
def test_pelias_confidence(properties: dict[str, Any], confidence: MatchConfidence) -> None:
    feature = PELIAS_HOUSE | {"properties": PELIAS_HOUSE["properties"] | properties}
    with serving(answering(collection(feature))) as server:
        geocoder = PeliasGeocoder(server.url)
        (found,) = geocoder.forward(ForwardQuery(text="landstrasse 12a"))
        geocoder.close()
    assert found.confidence is confidence


@pytest.mark.parametrize(
    ("kind", "layer"),
    [
        ("venue", Layer.PLACE),
        ("street", Layer.ADDRESS),
        ("postalcode", Layer.POSTAL_CODE),
        ("localadmin", Layer.LOCALITY),
        ("county", Layer.COUNTY),
        ("region", Layer.STATE),
        ("country", Layer.COUNTRY),
    ],
)
def test_pelias_layers(kind: str, layer: Layer) -> None:
    with serving(answering(collection(photon(layer=kind, name="Something"), photon(layer="ocean")))) as server:
        geocoder = PeliasGeocoder(server.url)
        (found,) = geocoder.autocomplete(AutocompleteQuery(text="someth", layers=COARSE | FINE, near=VADUZ))
        geocoder.close()
    assert (found.layer, found.label, found.distance_m) == (layer, "Something", 0)
    assert server.requests[0].path == "/v1/autocomplete"
    assert params_of(server)["focus.point.lon"] == ["9.5209"]


def test_pelias_reverse() -> None:
    with serving(answering(collection(PELIAS_HOUSE))) as server:
        geocoder = PeliasGeocoder(server.url)
        (found,) = geocoder.reverse(ReverseQuery(point=VADUZ, limit=3))
        assert geocoder.reverse(ReverseQuery(point=VADUZ, layers=COARSE)) == ()
        geocoder.close()
    assert (found.number, found.distance_m, found.confidence) == ("12a", 0, None)
    assert [request.path for request in server.requests] == ["/v1/reverse"] * 2
    assert server.requests[0].params["layers"] == ["address,street"]
    assert server.requests[0].params["size"] == ["3"]


ODD: tuple[Any, ...] = (
    None,
    7,
    "text",
    [],
    {},
    {"properties": None},
    {"lat": "north", "lon": "east", "address": {}},
    {"lat": "1", "lon": "2", "address": []},
    {"lat": "91", "lon": "0", "address": {}},
    {"lat": "nan", "lon": "0", "address": {}},
    {"lat": True, "lon": False, "address": {"road": "x"}},
    {"geometry": {"coordinates": []}, "properties": {}},
    {"geometry": {"coordinates": ["a", "b"]}, "properties": {"layer": "address", "type": "house"}},
    {"geometry": {"coordinates": [1, 2]}, "properties": {"layer": 5, "type": [], "name": 3, "countrycode": "ABC"}},
)


@pytest.mark.parametrize(
    ("make", "wrap", "good"),
    [
        (NominatimGeocoder, list, nominatim()),
        (PhotonGeocoder, lambda items: collection(*items), LI_HOUSE),
        (PeliasGeocoder, lambda items: collection(*items), PELIAS_HOUSE),
    ],
)
def test_odd_results_do_not_spoil_good_ones(make: Any, wrap: Callable[[Any], Any], good: Any) -> None:
    with serving(answering(wrap([*ODD, good]))) as server:
        geocoder = make(server.url)
        found = geocoder.forward(ForwardQuery(text="something"))
        geocoder.close()
    assert found[-1].number in ("123", "12a")
    assert all(address.formatted for address in found)


@pytest.mark.parametrize(
    ("fields", "formatted"),
    [
        ({"addresstype": "country", "name": "United States"}, "United States"),
        ({"addresstype": "state", "name": "Pennsylvania"}, "Pennsylvania, US"),
        ({"addresstype": "county", "name": "Centre County"}, "Centre County, PA US"),
        ({"addresstype": "town", "name": "State College"}, "State College, PA US"),
        ({"addresstype": "suburb", "name": "Downtown"}, "Downtown, State College, PA US"),
        ({"addresstype": "postcode", "name": "16801"}, "State College, PA 16801 US"),
        ({"addresstype": "road", "name": "East Beaver Avenue"}, "123 East Beaver Avenue, State College, PA 16801 US"),
        (
            {"addresstype": "amenity", "category": "amenity", "type": "pub", "name": "The Inn"},
            "The Inn, 123 East Beaver Avenue, State College, PA 16801 US",
        ),
    ],
)
def test_results_are_written_as_those_of_areas(fields: dict[str, Any], formatted: str) -> None:
    with serving(answering([nominatim(**fields)])) as server:
        geocoder = NominatimGeocoder(server.url)
        (found,) = geocoder.forward(ForwardQuery(text="something", layers=COARSE | FINE))
        geocoder.close()
    assert found.formatted == formatted
