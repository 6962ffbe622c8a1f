"""The geofence resources over a real socket."""

import json
from typing import Any
from urllib.parse import quote

import pytest

from engine.domain.edits import MAX_DETAIL, EditSource
from engine.domain.environment import Environment
from engine.engine import Engine
from tests.app.api.conftest import CENTRAL_PARK, Api, assert_refused, circle

SQUARE = [[-73.98, 40.78], [-73.97, 40.78], [-73.97, 40.79], [-73.98, 40.79], [-73.98, 40.78]]


def polygon(tag: str, external_id: str = "1", **fields: Any) -> dict[str, Any]:
    return {
        "description": "A block",
        "type": "polygon",
        "tag": tag,
        "externalId": external_id,
        "coordinates": SQUARE,
    } | fields


def test_a_circle_comes_back_as_stored(secret: Api, name: str) -> None:
    created = secret.post("/v1/geofences", json=circle(name, metadata={"a": 1, "b": True, "c": "x"})).json()["geofence"]
    assert created["type"] == "circle"
    assert created["geometryCenter"] == {"type": "Point", "coordinates": list(CENTRAL_PARK)}
    assert created["geometryRadius"] == 100
    assert len(created["geometry"]["coordinates"][0]) == 33
    assert created["metadata"] == {"a": 1, "b": True, "c": "x"}
    assert created["enabled"] is True
    assert secret.get(f"/v1/geofences/{created['_id']}").json()["geofence"] == created
    assert secret.get(f"/v1/geofences/{name}/1").json()["geofence"] == created
    assert secret.get(f"/api/v1/geofences/{name}/1").json()["geofence"] == created


def test_a_polygon_comes_back_as_stored(secret: Api, name: str) -> None:
    created = secret.post("/v1/geofences", json=polygon(name)).json()["geofence"]
    assert created["geometry"] == {"type": "Polygon", "coordinates": [SQUARE]}
    assert created["geometryCenter"]["coordinates"] == pytest.approx([-73.975, 40.785], abs=1e-4)
    assert 500 < created["geometryRadius"] < 1000


def test_put_keeps_absent_fields(secret: Api, name: str) -> None:
    secret.put(f"/v1/geofences/{name}/1", json=circle(name, metadata={"a": 1}))
    changed = secret.put(f"/v1/geofences/{name}/1", json={"enabled": False, "metadata": None}).json()["geofence"]
    assert changed["enabled"] is False
    assert changed["metadata"] == {"a": 1}
    assert changed["description"] == "A lawn"
    again = secret.put(f"/v1/geofences/{changed['_id']}", json={"radius": 200}).json()["geofence"]
    assert again["geometryRadius"] == 200
    assert again["enabled"] is False


def test_put_needs_no_tag_or_external_id_in_the_body(secret: Api, name: str) -> None:
    body = {key: value for key, value in circle(name).items() if key not in ("tag", "externalId")}
    created = secret.put(f"/v1/geofences/{name}/7", json=body).json()["geofence"]
    assert (created["tag"], created["externalId"]) == (name, "7")


def test_put_of_a_new_geofence_needs_its_required_fields(secret: Api, name: str) -> None:
    assert_refused(secret.put(f"/v1/geofences/{name}/1", json={"enabled": True}), "description")


def test_a_taken_key_is_a_conflict(secret: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name))
    assert_refused(secret.post("/v1/geofences", json=circle(name)), "externalId", status=409)


def test_delete(secret: Api, name: str) -> None:
    created = secret.post("/v1/geofences", json=circle(name)).json()["geofence"]
    assert secret.delete(f"/v1/geofences/{name}/1").json()["geofence"] == created
    assert secret.get(f"/v1/geofences/{created['_id']}").status_code == 404
    assert secret.delete(f"/v1/geofences/{name}/1").status_code == 404
    other = secret.post("/v1/geofences", json=circle(name)).json()["geofence"]
    assert secret.delete(f"/v1/geofences/{other['_id']}").status_code == 200


@pytest.mark.parametrize(
    "odd", ["a/b", "a b", "ü", "a+b", "100%25", "50%", "..", "日本", "a?b#c", "é\u0301", "\U0001f512"]
)
def test_odd_tags_and_external_ids(secret: Api, name: str, odd: str) -> None:
    path = f"/v1/geofences/{quote(name + odd, safe='')}/{quote(odd + name, safe='')}"
    created = secret.put(path, json=circle(name + odd, odd + name)).json()["geofence"]
    assert (created["tag"], created["externalId"]) == (name + odd, odd + name)
    assert secret.get(path).json()["geofence"] == created
    assert secret.delete(path).status_code == 200


@pytest.mark.parametrize(
    ("path", "param"),
    [
        ("/v1/geofences//x", "tag"),
        ("/v1/geofences/x/", "externalId"),
        ("/v1/geofences/%20/x", "tag"),
        ("/v1/geofences/%FF/x", "tag"),
        ("/v1/geofences/x/%00", "externalId"),
        ("/v1/geofences/x/" + "y" * 257, "externalId"),
    ],
)
def test_odd_paths_are_refused(secret: Api, path: str, param: str) -> None:
    assert_refused(secret.get(path), param)


def test_an_existing_id_as_first_segment_wins(secret: Api, name: str) -> None:
    geofence_id = secret.post("/v1/geofences", json=circle(name)).json()["geofence"]["_id"]
    for part, param, status in (("trips", "path", 404), ("users", "method", 405)):
        hidden = secret.post("/v1/geofences", json=circle(geofence_id, part)).json()["geofence"]
        for method in ("PUT", "DELETE"):
            body = {"json": {"enabled": False}} if method == "PUT" else {}
            assert_refused(secret.request(method, f"/v1/geofences/{geofence_id}/{part}", **body), param, status=status)
        assert secret.get(f"/v1/geofences/{hidden['_id']}").json()["geofence"] == hidden
    assert_refused(secret.get(f"/v1/geofences/{geofence_id}/trips"), "path", status=404)
    assert secret.get(f"/v1/geofences/{geofence_id}/users").json()["users"] == []


def test_a_tag_may_have_a_geofence_called_users(secret: Api, name: str) -> None:
    created = secret.put(f"/v1/geofences/{name}/users", json=circle(name, "users")).json()["geofence"]
    assert secret.get(f"/v1/geofences/{name}/users").json()["geofence"] == created
    assert secret.get(f"/v1/geofences/{name}/users/users").json()["users"] == []
    assert secret.delete(f"/v1/geofences/{name}/users").status_code == 200


def test_test_and_live_do_not_mix(secret: Api, live: Api, name: str) -> None:
    created = secret.post("/v1/geofences", json=circle(name)).json()["geofence"]
    assert live.get(f"/v1/geofences/{name}/1").status_code == 404
    assert live.get(f"/v1/geofences/{created['_id']}").status_code == 404
    of_live = live.post("/v1/geofences", json=circle(name)).json()["geofence"]
    assert of_live["live"] is True
    assert of_live["_id"] != created["_id"]


def test_forms_like_radar_python_sends(secret: Api, name: str) -> None:
    form = circle(name, coordinates=["-73.9", "40.7"], radius="50", enabled="False")
    created = secret.post("/v1/geofences", data=form).json()["geofence"]
    assert created["geometryCenter"]["coordinates"] == [-73.9, 40.7]
    assert created["enabled"] is False
    ring = [str(number) for position in SQUARE for number in position]
    created = secret.post("/v1/geofences", data=polygon(name, "2", coordinates=ring)).json()["geofence"]
    assert created["geometry"]["coordinates"] == [SQUARE]
    text = circle(name, "3", coordinates="[-73.9,40.7]", metadata='{"a":1}')
    assert secret.post("/v1/geofences", data=text).json()["geofence"]["metadata"] == {"a": 1}


def test_json_that_is_called_a_form_is_json(secret: Api, name: str) -> None:
    """``curl -d '{…}'`` sends such a request."""
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    created = secret.post("/v1/geofences", content=json.dumps(circle(name)), headers=headers).json()["geofence"]
    assert created["externalId"] == circle(name)["externalId"]
    assert_refused(secret.post("/v1/geofences", content='{"radius":5}', headers=headers), "description")


def test_coordinates_and_metadata_as_json_text(secret: Api, name: str) -> None:
    body = circle(name, coordinates="[-73.9, 40.7]", metadata='{"a": "b"}')
    created = secret.post("/v1/geofences", json=body).json()["geofence"]
    assert created["geometryCenter"]["coordinates"] == [-73.9, 40.7]
    assert created["metadata"] == {"a": "b"}


BOW_TIE = [[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]
BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"radius": 9}, "radius", "10"),
    ({"radius": 10_001}, "radius", "10000"),
    ({"radius": "100"}, "radius", "a number"),
    ({"radius": True}, "radius", "a number"),
    ({"radius": None}, "radius", "required"),
    ({"type": "square"}, "type", "circle"),
    ({"type": "isochrone"}, "mode", "required"),
    ({"type": None}, "type", "required"),
    ({"description": ""}, "description", ""),
    ({"description": " "}, "description", ""),
    ({"description": "x" * 2001}, "description", ""),
    ({"tag": ""}, "tag", ""),
    ({"tag": "x" * 257}, "tag", "257"),
    ({"externalId": ""}, "externalId", ""),
    ({"externalId": None}, "externalId", "required"),
    ({"enabled": "true"}, "enabled", "true or false"),
    ({"enabled": 1}, "enabled", "true or false"),
    ({"metadata": {f"k{i}": i for i in range(17)}}, "metadata", "16"),
    ({"coordinates": []}, "coordinates", ""),
    ({"coordinates": [1]}, "coordinates", "two numbers"),
    ({"coordinates": [1, 2, 3]}, "coordinates", "two numbers"),
    ({"coordinates": [True, 1]}, "coordinates", "two numbers"),
    ({"coordinates": ["1", "2"]}, "coordinates", "two numbers"),
    ({"coordinates": [181, 0]}, "coordinates", "[-180, 180]"),
    ({"coordinates": [0, 91]}, "coordinates", "[-90, 90]"),
    ({"coordinates": "nowhere"}, "coordinates", "JSON"),
    ({"coordinates": "[NaN, 1]"}, "coordinates", "finite"),
    ({"coordinates": "[1" + "0" * 400 + ", 1]"}, "coordinates", "finite"),
    ({"coordinates": SQUARE}, "coordinates", ""),
    ({"type": "polygon", "coordinates": [0, 0]}, "coordinates", ""),
    ({"type": "polygon", "coordinates": SQUARE[:-1]}, "coordinates", ""),
    ({"type": "polygon", "coordinates": [SQUARE[0], SQUARE[1], SQUARE[0]]}, "coordinates", "4 to 2000"),
    ({"type": "polygon", "coordinates": BOW_TIE}, "coordinates", ""),
    ({"type": "polygon", "coordinates": [[0, 0]] * 2001}, "coordinates", "2001"),
    ({"type": "polygon", "coordinates": [[0, 0], [1, 0], [1, 91], [0, 0]]}, "coordinates", "[-90, 90]"),
]


@pytest.mark.parametrize(("fields", "param", "words"), BAD)
def test_bad_geofences_name_their_parameter(
    secret: Api, engine: Engine, name: str, fields: dict[str, Any], param: str, words: str
) -> None:
    before = engine.history.counts(Environment.TEST)
    assert_refused(secret.post("/v1/geofences", json=circle(name) | fields), param, words)
    assert engine.history.counts(Environment.TEST) == before


def test_nan_in_coordinates_is_named(secret: Api) -> None:
    body = b'{"description":"d","type":"circle","tag":"t","externalId":"e","radius":10,"coordinates":[NaN,1]}'
    assert_refused(secret.post("/v1/geofences", content=body), "coordinates", "finite")


def test_list_newest_update_first_with_filters(live: Api, name: str) -> None:
    ids = [
        live.post("/v1/geofences", json=circle(name, str(n), metadata={"n": n, "even": n % 2 == 0})).json()["geofence"]
        for n in range(4)
    ]
    listed = live.get("/v1/geofences", params={"tag": name}).json()
    assert [g["_id"] for g in listed["geofences"]] == [g["_id"] for g in reversed(ids)]
    assert listed["meta"]["hasMore"] is False
    short = live.get("/v1/geofences", params={"tag": name, "limit": 3}).json()
    assert len(short["geofences"]) == 3
    assert short["meta"]["hasMore"] is True
    assert len(live.get("/v1/geofences", params={"tag": name, "limit": "null"}).json()["geofences"]) == 4
    even = live.get("/v1/geofences", params={"tag": name, "metadata[even]": "true"}).json()["geofences"]
    assert {g["metadata"]["n"] for g in even} == {0, 2}
    third = live.get("/v1/geofences", params={"tag": name, "externalId": "2", "metadata[n]": "2"}).json()["geofences"]
    assert [g["externalId"] for g in third] == ["2"]
    before = live.get("/v1/geofences", params={"tag": name, "createdBefore": ids[0]["createdAt"]}).json()["geofences"]
    assert before == []
    after = live.get("/v1/geofences", params={"tag": name, "updatedAfter": "2020-01-01"}).json()["geofences"]
    assert len(after) == 4


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("limit=x", "limit"),
        ("limit=1.5", "limit"),
        ("limit=", "limit"),
        ("limit=1&limit=2", "limit"),
        ("createdBefore=soon", "createdBefore"),
        ("updatedAfter=5", "updatedAfter"),
        ("metadata[]=1", "metadata"),
        ("metadata=5", "metadata"),
        ("tag=%FF", "query"),
        ("tag=%00", "tag"),
    ],
)
def test_bad_list_queries(secret: Api, query: str, param: str) -> None:
    assert_refused(secret.get(f"/v1/geofences?{query}"), param)


def test_the_history_names_the_client_of_an_edit_and_no_key(secret: Api, engine: Engine, name: str) -> None:
    agent = {"User-Agent": "stores-sync/2.1 (Linux)"}
    made = secret.post("/v1/geofences", json=circle(name), headers=agent).json()["geofence"]
    secret.put(f"/v1/geofences/{name}/1", json={"description": "Moved"}, headers={"User-Agent": "x" * 500})
    secret.delete(f"/v1/geofences/{made['_id']}", headers=agent)
    edits = engine.geofence_history.page(Environment.TEST, made["_id"]).edits
    details = [edit.author.detail for edit in edits if edit.author is not None and edit.author.source is EditSource.API]
    assert len(details) == 3
    assert (details[0], details[2]) == ("secret key, stores-sync/2.1", "secret key, stores-sync/2.1")
    assert len(details[1]) == MAX_DETAIL
