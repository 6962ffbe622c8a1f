"""The `radius` of a request: metres for a circle, minutes for an isochrone, ignored for a polygon."""

from typing import Any

import pytest

from tests.app.api.conftest import Api, assert_refused, circle
from tests.app.api.routing.test_route import engine, town_folder
from tests.engine.routing.town import at

__all__ = ["engine", "town_folder"]

MIDDLE = at(0, 100)
POSITION = [MIDDLE.longitude, MIDDLE.latitude]
RING = [POSITION, [9.53, 47.11], [9.53, 47.12], POSITION]
ISOCHRONE: dict[str, Any] = {"type": "isochrone", "coordinates": POSITION, "radius": 3, "mode": "foot"}
SHAPES: dict[str, dict[str, Any]] = {
    "circle": {"coordinates": POSITION},
    "isochrone": ISOCHRONE,
    "polygon": {"type": "polygon", "coordinates": RING, "radius": None},
}
OF_CIRCLES, OF_ISOCHRONES = "the radius of a circle must be between 10 and 10000 metres", "must be over 0 and at most"


@pytest.mark.parametrize(
    ("shape", "radius", "refusal"),
    [
        ("circle", 200, ""),
        ("circle", 5, OF_CIRCLES),
        ("isochrone", 5, ""),
        ("isochrone", 200, OF_ISOCHRONES),
        ("polygon", 5, ""),
    ],
)
def test_a_radius_alone_is_checked_against_the_stored_type(
    secret: Api, name: str, shape: str, radius: float, refusal: str
) -> None:
    path = f"/v1/geofences/{name}/1"
    before = secret.put(path, json=circle(name, **SHAPES[shape])).json()["geofence"]
    answer = secret.put(path, json={"radius": radius})
    if refusal:
        assert_refused(answer, "radius", f"radius: {refusal}")
        assert secret.get(path).json()["geofence"] == before
        return
    after = answer.json()["geofence"]
    size = before["geometryRadius"] if shape == "polygon" else radius
    assert (after["type"], after["geometryRadius"]) == (shape, size)


@pytest.mark.parametrize(("shape", "radius"), [("circle", 200), ("isochrone", 5)])
def test_another_type_takes_its_own_radius(secret: Api, name: str, shape: str, radius: float) -> None:
    path = f"/v1/geofences/{name}/1"
    other = "isochrone" if shape == "circle" else "circle"
    secret.put(path, json=circle(name, **SHAPES[other]))
    assert_refused(secret.put(path, json={"type": shape, "mode": "foot"}), "radius", "radius: is required")
    answer = secret.put(path, json={"type": shape, "mode": "foot", "radius": radius}).json()["geofence"]
    assert (answer["type"], answer["geometryRadius"]) == (shape, radius)
