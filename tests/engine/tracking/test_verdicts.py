"""Reasons for events of trips, beacons, places and regions: all for fired ones, else up to the first failure."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.domain.addresses.address import NO_REGIONS, Region, Regions, RegionType
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.settings import SettingsChange
from engine.domain.tracking.beacon import BeaconChange, IBeacon, ReportedBeacon
from engine.domain.tracking.event_wording import FACTS, EventWording
from engine.domain.tracking.explaining import UpdateQuery
from engine.domain.tracking.trips import DestinationChange, TripChange, TripStatus
from engine.domain.tracking.updates import Anonymous, Event, LocationUpdate, TrackResult
from engine.domain.tracking.verdicts import Topic, Verdict, shown, topic_of
from engine.domain.values import replace
from engine.engine import Engine
from engine.store.records.rows import verdict_contents, verdicts_of
from engine.store.tables import updates
from engine.tracking.place_state import AroundData
from tests.engine.fixtures import SetClock, circle
from tests.engine.gazetteers import at, find_in, write_town

TEST = Environment.TEST
UUID = "b9407f30-f5f8-466e-aff9-25556b57fe6d"
SIGNALS = [IBeacon(UUID, 1, minor) for minor in range(4)]
"""Signals of two existing beacons, a disabled one, and an unknown one."""

ON = SettingsChange(
    places=True,
    regions=True,
    place_chains=("mcdonalds", "denner"),
    trip_approaching_threshold_s=120,
    minimum_confidence=2,
)
ORDER = TripChange(external_id="order", device_id="phone", destination=DestinationChange(tag="store", external_id="1"))


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_town(tmp_path_factory.mktemp("town") / "gazetteer.sqlite")


def regions_at(point: Point) -> Regions:
    """Return the regions of a position: three countries in a row, the last being the United States, and the sea.

    The United States have a state and a postal code.
    """
    column = int((point.longitude - at(0, 0).longitude) * 200) % 4
    name = ("LI", "AT", "US", "")[column]
    if not name:
        return NO_REGIONS
    country, state, code = (
        Region(kind, name, name) for kind in (RegionType.COUNTRY, RegionType.STATE, RegionType.POSTAL_CODE)
    )
    return Regions(country, state, None, code) if name == "US" else Regions(country)


def opened(town: Path, clock: SetClock, folder: str | Path = ":memory:") -> Engine:
    engine = Engine.open(folder, clock=clock)
    find_in(engine, town)
    around: Any = engine._parts.around
    around._regions_at, around._find_data = regions_at, lambda: AroundData(world=True, markets=False)
    return engine


def filled(engine: Engine) -> None:
    engine.settings.change(TEST, ON)
    engine.geofences.create(TEST, circle(center=at(500, 0)))
    engine.geofences.create(TEST, circle(center=at(800, 0), external_id="2"))
    for minor, signal in enumerate(SIGNALS[:3]):
        engine.beacons.create(
            TEST,
            BeaconChange(
                tag="door", external_id=str(minor), description="Door", type="ibeacon", uuid=signal.uuid,
                major=signal.major, minor=signal.minor, geometry=at(100.0 * minor, 0), enabled=minor != 2,
            ),
        )  # fmt: skip


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def engine(town: Path, clock: SetClock) -> Iterator[Engine]:
    with opened(town, clock) as found:
        filled(found)
        yield found


def named(event: Event) -> tuple[str, str]:
    if event.trip is not None:
        return event.type, event.trip.external_id
    if event.beacon is not None:
        return event.type, f"{event.beacon.tag}/{event.beacon.external_id}"
    about = event.place or event.region
    assert about is not None
    return event.type, about.name


def check(result: TrackResult) -> None:
    """Check that the verdicts are complete and match the events."""
    fired = Counter((each.type, each.about.name) for each in result.verdicts if each.fired and each.about)
    happened = Counter(named(event) for event in result.events if topic_of(event.type) is not None)
    # Two wrong destinations of one update share an explanation, which names both.
    assert fired.keys() == happened.keys()
    assert all(fired[key] <= count for key, count in happened.items())
    for verdict in result.verdicts:
        assert verdict.reasons
        passed = [reason.passed for reason in verdict.reasons]
        assert all(passed) if verdict.fired else passed == [*[True] * (len(passed) - 1), False], verdict.text
        assert verdict.fired or verdict.failed[0].text in verdict.text
    assert {Topic.TRIP, Topic.PLACE, Topic.REGION, Topic.BEACON} == {each.topic for each in result.verdicts}
    assert verdicts_of(verdict_contents(result.verdicts)) == result.verdicts


reported_beacons = st.none() | st.lists(st.sampled_from(SIGNALS).map(ReportedBeacon), max_size=3).map(tuple)
trip_options = st.none() | st.builds(
    lambda name, status, tag: TripChange(
        external_id=name, status=status, destination=DestinationChange(tag="store", external_id=tag)
    ),
    st.sampled_from(["order", "other"]),
    st.sampled_from([None, TripStatus.APPROACHING, TripStatus.COMPLETED, TripStatus.CANCELED]),
    st.sampled_from(["1", "2", "no such"]),
)
moves = st.tuples(
    st.floats(-3_000, 3_000) | st.sampled_from([0.0, 320.0, 500.0, 800.0]),
    st.sampled_from([5.0, 30.0, 90.0, 150.0, 1_500.0]),
    st.booleans(),
    reported_beacons,
    trip_options,
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sequence=st.lists(moves, min_size=1, max_size=8), has_trip=st.booleans())
def test_events_have_a_reason_or_name_the_first_condition_that_failed(
    town: Path, sequence: list[Any], has_trip: bool
) -> None:
    clock = SetClock()
    with opened(town, clock) as engine:
        filled(engine)
        if has_trip:
            engine.trips.create(TEST, ORDER)
        for east_m, accuracy_m, stopped, reported, trip in sequence:
            clock.advance(45)
            update = LocationUpdate(
                "phone",
                at(east_m, 0),
                accuracy_m,
                stopped=stopped,
                beacons=reported,
                trip=trip,
                explain=True,
                awaits_route=True,
            )
            result = engine.tracking.track(TEST, update)
            check(result)
            kept = engine.tracking.explain(TEST, UpdateQuery(device_id="phone"))
            assert kept.verdicts == result.verdicts


def text_about(result: TrackResult, kind: str) -> str:
    (found,) = [each for each in result.verdicts if each.type == kind]
    return found.text


def go(engine: Engine, clock: SetClock, east_m: float, **fields: Any) -> TrackResult:
    clock.advance(60)
    update = LocationUpdate("phone", at(east_m, 0), 10, explain=True, awaits_route=True, **fields)
    result = engine.tracking.track(TEST, update)
    check(result)
    return result


def test_a_past_update_keeps_its_verdicts(engine: Engine, clock: SetClock) -> None:
    engine.trips.create(TEST, ORDER)
    first = go(engine, clock, -3_000, beacons=(ReportedBeacon(SIGNALS[0]),))
    moment = clock.now()
    assert "above the threshold of 120 s, which is set by the settings" in text_about(
        first, "user.approaching_trip_destination"
    )
    go(engine, clock, 500)
    engine.trips.update(TEST, "order", TripChange(status=TripStatus.COMPLETED))
    engine.trips.delete(TEST, "order")
    engine.beacons.delete_all(TEST)
    engine.settings.change(TEST, SettingsChange(trip_approaching_threshold_s=3600, places=False, regions=False))
    find_in(engine)
    assert engine.tracking.explain(TEST, UpdateQuery(device_id="phone", at=moment)).verdicts == first.verdicts


def test_the_update_that_fired_an_event_is_found_on_a_clock_that_stands_still(engine: Engine, clock: SetClock) -> None:
    at_entry = go(engine, clock, 0, beacons=(ReportedBeacon(SIGNALS[0]),))
    go_on = LocationUpdate("phone", at(0, 0), 10, at=clock.now())
    engine.tracking.track(TEST, go_on)
    query = UpdateQuery(device_id="phone", at=clock.now())
    assert fired_events(engine, query) == []
    assert ("user.entered_beacon", "door/0") in fired_events(
        engine, replace(query, fired=("user.entered_beacon", "door/0"))
    )
    assert at_entry.events


def fired_events(engine: Engine, query: UpdateQuery) -> list[tuple[str, str]]:
    kept = engine.tracking.explain(TEST, query).verdicts
    return [(each.type, each.about.name) for each in kept if each.fired and each.about is not None]


def test_updates_of_the_version_before_have_reasons_for_places_alone(
    town: Path, clock: SetClock, tmp_path: Path
) -> None:
    with opened(town, clock, tmp_path / "w") as engine:
        filled(engine)
        engine.trips.create(TEST, ORDER)
        go(engine, clock, 0, stopped=True)
        content = sa.func.json_remove(updates.c.content, "$.verdicts")
        engine._parts.writer.run(lambda connection: connection.execute(sa.update(updates).values(content=content)))
        kept = engine.tracking.explain(TEST, UpdateQuery(device_id="phone")).verdicts
        assert {each.topic for each in kept} == {Topic.PLACE, Topic.REGION}, "nothing is made up of the trip"
        assert "user.entered_place" in {each.type for each in kept if each.fired}
        assert text_about(go(engine, clock, 0), "user.started_trip").endswith("is approaching already")


def test_a_region_is_unknown_because_no_data_covers_the_position(engine: Engine, clock: SetClock) -> None:
    go(engine, clock, 10)
    around: Any = engine._parts.around
    around.forget()
    around._regions_at, around._find_data = lambda _: NO_REGIONS, lambda: AroundData(False, False, False)
    lost = go(engine, clock, 10, stopped=True)
    assert text_about(lost, "user.exited_region_country") == (
        "user.exited_region_country fired: no data covers the position any more, so the country LI is left"
    )
    unknown = "did not fire: the country is unknown because no data covers the position"
    assert text_about(lost, "user.entered_region_country") == f"user.entered_region_country {unknown}"


def test_a_route_is_named_with_its_age(engine: Engine, clock: SetClock) -> None:
    engine.trips.create(TEST, replace(ORDER, approaching_threshold_s=1))
    first = go(engine, clock, 3_000)
    assert "as the route is not computed yet" in text_about(first, "user.approaching_trip_destination")
    second = go(engine, clock, 2_900)
    assert "as no route was found" in text_about(second, "user.approaching_trip_destination"), "no area is in use"


def test_an_eta_that_hardly_changes_is_named_with_the_least_difference(engine: Engine, clock: SetClock) -> None:
    engine.trips.create(TEST, replace(ORDER, approaching_threshold_s=1))
    for east_m in (3_000, 2_900):
        go(engine, clock, east_m)
    unchanged = text_about(go(engine, clock, 2_900), "user.updated_trip")
    assert "user.updated_trip did not fire: the ETA of " in unchanged
    assert "less than 60 s; the ETA of " in unchanged
    assert text_about(go(engine, clock, 20_000), "user.updated_trip").startswith("user.updated_trip fired")


def test_a_project_without_beacons_has_reasons_only_for_those_that_are_reported(
    engine: Engine, clock: SetClock
) -> None:
    none_near = text_about(go(engine, clock, -3_000, beacons=()), "user.entered_beacon")
    assert none_near.endswith("the device reported no beacon, and none is within 100 m")
    engine.beacons.delete_all(TEST)
    reported = text_about(go(engine, clock, 0, beacons=(ReportedBeacon(SIGNALS[0]),)), "user.entered_beacon")
    assert reported.startswith("user.entered_beacon did not fire: no beacon of the project sends ")
    for beacons in (None, ()):
        clock.advance(60)
        update = LocationUpdate("phone", at(0, 0), 10, beacons=beacons, explain=True)
        assert Topic.BEACON not in {each.topic for each in engine.tracking.track(TEST, update).verdicts}


def test_an_anonymous_device_has_reasons_for_neither_trips_nor_beacons(engine: Engine) -> None:
    update = LocationUpdate(
        "anonymous",
        at(0, 0),
        10,
        anonymous=Anonymous(),
        trip=ORDER,
        beacons=(ReportedBeacon(SIGNALS[0]),),
        explain=True,
    )
    result = engine.tracking.track(TEST, update)
    assert text_about(result, "user.started_trip").endswith("a trip is not updated for an anonymous device")
    assert text_about(result, "user.entered_beacon").endswith("beacons of an anonymous device are not tracked")


def test_figures_stay_on_their_side_of_a_limit() -> None:
    assert (shown(212.4), shown(120.04, 120), shown(120.0004, 120), shown(119.96, 120)) == (212, 120.04, 120.0004, 120)
    assert (shown(120.3, 120), shown(120, 120)) == (120.3, 120)


def test_facts_never_let_an_event_pass() -> None:
    assert [each for each in FACTS if each.passed] == []
    assert len({each.name for each in EventWording}) == len(EventWording), "no two sentences are the same"
    verdict = Verdict("user.started_trip", False, ())
    assert verdict.topic is Topic.TRIP
