"""Notations of official SDKs that a stricter endpoint would refuse."""

import orjson
import pytest

from app.api.server.server import ApiServer
from tests.app.api.conftest import Api, MakeApi, assert_refused, circle, fix
from tests.app.api.wire import Wire, request

NEAR = "40.78382,-73.97536"
HELSINKI = "60.17,24.94"
STORED = {
    "number": {"a": 1},
    "float": {"a": 1.5},
    "text": {"a": "1"},
    "zeros": {"a": "01"},
    "true": {"a": True},
    "false": {"a": False},
    "zero": {"a": 0},
    "word": {"a": "true"},
    "quoted": {"a": '"1"'},
    "other": {"b": 1},
}


@pytest.fixture(scope="module", autouse=True)
def _stored(secret: Api) -> None:
    for name, metadata in STORED.items():
        assert secret.post("/v1/geofences", json=circle("tolerance", name, metadata=metadata)).status_code == 200
        assert secret.post("/v1/track", json=fix(f"tolerance-{name}", metadata=metadata)).status_code == 200


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", {"number", "text", "true"}),
        ("1.0", {"number"}),
        ("1.5", {"float"}),
        ("01", {"number", "zeros"}),
        ("0", {"zero", "false"}),
        ("true", {"true", "word"}),
        ("True", {"true"}),
        ("false", {"false"}),
        ('"1"', {"text", "quoted"}),
        ('"true"', {"word"}),
        ("2", set()),
        ("", set()),
        ("1e999", set()),
    ],
)
def test_text_of_a_query_is_compared_with_each_type_of_metadata(secret: Api, text: str, expected: set[str]) -> None:
    query = {"metadata[a]": text, "limit": "100"}
    near = secret.get("/v1/search/geofences", params={"near": NEAR, "tags": "tolerance", **query}).json()["geofences"]
    assert {fence["externalId"] for fence in near} == expected
    listed = secret.get("/v1/geofences", params={"tag": "tolerance", **query}).json()["geofences"]
    assert {fence["externalId"] for fence in listed} == expected
    users = secret.get("/v1/search/users", params={"near": NEAR, **query}).json()["users"]
    assert {user["deviceId"].removeprefix("tolerance-") for user in users} == expected


def test_text_that_no_metadata_holds(secret: Api) -> None:
    answer = secret.get("/v1/search/geofences", params={"near": NEAR, "metadata[a]": "x" * 2_001})
    assert_refused(answer, "metadata", "2000 characters")


def test_a_stringified_object_is_ignored_with_a_warning(publishable: Api) -> None:
    path = f"/v1/search/geofences?near={NEAR}&tags=tolerance"
    answer = publishable.get(f"{path}&metadata=[object Object]").json()
    assert len(answer["geofences"]) == len(STORED)
    expected = "metadata: '[object Object]' is not a dictionary and was ignored; send metadata[key]=value."
    assert answer["meta"]["warnings"] == [expected]
    for text in ("a", '{"a":"1"}'):
        refused = publishable.get("/v1/search/geofences", params={"near": NEAR, "metadata": text})
        assert_refused(refused, "metadata", "parameter for each key")


def test_a_well_formed_parameter_still_filters(publishable: Api) -> None:
    path = f"/v1/search/geofences?near={NEAR}&tags=tolerance&metadata=[object Object]&metadata[b]=1"
    answer = publishable.get(path).json()
    assert [fence["externalId"] for fence in answer["geofences"]] == ["other"]
    assert len(answer["meta"]["warnings"]) == 1


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def test_a_dictionary_that_the_python_client_flattens(secret: Api, name: str) -> None:
    fields = "description=Lawn&type=circle&coordinates=-73.9&coordinates=40.7&radius=100&enabled=True"
    path = f"/v1/geofences/flat/{name}"
    answer = secret.put(path, content=f"{fields}&metadata=floor&metadata=open", headers=FORM).json()
    assert answer["geofence"]["metadata"] == {}
    assert answer["meta"]["warnings"] == [
        "metadata: 'floor' is not a dictionary and was ignored; send metadata[key]=value.",
        "metadata: 'open' is not a dictionary and was ignored; send metadata[key]=value.",
    ]
    stored = secret.put(path, content='metadata={"floor":2}', headers=FORM).json()
    assert stored["geofence"]["metadata"] == {"floor": 2}
    kept = secret.put(path, content="metadata=floor", headers=FORM).json()["geofence"]
    assert kept["metadata"] == {"floor": 2}, "what was stored stays"
    assert_refused(secret.put(path, content="metadata={floor", headers=FORM), "metadata", "valid JSON")


def test_a_track_whose_metadata_is_flattened_on_the_short_way(publishable: Api, name: str) -> None:
    form = f"deviceId={name}&latitude=40.7&longitude=-73.9&accuracy=5&metadata=plan"
    answer = publishable.post("/v1/track", content=form, headers=FORM).json()
    assert answer["user"]["metadata"] == {}
    assert answer["meta"]["warnings"][0].startswith("metadata: 'plan'")


@pytest.mark.parametrize(
    "target",
    [
        f"/v1/search/geofences?near={NEAR}&radius=null&limit=null&tags=tolerance&includeGeometry=null",
        f"/v1/search/geofences?near={NEAR}&metadata[a]=1&tags=tolerance",
        f"/v1/route/matrix?origins={HELSINKI}|{HELSINKI}&destinations={HELSINKI}&mode=car",
        f'/v1/search/places?near={NEAR}&chains=mcdonalds&chainMetadata[tier]="2"&limit=null&radius=null',
    ],
)
def test_characters_that_android_does_not_encode(server: ApiServer, publishable: Api, target: str) -> None:
    with Wire(server.port) as wire:
        wire.send(request("GET", target, f"Authorization: {publishable.key}"))
        answer = wire.rest()
    assert answer.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 503 ")), answer
    if b"geofences" in target.encode():
        assert orjson.loads(answer.partition(b"\r\n\r\n")[2])["geofences"]


@pytest.mark.parametrize("modes", ["car,motorbike", "foot,transit", "motorbike"])
def test_modes_that_clients_know(publishable: Api, modes: str) -> None:
    answer = publishable.get(f"/v1/route/distance?origin={HELSINKI}&destination=60.18,24.95&modes={modes}")
    assert answer.status_code in (200, 503), answer.text
    warned = [warning for warning in answer.json()["meta"].get("warnings", ()) if "transit" in warning]
    assert answer.status_code != 200 or ("transit" in modes) == bool(warned)


def test_the_python_client_requests_a_given_address(publishable: Api) -> None:
    answer = publishable.get("/v1/geocode/ip?ip=8.8.8.8")
    assert answer.status_code == 503 or answer.json()["ip"] == "8.8.8.8"


# Unsupported parameters, which must not seem to be supported


JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer ", ""])
@pytest.mark.parametrize(("method", "path"), [("GET", "/v1/config"), ("POST", "/v1/track")])
def test_a_session_token_is_refused_with_the_accepted_keys(
    make_api: MakeApi, scheme: str, method: str, path: str
) -> None:
    answer = make_api(f"{scheme}{JWT}").request(method, path, json=fix("session"))
    assert_refused(answer, "Authorization", "authToken", "Bearer <key>", "publishableKey", status=401)


@pytest.mark.parametrize("token", ["eyJ", "eyJ.a", "eyJ.a.b.c", "eyJ a.b.c", "prj_test_pk_" + "0" * 40])
def test_an_incomplete_token_is_an_unknown_key(make_api: MakeApi, token: str) -> None:
    assert_refused(make_api(f"Bearer {token}").get("/v1/config"), "Authorization", "workspace's keys", status=401)


def test_a_bearer_with_a_project_key_is_that_key(make_api: MakeApi, publishable: Api, name: str) -> None:
    answer = make_api(f"Bearer {publishable.key}").post("/v1/track", json=fix(name))
    assert answer.json()["user"]["deviceId"] == name


VERIFIED = {
    "verified": True,
    "encrypted": True,
    "attestationString": "bm8=",
    "attestationError": "unavailable",
    "keyId": "k",
    "integrityToken": "t",
    "integrityException": "PLAY_STORE_NOT_FOUND",
    "fraudPayload": "p",
}


@pytest.mark.parametrize("field", VERIFIED)
def test_a_verified_location_is_refused_by_name(publishable: Api, name: str, field: str) -> None:
    for given in ({field: VERIFIED[field]}, {field: str(VERIFIED[field])}, {field: {"a": [1]}}, {field: 1}):
        answer = publishable.post("/v1/track", json=fix(name, **given))
        assert_refused(answer, field, "trackVerified", "attestation", "not served")
    assert publishable.post("/v1/track", json=fix(name, **{field: False})).json()["meta"] == {"code": 200}


@pytest.mark.parametrize("nothing", [False, None, "", "false"])
def test_a_location_that_is_not_verified_is_accepted(publishable: Api, name: str, nothing: object) -> None:
    """Android sends ``verified: false`` with every update."""
    body = fix(name) | dict.fromkeys(VERIFIED, nothing)
    assert publishable.post("/v1/track", json=body).json()["meta"] == {"code": 200}
    form = "&".join(f"{key}={value}" for key, value in body.items() if value is not None)
    assert publishable.post("/v1/track", content=form, headers=FORM).status_code == 200


def test_one_verified_location_of_a_replay(publishable: Api, name: str) -> None:
    replays = [fix(name), fix(name, verified=True)]
    first, second = publishable.post("/v1/track/replay", json={"replays": replays}).json()["replays"]
    assert (first["meta"]["code"], second["meta"]["code"], second["meta"]["param"]) == (200, 400, "verified")


def test_the_configuration_of_the_verified_host(publishable: Api) -> None:
    answer = publishable.get("/v1/config?verified=true&deviceId=x&usage=verify")
    assert_refused(answer, "verified", "attestation", "nonce")
    assert publishable.get("/v1/config?verified=false&deviceId=x").json() == {"meta": {"code": 200}}


def test_verified_tracking_is_answered_as_not_served(publishable: Api) -> None:
    for path in ("/v1/verify", "/api/v1/verify/start"):
        assert_refused(publishable.get(path), "path", "verified tracking is not served", status=404)
