"""Tests of creating, changing, importing and finding geofences."""

import re
from typing import Any

import pytest

from engine import Engine
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, InvalidParameter, NotFound
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Circle, Point, Polygon
from engine.domain.ports import Cancelled
from engine.domain.queries import GeofenceQuery, NearbyQuery
from engine.domain.values import replace
from tests.engine.fixtures import HOME, SetClock, circle, import_csv

TEST = Environment.TEST
SQUARE = ((9.0, 47.0), (9.1, 47.0), (9.1, 47.1), (9.0, 47.1), (9.0, 47.0))


def polygon(external_id: str = "p") -> GeofenceChange:
    return GeofenceChange(tag="zone", external_id=external_id, description="Zone", type="polygon", coordinates=SQUARE)


def with_fields(**fields: Any) -> GeofenceChange:
    given = {
        "tag": "t",
        "external_id": "1",
        "description": "d",
        "type": "circle",
        "coordinates": (9, 47),
        "size": 50,
    }
    return GeofenceChange(**{key: value for key, value in {**given, **fields}.items() if value is not None})


@pytest.mark.parametrize(
    ("change", "param"),
    [
        (with_fields(size=9), "size"),
        (with_fields(size=10_001), "size"),
        (with_fields(size=float("nan")), "size"),
        (with_fields(size=None), "size"),
        (with_fields(tag=""), "tag"),
        (with_fields(tag=None), "tag"),
        (with_fields(tag="x" * 257), "tag"),
        (with_fields(external_id=" "), "external_id"),
        (with_fields(description=""), "description"),
        (with_fields(description=None), "description"),
        (with_fields(type="square"), "type"),
        (with_fields(type=None), "type"),
        (with_fields(coordinates=None), "coordinates"),
        (with_fields(coordinates=(9, 91)), "coordinates"),
        (with_fields(coordinates=(181, 9)), "coordinates"),
        (with_fields(coordinates=(9, True)), "coordinates"),
        (with_fields(coordinates=(9, 47, 3)), "coordinates"),
        (with_fields(coordinates=SQUARE), "coordinates"),
        (with_fields(type="polygon", coordinates=(9, 47)), "coordinates"),
        (with_fields(type="polygon", coordinates=SQUARE[:-1]), "coordinates"),
        (with_fields(metadata={str(i): i for i in range(17)}), "metadata"),
        (with_fields(metadata={"a": [1]}), "metadata"),
        (with_fields(metadata={"": 1}), "metadata"),
        (with_fields(description="nul \0"), "description"),
        (with_fields(description="\ud800"), "description"),
    ],
)
def test_a_bad_field_is_named_and_nothing_is_stored(engine: Engine, change: GeofenceChange, param: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        engine.geofences.create(TEST, change)
    assert caught.value.param == param
    assert param in caught.value.message
    assert engine.history.counts(TEST).geofences == 0


def test_a_taken_key_is_a_conflict(engine: Engine) -> None:
    engine.geofences.create(TEST, circle())
    with pytest.raises(Conflict) as caught:
        engine.geofences.create(TEST, circle())
    assert caught.value.param == "external_id"
    engine.geofences.create(Environment.LIVE, circle())


def test_identifiers_have_24_digits_and_grow_with_time(engine: Engine, clock: SetClock) -> None:
    found = []
    for number in range(4):
        found.append(engine.geofences.create(TEST, circle(str(number))).id)
        clock.advance(number)
    assert found == sorted(set(found))
    assert all(re.fullmatch("[0-9a-f]{24}", each) for each in found)
    assert {int(each[:8], 16) - int(clock.now().timestamp()) for each in found} == {-6, -5, -3}


class TestChanging:
    """Present fields change, absent ones stay the same."""

    def test_an_upsert_changes_only_the_named_fields(self, engine: Engine, clock: SetClock) -> None:
        before = engine.geofences.create(TEST, circle())
        clock.advance(60)
        after = engine.geofences.upsert(TEST, "store", "1", GeofenceChange(size=55))
        assert after.geometry == Circle(HOME, 55)
        assert (after.id, after.description, after.created_at) == (before.id, before.description, before.created_at)
        assert after.updated_at == clock.now()
        assert engine.geofences.get(TEST, before.id) == after

    def test_an_upsert_of_none_creates_and_needs_the_required_fields(self, engine: Engine) -> None:
        with pytest.raises(InvalidParameter) as caught:
            engine.geofences.upsert(TEST, "store", "2", GeofenceChange(size=55))
        assert caught.value.param == "description"
        assert engine.geofences.upsert(TEST, "zone", "p", polygon()).geometry == Polygon(SQUARE)

    def test_an_upsert_that_creates_under_another_key_is_refused(self, engine: Engine) -> None:
        with pytest.raises(InvalidParameter) as caught:
            engine.geofences.upsert(TEST, "zone", "q", polygon("p"))
        assert caught.value.param == "external_id"

    def test_a_key_may_change_but_not_to_a_taken_one(self, engine: Engine) -> None:
        first, _ = engine.geofences.create(TEST, circle("1")), engine.geofences.create(TEST, circle("2"))
        with pytest.raises(Conflict):
            engine.geofences.update(TEST, first.id, GeofenceChange(external_id="2"))
        engine.geofences.update(TEST, first.id, GeofenceChange(external_id="3"))
        assert engine.geofences.get_by_key(TEST, "store", "3").id == first.id
        with pytest.raises(NotFound):
            engine.geofences.get_by_key(TEST, "store", "1")

    def test_a_circle_becomes_a_polygon_with_its_coordinates(self, engine: Engine) -> None:
        geofence = engine.geofences.create(TEST, circle())
        with pytest.raises(InvalidParameter) as caught:
            engine.geofences.update(TEST, geofence.id, GeofenceChange(type="polygon"))
        assert caught.value.param == "coordinates"
        after = engine.geofences.update(TEST, geofence.id, GeofenceChange(type="polygon", coordinates=SQUARE))
        assert after.geometry == Polygon(SQUARE)

    def test_a_failed_change_leaves_everything(self, engine: Engine) -> None:
        geofence = engine.geofences.create(TEST, circle())
        with pytest.raises(InvalidParameter):
            engine.geofences.update(TEST, geofence.id, GeofenceChange(description="new", size=1))
        assert engine.geofences.get(TEST, geofence.id) == geofence

    def test_metadata_is_replaced_whole_or_item_by_item(self, engine: Engine) -> None:
        geofence = engine.geofences.create(TEST, with_fields(metadata={"a": 1, "b": True}))
        change = GeofenceChange(metadata_items={"a": None, "c": "x"})
        assert dict(engine.geofences.update(TEST, geofence.id, change).metadata) == {"b": True, "c": "x"}
        assert dict(engine.geofences.update(TEST, geofence.id, GeofenceChange(metadata={})).metadata) == {}

    def test_a_deleted_geofence_is_not_found_and_can_be_restored(self, engine: Engine) -> None:
        geofence = engine.geofences.create(TEST, circle())
        assert engine.geofences.delete(TEST, geofence.id) == geofence
        with pytest.raises(NotFound):
            engine.geofences.get(TEST, geofence.id)
        with pytest.raises(NotFound):
            engine.geofences.delete(TEST, geofence.id)
        assert engine.geofences.restore(TEST, geofence).id == geofence.id
        engine.geofences.delete(TEST, geofence.id)
        engine.geofences.create(TEST, circle())
        with pytest.raises(Conflict):
            engine.geofences.restore(TEST, geofence)


HEADER = "description,type,tag,externalId,coordinates,radius,enabled,metadata\n"


def row(external_id: str, radius: str = "50", enabled: str = "") -> str:
    return f'D {external_id},circle,t,{external_id},"[9,47]",{radius},{enabled},\n'


class TestImport:
    """Rows are upserted; a bad row is reported and the others are stored."""

    def test_good_rows_are_stored_and_bad_ones_reported(self, engine: Engine) -> None:
        engine.geofences.create(TEST, circle("2", tag="t"))
        report = import_csv(engine, TEST, (HEADER + row("1") + row("2") + row("3", radius="5")).encode())
        assert (report.rows, report.created, report.updated, report.failed) == (3, 1, 1, 1)
        assert [(error.row, error.column) for error in report.errors] == [(4, "radius")]
        assert engine.geofences.get_by_key(TEST, "t", "2").geometry == Circle(Point(9, 47), 50)
        assert engine.history.counts(TEST).geofences == 2

    def test_a_dry_run_reports_the_same_and_stores_nothing(self, engine: Engine) -> None:
        data = (HEADER + row("1") + row("2", radius="5")).encode()
        dry = import_csv(engine, TEST, data, dry_run=True)
        assert engine.history.counts(TEST).geofences == 0
        wet = import_csv(engine, TEST, data)
        assert (dry.created, dry.errors, dry.dry_run) == (wet.created, wet.errors, True)

    def test_a_later_row_changes_an_earlier_one_of_its_key(self, engine: Engine) -> None:
        report = import_csv(engine, TEST, (HEADER + row("1") + row("1", radius="70")).encode())
        assert (report.created, report.updated) == (1, 1)
        assert engine.geofences.get_by_key(TEST, "t", "1").geometry == Circle(Point(9, 47), 70)

    def test_a_missing_column_keeps_and_an_empty_cell_resets(self, engine: Engine) -> None:
        import_csv(engine, TEST, (HEADER + 'D,circle,t,1,"[9,47]",50,false,"{""a"": 1}"\n').encode())
        import_csv(engine, TEST, b"tag,externalId,radius\nt,1,60\n")
        kept = engine.geofences.get_by_key(TEST, "t", "1")
        assert (kept.enabled, dict(kept.metadata), kept.geometry) == (False, {"a": 1}, Circle(Point(9, 47), 60))
        import_csv(engine, TEST, b"tag,externalId,enabled,metadata\nt,1,,\n")
        reset = engine.geofences.get_by_key(TEST, "t", "1")
        assert (reset.enabled, dict(reset.metadata)) == (True, {})

    def test_an_empty_radius_is_an_error_for_a_circle_and_nothing_to_a_polygon(self, engine: Engine) -> None:
        engine.geofences.create(TEST, circle("1", tag="t"))
        engine.geofences.create(TEST, polygon())
        report = import_csv(engine, TEST, b"tag,externalId,radius\nt,1,\nzone,p,\n")
        assert [(error.row, error.column) for error in report.errors] == [(2, "radius")]
        assert (report.updated, report.unchanged) == (0, 1)

    def test_a_ring_that_folds_onto_the_antimeridian_is_a_row_error(self, engine: Engine) -> None:
        ring = "[[180,0],[-180,1],[180,2],[180,0]]"
        bad = f'D,polygon,t,9,"{ring}",,,\n'
        report = import_csv(engine, TEST, (HEADER + row("1") + bad).encode())
        assert (report.created, [(error.row, error.column) for error in report.errors]) == (1, [(3, "coordinates")])

    def test_a_cancelled_import_stores_nothing(self, engine: Engine) -> None:
        def cancel(done: int, _total: int) -> None:
            if done > 300:
                raise Cancelled

        with pytest.raises(Cancelled):
            import_csv(engine, TEST, (HEADER + "".join(row(str(i)) for i in range(1_000))).encode(), progress=cancel)
        assert engine.history.counts(TEST).geofences == 0

    def test_a_change_that_came_between_is_not_lost(self, engine: Engine) -> None:
        """Rows are checked before the import's turn; a row is checked again if its geofence has changed meanwhile."""
        engine.geofences.create(TEST, circle("1", tag="t"))

        renamed = list[int]()

        def rename(done: int, total: int) -> None:
            # One third is for reading and one for checking; this is before the import's turn.
            if 3 * done == 2 * total and not renamed:
                renamed.append(done)
                engine.geofences.upsert(TEST, "t", "1", GeofenceChange(description="renamed meanwhile"))

        import_csv(engine, TEST, b"tag,externalId,radius\nt,1,60\n", progress=rename)
        after = engine.geofences.get_by_key(TEST, "t", "1")
        assert (after.description, after.geometry) == ("renamed meanwhile", Circle(HOME, 60))


class TestFinding:
    """Lists, and search by distance."""

    def test_the_list_is_newest_first_and_filtered(self, engine: Engine, clock: SetClock) -> None:
        for number in range(5):
            engine.geofences.create(TEST, circle(str(number)))
            clock.advance(1)
        engine.geofences.upsert(TEST, "store", "0", GeofenceChange(metadata={"open": True, "floor": 1}))
        page = engine.geofences.page(TEST, GeofenceQuery(limit=3))
        assert ([item.external_id for item in page.items], page.has_more) == (["0", "4", "3"], True)
        assert not engine.geofences.page(TEST, GeofenceQuery(limit=5)).has_more
        assert len(engine.geofences.page(TEST, GeofenceQuery(metadata={"open": True})).items) == 1
        assert engine.geofences.page(TEST, GeofenceQuery(metadata={"floor": True})).items == ()
        assert [item.external_id for item in engine.geofences.page(TEST, GeofenceQuery(external_id="2")).items] == ["2"]

    def test_search_is_by_distance_to_the_boundary(self, engine: Engine) -> None:
        engine.geofences.create(TEST, circle("far", center=Point(HOME.longitude + 1, HOME.latitude)))
        engine.geofences.create(TEST, circle("around", radius_m=5_000))
        engine.geofences.create(TEST, circle("near", center=Point(HOME.longitude, HOME.latitude + 0.001), radius_m=20))
        engine.geofences.create(TEST, circle("other", tag="depot"))
        found = engine.geofences.nearby(TEST, NearbyQuery(near=HOME, tags=frozenset({"store"})))
        assert [item.geofence.external_id for item in found] == ["around", "near", "far"]
        assert found[0].distance_m == 0
        assert found[1].distance_m == pytest.approx(91.2, abs=0.2)
        close = engine.geofences.nearby(TEST, NearbyQuery(near=HOME, radius_m=50))
        assert [item.geofence.external_id for item in close] == ["around", "other"] or len(close) == 2

    def test_search_finds_the_antipodes(self, engine: Engine) -> None:
        engine.geofences.create(TEST, circle("far", center=Point(HOME.longitude - 180, -HOME.latitude)))
        assert len(engine.geofences.nearby(TEST, NearbyQuery(near=HOME))) == 1

    def test_the_limit_keeps_the_nearest(self, engine: Engine) -> None:
        for number in range(30):
            place = Point(HOME.longitude + number / 100, HOME.latitude)
            engine.geofences.create(TEST, circle(str(number), center=place))
        found = engine.geofences.nearby(TEST, NearbyQuery(near=HOME, limit=4))
        assert [item.geofence.external_id for item in found] == ["0", "1", "2", "3"]


def test_several_are_stored_together_or_not_at_all(engine: Engine) -> None:
    one, two, three = (engine.geofences.create(TEST, circle(str(n), tag="t")) for n in range(3))
    taken = replace(three, summary=replace(three.summary, external_id="0"))
    for saved, removed in (([taken], [two.id]), ([replace(two, summary=taken.summary), taken], [one.id])):
        with pytest.raises(Conflict, match="external_id"):
            engine.geofences.put_all(TEST, saved, removed)
        assert {each.id: each.external_id for each in engine.geofences.all(TEST)} == {
            one.id: "0",
            two.id: "1",
            three.id: "2",
        }
    engine.geofences.put_all(TEST, [taken], [one.id, "gone"])
    assert {each.id: each.external_id for each in engine.geofences.all(TEST)} == {two.id: "1", three.id: "0"}
    assert engine.geofences.get_by_key(TEST, "t", "0").id == three.id


def test_deleted_ones_are_restored_together_except_those_in_conflict(engine: Engine, clock: SetClock) -> None:
    geofences = engine.geofences
    deleted = [geofences.create(TEST, circle(name)) for name in ("a", "b", "c", "d")]
    geofences.put_all(TEST, (), [each.id for each in deleted])
    taker = geofences.create(TEST, circle("b"))
    again = geofences.restore(TEST, deleted[2])
    twin = replace(deleted[0], id="f" * 24)
    restored, refused = geofences.restore_all(TEST, [*deleted, twin])
    assert [each.external_id for each in restored] == ["a", "d"]
    assert [(each.id, error.param) for each, error in refused] == [
        (deleted[1].id, "external_id"),
        (deleted[2].id, "id"),
        (twin.id, "external_id"),
    ]
    assert geofences.get(TEST, taker.id) == taker
    assert geofences.get(TEST, again.id) == again
    assert {each.id for each in geofences.all(TEST)} == {taker.id, again.id, deleted[0].id, deleted[3].id}
    # A single edit.
    assert len({each.revision for each in geofences.all(TEST)} - {taker.revision, again.revision}) == 1


def test_thousands_are_restored_with_progress_and_a_cancelled_restore_changes_nothing(engine: Engine) -> None:
    import_csv(engine, TEST, HEADER.encode() + "".join(row(str(number)) for number in range(2_000)).encode())
    before = {each.id: each for each in engine.geofences.all(TEST)}
    engine.geofences.put_all(TEST, (), list(before))
    deleted = [edit.geofence for edit in engine.geofence_history.deleted(TEST)]
    assert len(deleted) == 2_000
    seen: list[tuple[int, int]] = []

    def cancel(done: int, total: int) -> None:
        seen.append((done, total))
        if done > total / 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        engine.geofences.restore_all(TEST, deleted, cancel)
    assert not engine.geofences.all(TEST)
    assert len(seen) > 2
    engine.geofences.restore_all(TEST, deleted)
    restored = {each.id: each for each in engine.geofences.all(TEST)}
    assert {key: each.geometry for key, each in restored.items()} == {
        key: each.geometry for key, each in before.items()
    }
