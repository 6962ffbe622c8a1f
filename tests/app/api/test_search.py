"""GET /v1/search/geofences over a real socket."""

import pytest

from tests.app.api.conftest import CENTRAL_PARK, Api, assert_refused, circle

NEAR = f"{CENTRAL_PARK[1]},{CENTRAL_PARK[0]}"


@pytest.fixture(scope="module", autouse=True)
def geofences(secret: Api) -> None:
    """Three circles north of each other."""
    for n in range(3):
        position = [CENTRAL_PARK[0], CENTRAL_PARK[1] + n * 0.01]
        body = circle("park", str(n), coordinates=position, metadata={"n": n, "text": str(n), "odd": n % 2 == 1})
        secret.post("/v1/geofences", json=body)
    secret.post("/v1/geofences", json=circle("other"))


def found(api: Api, query: str) -> list[str]:
    geofences = api.get(f"/v1/search/geofences?near={NEAR}&{query}").json()["geofences"]
    return [geofence["tag"] + geofence["externalId"] for geofence in geofences]


def test_nearest_first(publishable: Api) -> None:
    assert found(publishable, "tags=park") == ["park0", "park1", "park2"]
    assert found(publishable, "tags=park,nothing&limit=2") == ["park0", "park1"]
    assert found(publishable, "tags=park&radius=1500") == ["park0", "park1"]
    assert set(found(publishable, "tags=")) == {"park0", "park1", "park2", "other1"}


def test_metadata_types_are_inferred(publishable: Api) -> None:
    assert found(publishable, "metadata[n]=1") == ["park1"]
    assert found(publishable, 'metadata[text]="1"') == ["park1"]
    assert found(publishable, "metadata[text]=1") == ["park1"]
    assert found(publishable, "metadata[odd]=true&metadata[n]=1") == ["park1"]
    assert found(publishable, "metadata[odd]=True") == ["park1"]


def test_null_values_of_sdks(publishable: Api) -> None:
    query = "tags=park&limit=null&radius=null&metadata=[object Object]"
    assert found(publishable, query) == ["park0", "park1", "park2"]


def test_geometry_can_be_left_out(publishable: Api) -> None:
    bare = publishable.get(f"/v1/search/geofences?near={NEAR}&includeGeometry=false&limit=1000").json()["geofences"]
    assert all("geometryCenter" in geofence for geofence in bare)
    assert not any({"geometry", "type", "geometryRadius"} & geofence.keys() for geofence in bare)
    whole = publishable.get(f"/v1/search/geofences?near={NEAR}&includeGeometry=true").json()["geofences"]
    assert all({"geometry", "type", "geometryRadius"} <= geofence.keys() for geofence in whole)


@pytest.mark.parametrize(
    ("query", "param", "words"),
    [
        ("", "near", "required"),
        ("near=", "near", "latitude,longitude"),
        ("near=1", "near", "latitude,longitude"),
        ("near=1,2,3", "near", "latitude,longitude"),
        ("near=a,b", "near", "latitude,longitude"),
        ("near=91,0", "near", "[-90, 90]"),
        ("near=0,181", "near", "[-180, 180]"),
        ("near=nan,0", "near", "finite"),
        ("near=0,0&limit=101", "limit", "includeGeometry=false"),
        ("near=0,0&limit=101&includeGeometry=true", "limit", "includeGeometry=false"),
        ("near=0,0&limit=1001&includeGeometry=false", "limit", "[1, 1000]"),
        ("near=0,0&limit=-1", "limit", "[1, 1000]"),
        ("near=0,0&radius=0", "radius", "greater than 0"),
        ("near=0,0&radius=inf", "radius", "finite"),
        ("near=0,0&includeGeometry=maybe", "includeGeometry", "true or false"),
    ],
)
def test_bad_queries(publishable: Api, query: str, param: str, words: str) -> None:
    assert_refused(publishable.get(f"/v1/search/geofences?{query}"), param, words)
