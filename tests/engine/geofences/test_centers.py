"""A circle and an isochrone both have a centre: one that becomes the other keeps it unless the change sets one."""

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle, Isochrone, Point, Polygon, Ring
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.geofences.changes import Finders, changed, created
from engine.geofences.locating import Locator
from tests.engine.fixtures import HOME, NOON, circle

points = st.builds(Point, st.floats(-179, 179), st.floats(-80, 80))
metres = st.floats(10, 10_000)
minutes = st.floats(1, 120)


def square(center: Point, minutes: float, mode: TravelMode) -> Ring:
    """Return a square whose size follows from the minutes, as a stand-in for the roads."""
    x, y, half = center.longitude, center.latitude, minutes / 1_000
    return (
        (x - half, y - half),
        (x + half, y - half),
        (x + half, y + half),
        (x - half, y + half),
        (x - half, y - half),
    )


FINDERS = Finders(square, cast(Locator, None))  # no change here has an address


def new(change: GeofenceChange) -> Geofence:
    return created(change, Environment.TEST, lambda: "id", NOON, FINDERS)


def after(geofence: Geofence, change: GeofenceChange) -> Geofence:
    return changed(geofence, change, NOON, FINDERS)


@given(center=points, radius_m=metres, time=minutes, mode=st.sampled_from(TravelMode), back_m=metres)
def test_the_centre_stays(center: Point, radius_m: float, time: float, mode: TravelMode, back_m: float) -> None:
    first = new(circle(center=center, radius_m=radius_m))
    reached = after(first, GeofenceChange(type="isochrone", size=time, mode=mode.value))
    assert reached.geometry == Isochrone(square(center, time, mode), center=center, minutes=time, mode=mode)
    again = after(reached, GeofenceChange(type="circle", size=back_m))
    assert again.geometry == Circle(center, back_m)


@given(center=points, other=points, time=minutes)
def test_another_centre_counts_more(center: Point, other: Point, time: float) -> None:
    there = (other.longitude, other.latitude)
    first = new(circle(center=center))
    reached = after(first, GeofenceChange(type="isochrone", coordinates=there, size=time, mode="foot"))
    assert isinstance(reached.geometry, Isochrone)
    assert reached.geometry.center == other
    again = after(reached, GeofenceChange(type="circle", coordinates=(center.longitude, center.latitude), size=19))
    assert again.geometry == Circle(center, 19)


@pytest.mark.parametrize(
    ("change", "param"),
    [
        (GeofenceChange(type="isochrone", mode="car"), "size"),
        (GeofenceChange(type="isochrone", size=5), "mode"),
        (GeofenceChange(type="isochrone", size=121, mode="car"), "size"),
        (GeofenceChange(type="polygon"), "coordinates"),
    ],
)
def test_other_fields_of_a_new_type_are_still_required(change: GeofenceChange, param: str) -> None:
    """Metres are not minutes, and a polygon has no centre."""
    with pytest.raises(InvalidParameter) as error:
        after(new(circle()), change)
    assert error.value.param == param


def test_a_polygon_has_no_centre_to_keep() -> None:
    polygon = new(replace(circle(), type="polygon", coordinates=square(HOME, 5, TravelMode.CAR)))
    assert type(polygon.geometry) is Polygon
    with pytest.raises(InvalidParameter, match="coordinates"):
        after(polygon, GeofenceChange(type="circle", size=50))
