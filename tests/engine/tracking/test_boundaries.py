"""Entries, exits, dwells and confidences at boundaries with holes and several parts, compared with the reference."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import osmium
import pytest
import shapely

from engine import Engine
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.fields.settings import changed_settings
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Polygon
from engine.domain.settings import SettingsChange
from engine.domain.tracking.updates import LocationUpdate
from engine.geo.parts import check_polygon
from tests.engine.fixtures import SetClock
from tests.engine.tracking.boundaries import GENERATED, positions
from tests.engine.tracking.histories import START
from tests.engine.tracking.measuring import distance_m, doubtful
from tests.engine.tracking.reference import Fence, Reference
from tests.engine.tracking.test_reference import _compare_explanations, _reported
from tests.shared import SharedData

# Thousands of updates are compared in one test; on a loaded machine this may take minutes.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

TEST = Environment.TEST
ACCURACIES_M = (3.0, 8.0, 25.0, 80.0, 300.0)
SETTINGS = (
    SettingsChange(),
    SettingsChange(buffer_entries=True, buffer_exits=True, minimum_confidence=1),
    SettingsChange(minimum_confidence=2, dwell_event=True, default_dwell_threshold_s=120),
    SettingsChange(minimum_confidence=3, buffer_entries=False, buffer_exits=False, dwell_event=True),
)


class Compared:
    """The engine and the reference with one geofence; `cases` counts the decidable updates, `events` their events."""

    def __init__(self, polygon: Polygon, change: SettingsChange) -> None:
        self.polygon = polygon
        self.engine = Engine.open(":memory:", clock=SetClock(START))
        self.engine.set_clock(ClockChange(now=START, frozen=True))
        self.model = Reference(START)
        self.model.settings = changed_settings(self.model.settings, change)
        self.engine.settings.change(TEST, change)
        self.engine.geofences.create(
            TEST,
            GeofenceChange(tag="a", external_id="1", description="1", type="polygon", coordinates=polygon.coordinates),
        )
        self.model.fences["a", "1"] = Fence(("a", "1"), polygon, ZoneInfo("UTC"))
        self.cases = self.events = self.on_boundary = 0

    def run(self, random: Random) -> None:
        accuracy_m = random.choice(ACCURACIES_M)
        for point in positions(random, self.polygon, accuracy_m):
            now = self.model.now + timedelta(seconds=90)
            self.engine.set_clock(ClockChange(now=now))
            self.model.set_now(now)
            if doubtful(self.polygon, point, accuracy_m):
                continue
            update = LocationUpdate(device_id="phone", point=point, accuracy_m=accuracy_m, stopped=True, explain=True)
            known = self.model.record_for("phone", None)
            stays = set(known.stays) if known else set()
            expected = self.model.track(update)
            result = self.engine.tracking.track(TEST, update)
            assert [_reported(event) for event in result.events] == expected.events
            _compare_explanations(result, expected, stays, accuracy_m)
            self.cases += 1
            self.events += len(expected.events)
            self.on_boundary += distance_m(self.polygon, point) == 0


def compared(polygons: Iterator[tuple[int, Polygon]]) -> tuple[int, int, int]:
    """Return the numbers of decidable cases, of those on the boundary, and of events."""
    cases = on_boundary = events = 0
    for seed, polygon in polygons:
        both = Compared(polygon, SETTINGS[seed % len(SETTINGS)])
        try:
            for _ in range(2):
                both.run(Random(seed))
        finally:
            both.engine.close()
        cases, on_boundary, events = cases + both.cases, on_boundary + both.on_boundary, events + both.events
    return cases, on_boundary, events


def test_events_at_boundaries_like_real_ones_agree_with_the_reference() -> None:
    cases, on_boundary, events = compared((seed, create(Random(seed))) for seed in range(8) for create in GENERATED)
    assert cases >= 2_000
    assert on_boundary >= 200
    assert events >= 400


@pytest.mark.parametrize("name", ["liechtenstein", "andorra", "nyc-lower", "state-college"])
def test_events_at_real_boundaries_agree_with_the_reference(shared_data: SharedData, name: str) -> None:
    found = list(polygons_of(shared_data.extract(name)))
    chosen = Random(name).sample(found, min(25, len(found)))
    cases, on_boundary, events = compared(enumerate(chosen))
    assert cases >= 500
    assert on_boundary >= 20
    assert events >= 100


def polygons_of(extract: Path) -> Iterator[Polygon]:
    """Yield the areas of an extract with holes or several parts that can be geofences."""
    kinds = osmium.filter.KeyFilter("boundary", "leisure", "natural", "landuse", "building")
    factory = osmium.geom.WKBFactory()
    for area in osmium.FileProcessor(str(extract)).with_areas().with_filter(kinds):
        if not isinstance(area, osmium.osm.Area) or sum(area.num_rings()) < 2:
            continue
        parts = shapely.get_parts(shapely.from_wkb(factory.create_multipolygon(area))).tolist()
        try:
            yield check_polygon([[ring.coords for ring in (part.exterior, *part.interiors)] for part in parts])
        except InvalidParameter:
            continue
