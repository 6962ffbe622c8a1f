"""Polygons with holes and several parts over the API, whose usual fields stay those of the platform."""

import json
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.http.errors import shown
from app.api.v1.geofences import change_of
from app.api.wire.common.decoding import decode_body
from app.api.wire.geofence import GeofenceUpsert
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Polygon
from engine.engine import Engine
from tests.app.api.conftest import Api, assert_refused, circle

FORM = b"application/x-www-form-urlencoded"


def square(west: float, south: float, size: float) -> list[list[float]]:
    """Return a closed ring, counterclockwise."""
    east, north = round(west + size, 6), round(south + size, 6)
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


OUTER, HOLE, ISLAND = square(9.5, 47.1, 0.02), square(9.505, 47.105, 0.01), square(9.53, 47.1, 0.01)
HOLED: list[Any] = [OUTER, HOLE]
PARTS: list[Any] = [[ISLAND], HOLED]
IN_ORDER: list[Any] = [HOLED, [ISLAND]]
"""The parts, the largest first."""

INSIDE, IN_HOLE, IN_ISLAND = (9.502, 47.102), (9.51, 47.11), (9.535, 47.105)


def polygon(tag: str, **fields: Any) -> dict[str, Any]:
    return {"description": "A park", "type": "polygon", "tag": tag, "externalId": "1"} | fields


def geojson(kind: str, coordinates: Any) -> dict[str, Any]:
    return {"type": kind, "coordinates": coordinates}


def put(api: Api, tag: str, **fields: Any) -> dict[str, Any]:
    response = api.put(f"/v1/geofences/{tag}/1", json=polygon(tag, **fields))
    assert response.status_code == 200, response.text
    geofence: dict[str, Any] = response.json()["geofence"]
    return geofence


@pytest.mark.parametrize(
    "fields",
    [
        {"coordinates": PARTS},
        {"coordinates": json.dumps(PARTS)},
        {"geometry": geojson("MultiPolygon", PARTS)},
        {"geometry": json.dumps(geojson("MultiPolygon", PARTS))},
        {"geometry": geojson("MultiPolygon", PARTS) | {"bbox": [9.5, 47.1, 9.54, 47.12]}},
    ],
)
def test_parts_are_stored_by_every_way_and_returned_in_a_field_of_their_own(
    secret: Api, engine: Engine, name: str, fields: dict[str, Any]
) -> None:
    created = secret.post("/v1/geofences", json=polygon(name, **fields)).json()["geofence"]
    assert created["type"] == "polygon"
    assert created["geometry"] == geojson("Polygon", [OUTER])
    assert created["fullGeometry"] == geojson("MultiPolygon", IN_ORDER)
    stored = engine.geofences.get_by_key(Environment.TEST, name, "1").geometry
    assert isinstance(stored, Polygon)
    assert [len(part.holes) for part in stored.parts] == [1, 0]
    assert secret.get(f"/v1/geofences/{name}/1").json()["geofence"] == created


@pytest.mark.parametrize("fields", [{"coordinates": HOLED}, {"geometry": geojson("Polygon", HOLED)}])
def test_a_hole_is_returned_as_a_polygon_of_two_rings(secret: Api, name: str, fields: dict[str, Any]) -> None:
    created = put(secret, name, **fields)
    assert created["geometry"] == geojson("Polygon", [OUTER])
    assert created["fullGeometry"] == geojson("Polygon", HOLED)


@pytest.mark.parametrize(
    "fields",
    [
        {"coordinates": OUTER},
        {"coordinates": [OUTER]},
        {"coordinates": [[OUTER]]},
        {"geometry": geojson("Polygon", [OUTER])},
        {"geometry": geojson("MultiPolygon", [[OUTER]])},
    ],
)
def test_a_single_ring_has_no_further_field(secret: Api, name: str, fields: dict[str, Any]) -> None:
    created = put(secret, name, **fields)
    assert created["geometry"] == geojson("Polygon", [OUTER])
    assert "fullGeometry" not in created


def test_the_centre_is_inside_and_the_radius_reaches_every_part(secret: Api, publishable: Api, name: str) -> None:
    """A device monitors this circle, so an event may happen anywhere in it."""
    created = put(secret, name, coordinates=PARTS)
    longitude, latitude = created["geometryCenter"]["coordinates"]
    assert 9.5 < longitude < 9.52
    assert 47.1 < latitude < 47.12
    assert not (9.505 < longitude < 9.515 and 47.105 < latitude < 47.115)
    assert created["geometryRadius"] > 2000  # the island's far corner
    near = {"near": "47.105,9.535", "radius": 10, "tags": name}
    (found,) = publishable.get("/v1/search/geofences", params=near).json()["geofences"]
    assert {key: found[key] for key in ("geometry", "fullGeometry", "geometryCenter", "geometryRadius")} == {
        key: created[key] for key in ("geometry", "fullGeometry", "geometryCenter", "geometryRadius")
    }
    (short,) = publishable.get("/v1/search/geofences", params=near | {"includeGeometry": "false"}).json()["geofences"]
    assert not {"geometry", "fullGeometry"} & short.keys()


@pytest.mark.parametrize(("where", "is_inside"), [(INSIDE, True), (IN_HOLE, False), (IN_ISLAND, True)])
def test_a_device_in_a_hole_is_outside(
    secret: Api, publishable: Api, name: str, where: tuple[float, float], is_inside: bool
) -> None:
    created = put(secret, name, coordinates=PARTS)
    body = {"deviceId": name, "longitude": where[0], "latitude": where[1], "accuracy": 5}
    answer = publishable.post("/v1/track", json=body).json()
    about = [each for each in answer["user"]["geofences"] if each["tag"] == name]
    assert len(about) == is_inside
    for each in (*about, *(event["geofence"] for event in answer["events"] if event["geofence"]["tag"] == name)):
        assert each["geometryCenter"] == created["geometryCenter"]
        assert each["geometryRadius"] == created["geometryRadius"]
        assert "fullGeometry" not in each
    context = publishable.get("/v1/context", params={"coordinates": f"{where[1]},{where[0]}"}).json()["context"]
    assert sum(each["tag"] == name for each in context["geofences"]) == is_inside


def test_a_device_is_given_the_whole_shape_to_monitor(secret: Api, publishable: Api, name: str) -> None:
    created = put(secret, name, coordinates=PARTS)
    body = {"longitude": IN_HOLE[0], "latitude": IN_HOLE[1]}
    answer = publishable.post("/v1/sync/region", json=body).json()
    (watched,) = [each for each in answer["geofences"] if each["tag"] == name]
    for field in ("geometry", "fullGeometry", "geometryCenter", "geometryRadius"):
        assert watched[field] == created[field]


def test_forms_take_nested_keys_and_json(secret: Api, name: str) -> None:
    ways: list[dict[str, Any]] = [
        {"coordinates": json.dumps(PARTS)},
        {"geometry": json.dumps(geojson("MultiPolygon", PARTS))},
        dict(nested("coordinates", PARTS)),
        {"geometry[type]": "MultiPolygon", **dict(nested("geometry[coordinates]", PARTS))},
    ]
    for way in ways:
        created = secret.put(f"/v1/geofences/{name}/1", data=polygon(name, **way)).json()
        assert created["geofence"]["fullGeometry"] == geojson("MultiPolygon", IN_ORDER), way
        secret.put(f"/v1/geofences/{name}/1", json=polygon(name, coordinates=OUTER))


def nested(name: str, value: Any) -> list[tuple[str, str]]:
    """Return nested lists as pairs of a form with a key for each number."""
    if isinstance(value, list):
        return [pair for at, each in enumerate(value) for pair in nested(f"{name}[{at}]", each)]
    return [(name, str(value))]


def test_a_point_is_the_centre_of_a_circle(secret: Api, name: str) -> None:
    body = circle(name)
    del body["coordinates"]
    created = secret.post("/v1/geofences", json=body | {"geometry": geojson("Point", [9.5, 47.1])}).json()["geofence"]
    assert created["geometryCenter"] == geojson("Point", [9.5, 47.1])
    moved = secret.put(f"/v1/geofences/{name}/1", json={"geometry": geojson("Point", [9.6, 47.2])}).json()["geofence"]
    assert moved["geometryCenter"] == geojson("Point", [9.6, 47.2])
    assert moved["geometryRadius"] == created["geometryRadius"]


def test_a_returned_geofence_can_be_sent_back(secret: Api, name: str) -> None:
    """A client may change one field of what it was given, and neither know nor send `fullGeometry`."""
    round_one = secret.post("/v1/geofences", json=circle(f"{name}-c")).json()["geofence"]
    for created in (put(secret, name, coordinates=PARTS), round_one):
        known = {key: value for key, value in created.items() if key != "fullGeometry"} | {"description": "Renamed"}
        path = f"/v1/geofences/{created['tag']}/1"
        changed = secret.put(path, json=known).json()["geofence"]
        assert {**changed, "updatedAt": ""} == {**created, "description": "Renamed", "updatedAt": ""}
    moved = secret.put(f"/v1/geofences/{name}-c/1", json=round_one | {"coordinates": [9.6, 47.2]}).json()["geofence"]
    assert moved["geometryCenter"] == geojson("Point", [9.6, 47.2])


def test_a_hole_comes_and_goes_with_an_update(secret: Api, name: str) -> None:
    created = put(secret, name, coordinates=OUTER)
    path = f"/v1/geofences/{created['_id']}"
    assert "fullGeometry" in secret.put(path, json={"geometry": geojson("Polygon", HOLED)}).json()["geofence"]
    assert "fullGeometry" in secret.put(path, json={"description": "Kept"}).json()["geofence"]
    assert "fullGeometry" not in secret.put(path, json={"coordinates": OUTER}).json()["geofence"]


AWAY, WRONG_WAY = square(9.6, 47.1, 0.01), square(9.515, 47.105, 0.01)
BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"coordinates": [OUTER, [[9.5, 47.1], 5]]}, "coordinates", "ring 2 position 2 must be two numbers"),
    ({"coordinates": [OUTER, 5]}, "coordinates", "ring 2 must be a list of positions, not 5"),
    ({"coordinates": [OUTER, []]}, "coordinates", "ring 2 must be a list of positions, not []"),
    ({"coordinates": [OUTER, [OUTER]]}, "coordinates", "ring 2 position 1 must be two numbers"),
    ({"coordinates": [[OUTER], OUTER]}, "coordinates", "part 2 ring 1 position 1 must be two numbers"),
    ({"coordinates": [[OUTER], []]}, "coordinates", "part 2 must be a list of rings, not []"),
    ({"coordinates": [[[OUTER]]]}, "coordinates", "nested too deeply"),
    ({"coordinates": [[[OUTER[0], [True, 1]]]]}, "coordinates", "part 1 ring 1 position 2 must be two numbers"),
    ({"coordinates": [[]]}, "coordinates", "position"),
    ({"coordinates": [OUTER, HOLE[:-1]]}, "coordinates", "coordinates: ring 2: the ring must be closed"),
    ({"coordinates": [[OUTER], [AWAY, HOLE[:3]]]}, "coordinates", "part 2 ring 2: a ring needs at least 4 positions"),
    ({"coordinates": [[OUTER], [[*AWAY[:4], [9.6, 91]]]]}, "coordinates", "part 2 ring 1: the latitude"),
    ({"coordinates": [OUTER[:-1]]}, "coordinates", "coordinates: the ring must be closed"),
    ({"coordinates": [OUTER, AWAY]}, "coordinates", "inside its outer ring"),
    ({"coordinates": [[OUTER], [HOLE]]}, "coordinates", "two parts overlap"),
    ({"coordinates": [OUTER, WRONG_WAY]}, "coordinates", "inside its outer ring"),
    ({"coordinates": [[OUTER]] + [[AWAY]] * 100}, "coordinates", "at most 100 parts"),
    ({"coordinates": [OUTER] + [HOLE] * 101}, "coordinates", "at most 100 holes"),
    ({"coordinates": [OUTER, [[9.5, 47.1]] * 1996]}, "coordinates", "at most 2000 positions"),
    ({"coordinates": OUTER, "geometry": geojson("Polygon", HOLED)}, "geometry", "not both"),
    ({"geometry": geojson("Polygon", OUTER)}, "geometry", "ring 1 position 1 must be two numbers"),
    ({"geometry": geojson("Polygon", [HOLED])}, "geometry", "ring 1 position 1 must be two numbers"),
    ({"geometry": geojson("MultiPolygon", HOLED)}, "geometry", "part 1 ring 1 position 1 must be two numbers"),
    ({"geometry": geojson("LineString", OUTER)}, "geometry", "Point, Polygon or MultiPolygon, not 'LineString'"),
    ({"geometry": geojson("Point", OUTER[0])}, "geometry", "must be a Polygon or MultiPolygon for a polygon"),
    ({"geometry": geojson("Polygon", [OUTER, AWAY])}, "geometry", "inside its outer ring"),
    ({"geometry": {"type": "Polygon"}}, "geometry", "coordinates must be a list of rings, not null"),
    ({"geometry": {"type": ["Polygon"], "coordinates": [OUTER]}}, "geometry", "its type must be"),
    ({"geometry": {"type": "Feature", "geometry": geojson("Polygon", [OUTER])}}, "geometry", "'Feature'"),
    ({"geometry": [OUTER]}, "geometry", "GeoJSON"),
    ({"geometry": "here"}, "geometry", "JSON"),
    ({"geometry": "5"}, "geometry", "GeoJSON"),
    ({"type": "circle", "radius": 50, "geometry": geojson("Polygon", [OUTER])}, "geometry", "must be a Point"),
    ({"type": "isochrone", "radius": 5, "mode": "foot", "geometry": geojson("Polygon", HOLED)}, "geometry", "a Point"),
    ({"type": "circle", "radius": 50, "coordinates": HOLED}, "coordinates", "position"),
]


@pytest.mark.parametrize(("fields", "param", "words"), BAD)
def test_bad_shapes_name_their_parameter_and_the_place(
    secret: Api, engine: Engine, name: str, fields: dict[str, Any], param: str, words: str
) -> None:
    before = engine.history.counts(Environment.TEST)
    response = secret.post("/v1/geofences", json=polygon(name) | fields)
    assert_refused(response, param, words)
    assert response.json()["meta"]["message"].startswith(f"{param}: ")
    assert engine.history.counts(Environment.TEST) == before


def test_a_change_without_a_type_names_its_parameter(secret: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name))
    path = f"/v1/geofences/{name}/1"
    assert_refused(secret.put(path, json={"geometry": geojson("Polygon", HOLED)}), "geometry", "position")
    assert_refused(secret.put(path, json={"coordinates": HOLED}), "coordinates", "position")


NUMBERS = st.one_of(
    st.floats(-200, 200), st.integers(-(10**400), 10**400), st.booleans(), st.none(), st.text(max_size=3)
)
JUNK = st.recursive(NUMBERS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner))
SHAPES = st.one_of(
    JUNK,
    st.recursive(
        st.sampled_from([OUTER, HOLE, ISLAND, OUTER[0], 5, [], None]), lambda inner: st.lists(inner, max_size=3)
    ),
)


@given(
    kind=st.sampled_from(["polygon", "circle", None]),
    coordinates=SHAPES | st.just(None),
    geometry=st.one_of(
        JUNK,
        st.builds(geojson, st.sampled_from(["Point", "Polygon", "MultiPolygon", "Line", None]) | JUNK, SHAPES),
    ),
    as_text=st.booleans(),
)
def test_nested_junk_is_read_or_refused_by_name(
    engine: Engine, kind: str | None, coordinates: Any, geometry: Any, as_text: bool
) -> None:
    """No nesting of lists is an internal error, in JSON or in a form."""
    body = {"type": kind, "coordinates": coordinates, "geometry": geometry, "radius": 50}
    sent = {field: value for field, value in body.items() if value is not None}
    refused = _refusal_of(engine, sent, as_text=as_text)
    if refused is not None:
        assert refused.param in ("coordinates", "geometry", "description", "type"), shown(sent)
        assert refused.message.startswith(f"{refused.param}: ")


def _refusal_of(engine: Engine, sent: dict[str, Any], *, as_text: bool) -> InvalidParameter | None:
    text = {field: value if field in ("type", "radius") else json.dumps(value) for field, value in sent.items()}
    content, content_type = (urlencode(text), FORM) if as_text else (json.dumps(sent), b"application/json")
    try:
        change = change_of(decode_body(GeofenceUpsert, content.encode(), content_type))
        engine.geofences.upsert(Environment.TEST, "junk", "1", change)
    except InvalidParameter as error:
        return error
    return None
