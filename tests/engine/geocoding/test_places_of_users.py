"""The place of a user in Manhattan, compared with the outlines in the extract."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
import shapely

from engine.domain.addresses.address import NO_REGIONS
from engine.domain.geometry import Point
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.updates import NOWHERE, EventType, Fix
from engine.gazetteer.reader import Gazetteer
from engine.gazetteer.rows import place_id_of
from engine.geo.earth import distance_m, metres_per_degree
from engine.geocoding.search.places import Places
from engine.tracking.nearby_cache import NearbyCache
from engine.tracking.place_state import move
from engine.tracking.places import AT_POINT_M
from tests.engine.fixtures import NOON
from tests.engine.geocoding.extracts import OsmObject, read_objects
from tests.shared import SharedData

ON = ProjectSettings(places=True)


@cache
def outlined(extract: Path) -> Sequence[OsmObject]:
    return [item for item in read_objects(extract) if item.outline is not None]


@pytest.fixture
def extract(shared_data: SharedData) -> Path:
    return shared_data.extract("nyc-lower")


@pytest.fixture
def around(manhattan: Gazetteer) -> NearbyCache:
    places = Places(lambda: (manhattan,), lambda: None)
    return NearbyCache(lambda: places, lambda _: NO_REGIONS)


def entered(around: NearbyCache, point: Point, settings: ProjectSettings = ON) -> tuple[str, int] | None:
    moved = move(NOWHERE, Fix(point, 5.0, NOON, stopped=True), settings, 1, around)
    entries = [event for event in moved.events if event.type is EventType.ENTERED_PLACE]
    if not entries:
        return None
    (event,) = entries
    assert event.place is not None
    assert event.confidence is not None
    assert moved.after.stay is not None
    assert moved.after.stay.place == event.place
    return event.place.id, event.confidence


@pytest.mark.slow
def test_who_stops_inside_an_outline_is_at_the_smallest(
    around: NearbyCache, manhattan: Gazetteer, extract: Path
) -> None:
    known = {place_id for (place_id,) in manhattan.rows("SELECT place_id FROM places WHERE outline IS NOT NULL")}
    places = [item for item in outlined(extract) if place_id_of(item.osm) in known]
    assert len(places) > 500
    shapes = np.array([item.outline for item in places])
    shops = 0
    for item in Random(5).sample(places, 60):
        here = shapely.Point(*item.point_xy)
        holding = np.flatnonzero(shapely.intersects(shapes, here))
        smallest = min(holding, key=lambda index: shapely.area(shapes[index]))
        found = entered(around, item.point)
        assert found is not None
        if is_at_a_shop(extract, found[0], item.point):
            shops += 1
            continue
        assert found[0] == place_id_of(places[smallest].osm)
        east, north = metres_per_degree(here.y)
        flat = shapely.transform(shapes[smallest], lambda each: (each - (here.x, here.y)) * (east, north))  # noqa: B023
        depth_m = shapely.distance(shapely.boundary(flat), shapely.Point(0, 0))
        if abs(depth_m - 5) > 0.1:
            assert found[1] == (3 if depth_m > 5 else 2)
    assert shops < 30


@cache
def points(extract: Path) -> dict[str, Point]:
    return {place_id_of(item.osm): item.point for item in read_objects(extract) if item.outline is None}


def is_at_a_shop(extract: Path, place_id: str, here: Point) -> bool:
    """Return whether the extract has the place as a point that takes precedence over the places around it."""
    point = points(extract).get(place_id)
    if point is None:
        return False
    return distance_m(here.longitude, here.latitude, point.longitude, point.latitude) <= AT_POINT_M


@pytest.mark.slow
def test_a_stop_at_a_requested_chain_enters_its_place(around: NearbyCache, extract: Path) -> None:
    settings = ProjectSettings(places=True, place_chains=("starbucks",))
    coffee = [item for item in read_objects(extract) if item.tags.get("brand:wikidata") == "Q37158"]
    assert len(coffee) > 20
    for item in coffee:
        found = entered(around, item.point, settings)
        assert found == (place_id_of(item.osm), found[1] if found else 0)
    assert entered(around, Point(-74.05, 40.65), settings) is None, "in the harbour"
