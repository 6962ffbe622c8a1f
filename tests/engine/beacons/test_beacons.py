"""Tests of creating, changing and finding beacons."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Engine
from engine.beacons.catalog import BeaconCatalog
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, InvalidParameter, NotFound
from engine.domain.geofence import UNSET
from engine.domain.geometry import Point
from engine.domain.queries import BeaconQuery, Change, NearbyQuery
from engine.domain.tracking.beacon import (
    Beacon,
    BeaconChange,
    BeaconSummary,
    Eddystone,
    IBeacon,
    ReportedBeacon,
    check_number,
    check_uuid,
)
from engine.domain.values import replace
from engine.geo.earth import metres_between
from tests.engine.fixtures import HOME, NOON, UUID, SetClock, beacon

TEST, LIVE = Environment.TEST, Environment.LIVE
UID, INSTANCE = "edd1ebeac04e5defa017", "0bdb87539b67"
EDDYSTONE = BeaconChange(
    tag="wall", external_id="e", description="E", type="eddystone", uid=UID, instance=INSTANCE, geometry=HOME
)


def with_fields(**fields: Any) -> BeaconChange:
    return replace(beacon(), **{name: UNSET if value is None else value for name, value in fields.items()})


def test_a_beacon_keeps_its_given_values(engine: Engine, clock: SetClock) -> None:
    stored = engine.beacons.create(TEST, with_fields(uuid=f" {UUID.upper()} ", major="100", metadata={"floor": 2}))
    assert stored.signal == IBeacon(UUID, 100, 1)
    assert (stored.tag, stored.external_id, stored.description, stored.enabled) == ("door", "1", "door 1", True)
    assert (stored.point, dict(stored.metadata), stored.created_at) == (HOME, {"floor": 2}, NOON)
    eddystone = engine.beacons.create(TEST, replace(EDDYSTONE, uid=UID.upper(), enabled=False))
    assert (eddystone.signal, eddystone.enabled) == (Eddystone(UID, INSTANCE), False)
    clock.advance(60)
    renamed = engine.beacons.update(TEST, stored.id, BeaconChange(description="Door", minor=2))
    assert (renamed.description, renamed.signal, renamed.tag) == ("Door", IBeacon(UUID, 100, 2), "door")
    assert renamed.updated_at > renamed.created_at == NOON
    assert engine.beacons.get(TEST, stored.id) == engine.beacons.get_by_key(TEST, "door", "1") == renamed


@pytest.mark.parametrize(
    ("change", "param"),
    [
        (with_fields(tag=None), "tag"),
        (with_fields(tag=" "), "tag"),
        (with_fields(external_id=None), "external_id"),
        (with_fields(external_id="x" * 257), "external_id"),
        (with_fields(description=None), "description"),
        (with_fields(description=" "), "description"),
        (with_fields(type=None), "type"),
        (with_fields(type="altbeacon"), "type"),
        (with_fields(uuid=None), "uuid"),
        (with_fields(uuid=""), "uuid"),
        (with_fields(uuid="b9407f30"), "uuid"),
        (with_fields(uuid=UUID + "0"), "uuid"),
        (with_fields(uuid="{" + UUID + "}"), "uuid"),
        (with_fields(major=None), "major"),
        (with_fields(major=70_000), "major"),
        (with_fields(major=-1), "major"),
        (with_fields(major="1.5"), "major"),
        (with_fields(major="٣"), "major"),
        (with_fields(major=True), "major"),
        (with_fields(minor=None), "minor"),
        (with_fields(minor=""), "minor"),
        (with_fields(uid=UID), "uid"),
        (with_fields(instance=INSTANCE), "instance"),
        (with_fields(geometry=None), "geometry"),
        (with_fields(geometry=Point(9, 91)), "geometry"),
        (with_fields(geometry=Point(float("nan"), 9)), "geometry"),
        (with_fields(metadata={str(i): i for i in range(17)}), "metadata"),
        (replace(EDDYSTONE, uid=UNSET), "uid"),
        (replace(EDDYSTONE, uid=UID[1:]), "uid"),
        (replace(EDDYSTONE, instance=UNSET), "instance"),
        (replace(EDDYSTONE, instance="g" * 12), "instance"),
        (replace(EDDYSTONE, uuid=UUID), "uuid"),
        (replace(EDDYSTONE, minor=1), "minor"),
    ],
)
def test_an_invalid_value_is_named_and_nothing_is_stored(engine: Engine, change: BeaconChange, param: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        engine.beacons.create(TEST, change)
    assert caught.value.param == param
    assert caught.value.message.startswith(f"{param}: ")
    assert engine.beacons.all(TEST) == ()


@given(st.text(max_size=40))
def test_any_text_is_a_uuid_or_refused(text: str) -> None:
    try:
        found = check_uuid(text)
    except InvalidParameter:
        return
    assert found.replace("-", "") == text.strip().lower().replace("-", "")
    assert check_uuid(found) == found


@given(st.integers() | st.text(max_size=8))
def test_any_number_is_two_bytes_or_refused(value: int | str) -> None:
    try:
        found = check_number(value, "major")
    except InvalidParameter:
        assert not (isinstance(value, int) and 0 <= value <= 65_535)
        return
    assert found == int(value)
    assert 0 <= found <= 65_535


def test_a_taken_key_and_a_taken_signal_are_conflicts(engine: Engine) -> None:
    first = engine.beacons.create(TEST, beacon())
    for change, param in ((beacon(minor=2), "external_id"), (beacon("2"), "uuid")):
        with pytest.raises(Conflict) as caught:
            engine.beacons.create(TEST, change)
        assert caught.value.param == param
    second = engine.beacons.create(TEST, beacon("2", minor=2))
    with pytest.raises(Conflict):
        engine.beacons.update(TEST, second.id, BeaconChange(minor=1))
    with pytest.raises(Conflict):
        engine.beacons.update(TEST, second.id, BeaconChange(external_id="1"))
    engine.beacons.create(LIVE, beacon())
    assert engine.beacons.update(TEST, first.id, BeaconChange(minor=1)).signal == first.signal, "its own"
    engine.beacons.create(TEST, EDDYSTONE)
    with pytest.raises(Conflict) as caught:
        engine.beacons.create(TEST, replace(EDDYSTONE, external_id="f"))
    assert caught.value.param == "uid"


def test_an_upsert_creates_and_changes(engine: Engine) -> None:
    made = engine.beacons.upsert(TEST, "door", "1", replace(beacon(), tag=UNSET, external_id=UNSET))
    changed = engine.beacons.upsert(TEST, "door", "1", BeaconChange(description="Back door", enabled=False))
    assert (changed.id, changed.description, changed.enabled, changed.signal) == (
        made.id,
        "Back door",
        False,
        made.signal,
    )
    with pytest.raises(InvalidParameter):
        engine.beacons.upsert(TEST, "door", "2", beacon("3", minor=3))
    with pytest.raises(InvalidParameter):
        engine.beacons.upsert(TEST, "door", "2", BeaconChange(description="no signal"))


def test_another_type_needs_its_own_parts(engine: Engine) -> None:
    stored = engine.beacons.create(TEST, beacon())
    with pytest.raises(InvalidParameter) as caught:
        engine.beacons.update(TEST, stored.id, BeaconChange(type="eddystone"))
    assert caught.value.param == "uid"
    changed = engine.beacons.update(TEST, stored.id, BeaconChange(type="eddystone", uid=UID, instance=INSTANCE))
    assert changed.signal == Eddystone(UID, INSTANCE)
    with pytest.raises(InvalidParameter):
        engine.beacons.update(TEST, stored.id, BeaconChange(major=1))
    engine.beacons.create(TEST, beacon("2"))


def test_a_deleted_beacon_is_not_found_and_its_key_and_signal_are_free(engine: Engine) -> None:
    stored = engine.beacons.create(TEST, beacon())
    assert engine.beacons.delete(TEST, stored.id) == stored
    again = engine.beacons.create(TEST, beacon())
    assert engine.beacons.delete_by_key(TEST, "door", "1") == again
    looks: list[Callable[[], object]] = [
        lambda: engine.beacons.get(TEST, stored.id),
        lambda: engine.beacons.get_by_key(TEST, "door", "1"),
        lambda: engine.beacons.delete(TEST, stored.id),
        lambda: engine.beacons.delete_by_key(TEST, "door", "1"),
        lambda: engine.beacons.update(TEST, stored.id, BeaconChange(description="x")),
    ]
    for look in looks:
        with pytest.raises(NotFound):
            look()
    assert engine.beacons.nearby(TEST, NearbyQuery(near=HOME)) == ()


def test_beacons_survive_a_restart(tmp_path: Path) -> None:
    with Engine.open(tmp_path) as engine:
        engine.beacons.create(TEST, with_fields(metadata={"a": True}))
        engine.beacons.create(LIVE, replace(EDDYSTONE, enabled=False))
        before = engine.beacons.all(TEST), engine.beacons.all(LIVE)
    with Engine.open(tmp_path) as engine:
        assert (engine.beacons.all(TEST), engine.beacons.all(LIVE)) == before
        with pytest.raises(Conflict):
            engine.beacons.create(TEST, beacon("2"))


def test_listeners_are_notified(engine: Engine) -> None:
    changes: list[Change] = []
    engine.changes.subscribe(changes.append)
    stored = engine.beacons.create(TEST, beacon())
    engine.beacons.delete(TEST, stored.id)
    assert changes == [Change(TEST, beacons=(stored,)), Change(TEST, removed_beacon_ids=(stored.id,))]


def test_pages_are_newest_first_and_filtered(engine: Engine, clock: SetClock) -> None:
    for number in range(5):
        clock.advance(1)
        change = beacon(str(number), minor=number, tag="even" if number % 2 == 0 else "odd")
        engine.beacons.create(TEST, replace(change, metadata={"floor": number // 2}))

    def listed(**query: Any) -> str:
        return "".join(each.external_id for each in engine.beacons.page(TEST, BeaconQuery(**query)).items)

    assert listed() == "43210"
    assert (listed(limit=2), engine.beacons.page(TEST, BeaconQuery(limit=2)).has_more) == ("43", True)
    assert (listed(tag="odd"), listed(external_id="2"), listed(metadata={"floor": 1})) == ("31", "2", "32")
    assert engine.beacons.page(LIVE, BeaconQuery()).items == ()


def test_nearest_first_within_a_radius_and_enabled_alone(engine: Engine) -> None:
    for number in range(4):
        point = Point(HOME.longitude + 0.001 * number, HOME.latitude)
        engine.beacons.create(TEST, replace(beacon(str(number), minor=number, point=point), enabled=number != 1))
    found = engine.beacons.nearby(TEST, NearbyQuery(near=HOME, radius_m=200))
    assert [each.beacon.external_id for each in found] == ["0", "2"]
    assert found[1].distance_m == pytest.approx(metres_between(HOME, found[1].beacon.point))
    assert [each.beacon.external_id for each in engine.beacons.nearby(TEST, NearbyQuery(near=HOME, limit=1))] == ["0"]
    far = NearbyQuery(near=Point(-170.0, -47.0), tags=frozenset({"door"}))
    assert {each.beacon.external_id for each in engine.beacons.nearby(TEST, far)} == {"0", "2", "3"}


def made(number: int, *, longitude: float = 0.0, latitude: float = 0.0) -> Beacon:
    summary = BeaconSummary(
        f"{number:024}", "t", str(number), "d", IBeacon(UUID, 0, number), Point(longitude, latitude)
    )
    return Beacon(TEST, summary, NOON, NOON)


@given(
    st.lists(st.tuples(st.floats(-180, 180), st.floats(-90, 90)), max_size=30),
    st.floats(-180, 180),
    st.floats(-90, 90),
    st.integers(1, 5),
)
def test_the_nearest_are_those_a_look_at_all_finds(
    places: list[tuple[float, float]], longitude: float, latitude: float, limit: int
) -> None:
    beacons = [made(n, longitude=x, latitude=y) for n, (x, y) in enumerate(places)]
    near = Point(longitude, latitude)
    found = BeaconCatalog(TEST, beacons).nearby(NearbyQuery(near=near, limit=limit))
    expected = sorted(metres_between(near, each.point) for each in beacons)[:limit]
    assert [each.distance_m for each in found] == pytest.approx(expected, abs=1e-5)


def test_a_signal_takes_precedence_over_an_identifier() -> None:
    one, two = made(1), made(2)
    catalog = BeaconCatalog(TEST, [one, two, replace(made(3), summary=replace(made(3).summary, enabled=False))])
    reported = [ReportedBeacon(one.signal, id=two.id), ReportedBeacon(one.signal), ReportedBeacon(made(3).signal)]
    assert catalog.find_reported(reported) == {one.id: one}
    assert catalog.find_reported([ReportedBeacon(id=two.id), ReportedBeacon(id="?"), ReportedBeacon()]) == {two.id: two}


def test_a_deleted_beacon_is_restored_as_it_was_unless_its_signal_is_taken(engine: Engine) -> None:
    stored = engine.beacons.create(TEST, beacon())
    engine.beacons.delete(TEST, stored.id)
    assert engine.beacons.restore(TEST, stored).summary == stored.summary
    assert engine.beacons.get(TEST, stored.id).created_at == stored.created_at
    engine.beacons.delete(TEST, stored.id)
    engine.beacons.create(TEST, beacon("2"))
    with pytest.raises(Conflict, match="same UUID, major and minor"):
        engine.beacons.restore(TEST, stored)
    assert len(engine.beacons.all(TEST)) == 1
