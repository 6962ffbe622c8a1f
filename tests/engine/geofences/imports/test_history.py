"""Imports are recorded, and can be undone as long as their geofences were not changed since."""

import pytest

from engine.domain.environment import Environment
from engine.domain.errors import Conflict, InvalidParameter, NotFound
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle
from engine.domain.imports import Channel, ImportFile, ImportOptions, ImportOutcome, ImportQuery, ImportStatus
from engine.domain.values import replace
from engine.engine import Engine
from tests.engine.fixtures import SetClock, circle

TEST = Environment.TEST
HEADER = "description,type,tag,externalId,coordinates,radius\n"
KEEP = ImportOptions(keep_good_rows=True)


def row(external_id: str, radius: str = "50") -> str:
    return f'D {external_id},circle,t,{external_id},"[9,47]",{radius}\n'


def run(engine: Engine, *rows: str, options: ImportOptions | None = None) -> ImportOutcome:
    file = ImportFile((HEADER + "".join(rows)).encode(), "stores.csv", Channel.SYNC)
    return engine.imports.run(TEST, file, options or ImportOptions())


def keys(engine: Engine) -> set[str]:
    return {geofence.external_id for geofence in engine.geofences.all(TEST)}


def test_an_import_is_recorded_as_it_was(engine: Engine, clock: SetClock) -> None:
    first = run(engine, row("1"), row("2"))
    clock.advance(60)
    second = run(engine, row("1"), row("2", "60"), row("3", "5"), options=KEEP).record
    assert (second.rows, second.created, second.updated, second.unchanged, second.failed) == (3, 0, 1, 1, 1)
    assert [(error.row, error.column) for error in second.errors] == [(4, "radius")]
    assert (second.name, second.channel, second.status) == ("stores.csv", Channel.SYNC, ImportStatus.IMPORTED)
    assert (len(second.sha256), second.created_at) == (64, clock.now())
    page = engine.imports.page(TEST, ImportQuery(limit=1))
    assert (page.items, page.has_more) == ((second,), True)
    assert engine.imports.page(TEST, ImportQuery(before=second.id)).items == (first.record,)
    assert engine.imports.get(TEST, first.record.id) == first.record
    assert not engine.imports.page(Environment.LIVE, ImportQuery()).items


def test_with_an_error_nothing_is_stored(engine: Engine) -> None:
    outcome = run(engine, row("1"), row("2", "5"))
    assert (outcome.report.stored, outcome.report.created, outcome.record.created) == (False, 1, 0)
    assert outcome.record.status is ImportStatus.REFUSED
    assert not keys(engine)
    with pytest.raises(Conflict, match="it changed nothing"):
        engine.imports.undo(TEST, outcome.record.id)


def test_all_errors_are_kept_and_a_list_has_the_first_ones(engine: Engine) -> None:
    rows = [row(str(number), "5") for number in range(3_000)]
    record = run(engine, *rows).record
    kept = engine.imports.get(TEST, record.id)
    assert [error.row for error in kept.errors] == list(range(2, 3_002))
    assert (kept.refused[2_999].row, kept.refused[2_999].external_id) == (3_001, "2999")
    assert kept == record
    (listed,) = engine.imports.page(TEST, ImportQuery()).items
    assert (listed.failed, listed.errors, listed.refused) == (3_000, kept.errors[:100], kept.refused[:100])


def test_more_errors_than_are_kept_are_counted(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.geofences.imports.imports.MAX_KEPT_ERRORS", 2)
    record = run(engine, *(row(str(number), "5") for number in range(3))).record
    assert (record.failed, len(record.errors), len(record.refused)) == (3, 2, 2)
    assert engine.imports.get(TEST, record.id) == record


def test_a_file_that_is_no_table_is_recorded_too(engine: Engine) -> None:
    with pytest.raises(InvalidParameter):
        engine.imports.run(TEST, ImportFile(b"a,b\n1,2\n", "wrong.csv"))
    (record,) = engine.imports.page(TEST, ImportQuery()).items
    assert (record.name, record.status, record.rows, len(record.errors)) == ("wrong.csv", ImportStatus.REFUSED, 0, 1)
    assert (record.created, record.updated, record.unchanged, record.deleted) == (0, 0, 0, 0)


def test_unchanged_rows_touch_nothing(engine: Engine, clock: SetClock) -> None:
    run(engine, row("1"))
    before = engine.geofences.get_by_key(TEST, "t", "1")
    clock.advance(60)
    outcome = run(engine, row("1"))
    assert (outcome.report.unchanged, outcome.report.updated) == (1, 0)
    assert engine.geofences.get_by_key(TEST, "t", "1") == before
    with pytest.raises(Conflict, match="changed nothing"):
        engine.imports.undo(TEST, outcome.record.id)


def test_undo_restores_the_former_state(engine: Engine) -> None:
    run(engine, row("1"), row("2"))
    deleted = engine.geofences.get_by_key(TEST, "t", "2")
    outcome = run(engine, row("1", "70"), row("3"), options=ImportOptions(delete_missing=True))
    assert (outcome.report.deleted, keys(engine)) == (1, {"1", "3"})
    undone = engine.imports.undo(TEST, outcome.record.id)
    assert (undone.status, engine.imports.get(TEST, undone.id)) == (ImportStatus.UNDONE, undone)
    assert engine.geofences.get_by_key(TEST, "t", "1").geometry == Circle(deleted.geometry.center, 50)  # type: ignore[union-attr]
    assert engine.geofences.get_by_key(TEST, "t", "2").id == deleted.id
    assert keys(engine) == {"1", "2"}
    with pytest.raises(Conflict, match="already been undone"):
        engine.imports.undo(TEST, undone.id)


def test_imports_are_undone_one_after_the_other(engine: Engine, clock: SetClock) -> None:
    """Imports are undone in reverse order, like Ctrl+Z: each undo restores the state left by the import before it."""
    states, records = [contents(engine)], []
    ring = 'polygon,z,1,"[[9,47],[9.1,47],[9.1,47.1],[9,47]]",\n'
    for rows, options in (
        ((row("1"), row("2"), "Z," + ring), None),
        ((row("1", "60"), row("3"), "Y," + ring), None),
        ((row("1", "70"),), ImportOptions(delete_missing=True)),
        ((row("2", "80"), row("4")), None),
    ):
        clock.advance(60)
        records.append(run(engine, *rows, options=options).record)
        states.append(contents(engine))
    for record, before in zip(reversed(records), reversed(states[:-1]), strict=True):
        clock.advance(60)
        engine.imports.undo(TEST, record.id)
        assert contents(engine) == before


def test_a_change_that_was_taken_back_is_none(engine: Engine) -> None:
    outcome = run(engine, row("1"))
    (before,) = engine.geofences.all(TEST)
    engine.geofences.update(TEST, before.id, GeofenceChange(description="Other"))
    with pytest.raises(Conflict, match="changed since"):
        engine.imports.undo(TEST, outcome.record.id)
    engine.geofences.restore(TEST, before)
    engine.imports.undo(TEST, outcome.record.id)
    assert not keys(engine)


def contents(engine: Engine) -> dict[str, Geofence]:
    found = engine.geofences.all(TEST)
    return {each.id: replace(each, updated_at=each.created_at, revision=0) for each in found}


@pytest.mark.parametrize("meddle", ["change", "delete", "take the key"])
def test_undo_is_refused_after_a_later_change(engine: Engine, meddle: str) -> None:
    run(engine, row("1"), row("2"))
    outcome = run(engine, row("1", "70"), options=ImportOptions(delete_missing=True))
    if meddle == "change":
        engine.geofences.upsert(TEST, "t", "1", GeofenceChange(description="mine"))
    elif meddle == "delete":
        engine.geofences.delete(TEST, engine.geofences.get_by_key(TEST, "t", "1").id)
    else:
        engine.geofences.create(TEST, circle("2", tag="t"))
    before = {geofence.id: geofence for geofence in engine.geofences.all(TEST)}
    with pytest.raises(Conflict):
        engine.imports.undo(TEST, outcome.record.id)
    assert {geofence.id: geofence for geofence in engine.geofences.all(TEST)} == before


def test_nothing_is_deleted_if_a_row_has_an_error(engine: Engine) -> None:
    run(engine, row("1"), row("2"))
    outcome = run(engine, row("1", "5"), options=ImportOptions(keep_good_rows=True, delete_missing=True))
    assert (outcome.report.deleted, keys(engine)) == (0, {"1", "2"})


def test_kept_keys_are_not_deleted(engine: Engine) -> None:
    first = run(engine, row("1"))
    run(engine, row("2"), options=ImportOptions(delete_missing=True, kept=first.keys))
    assert keys(engine) == {"1", "2"}


def test_an_unknown_import(engine: Engine) -> None:
    with pytest.raises(NotFound):
        engine.imports.undo(TEST, "0" * 24)
