"""Tables of beacons: each row becomes a beacon, or an error at its row and column."""

from collections.abc import Iterator

import pytest

from engine import Engine
from engine.beacons.csv_import import is_beacon_table
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.imports import ImportKind, ImportReport
from engine.domain.ports import Cancelled
from engine.domain.queries import Change
from engine.domain.tracking.beacon import BeaconChange, Eddystone, IBeacon
from engine.domain.values import replace
from tests.engine.fixtures import UUID, SetClock, beacon, import_csv

TEST = Environment.TEST
HEADER = "type,description,tag,externalId,uuid,major,minor,uid,instance,latitude,longitude,enabled,metadata"
UID, INSTANCE = "edd1ebeac04e5defa017", "0bdb87539b67"
WALL = f'eddystone,Wall,store,wall,,,,{UID},{INSTANCE},47.2,9.6,false,"{{""floor"": 2}}"'


def door(external_id: str = "door", minor: int | str = 1, **cells: str) -> str:
    values = {"type": "ibeacon", "uuid": UUID, "major": "100", "latitude": "47.1", "longitude": "9.5"} | cells
    head = f"{values['type']},Door,store,{external_id},{values['uuid']},{values['major']},{minor}"
    return f"{head},,,{values['latitude']},{values['longitude']},,"


def table(*rows: str, header: str = HEADER) -> bytes:
    return "\n".join((header, *rows, "")).encode()


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine.open(":memory:", clock=SetClock()) as opened:
        yield opened


def error_locations(report: ImportReport) -> list[tuple[int, str | None]]:
    return [(error.row, error.column) for error in report.errors]


def test_both_types(engine: Engine) -> None:
    changes: list[Change] = []
    engine.changes.subscribe(changes.append)
    report = import_csv(engine, TEST, table(door(), WALL))
    assert (report.kind, report.rows, report.created, report.updated, report.errors) == (
        ImportKind.BEACONS,
        2,
        2,
        0,
        (),
    )
    stored = engine.beacons.get_by_key(TEST, "store", "door")
    assert (stored.signal, stored.point, stored.description) == (IBeacon(UUID, 100, 1), Point(9.5, 47.1), "Door")
    wall = engine.beacons.get_by_key(TEST, "store", "wall")
    assert (wall.signal, wall.enabled, dict(wall.metadata)) == (Eddystone(UID, INSTANCE), False, {"floor": 2})
    assert len(changes) == 1, "one transaction"


def test_again_with_other_columns(engine: Engine) -> None:
    import_csv(engine, TEST, table(door(), WALL))
    changed = table("store,door,,9,a", "store,wall,,,", header="tag,externalId,uuid,minor,metadata.floor")
    report = import_csv(engine, TEST, changed)
    assert (report.created, report.updated, report.errors) == (0, 2, ())
    stored = engine.beacons.get_by_key(TEST, "store", "door")
    assert (stored.signal, dict(stored.metadata)) == (IBeacon(UUID, 100, 9), {"floor": "a"})
    wall = engine.beacons.get_by_key(TEST, "store", "wall")
    assert (wall.enabled, dict(wall.metadata)) == (False, {})
    report = import_csv(engine, TEST, table("store,wall,", header="tag,externalId,enabled"), ImportKind.BEACONS)
    assert (report.errors, engine.beacons.get_by_key(TEST, "store", "wall").enabled) == ((), True)


@pytest.mark.parametrize(
    ("row", "column"),
    [
        (door(uuid="x"), "uuid"),
        (door(uuid=""), "uuid"),
        (door(major="70000"), "major"),
        (door(major=""), "major"),
        (door(minor="1.0"), "minor"),
        (door(type="lamp"), "type"),
        (door(type=""), "type"),
        (door(type="eddystone"), "uuid"),
        (door(latitude="91"), "latitude"),
        (door(latitude="north"), "latitude"),
        (door(longitude=""), "longitude"),
        (door(latitude=""), "latitude"),
        (door(latitude="", longitude=""), "latitude"),
        (door(external_id=""), "externalId"),
        (door() + "{", "metadata"),
        (door().replace(",Door,", ",,"), "description"),
        (door().removesuffix(",,") + ",maybe,", "enabled"),
    ],
)
def test_an_error_names_its_row_and_column_and_the_others_are_stored(engine: Engine, row: str, column: str) -> None:
    report = import_csv(engine, TEST, table(WALL, row, door("other", 2)))
    assert error_locations(report) == [(3, column)]
    assert report.errors[0].message.startswith(f"{column}: ")
    assert (report.created, report.failed, len(engine.beacons.all(TEST))) == (2, 1, 2)


def test_two_rows_that_send_the_same(engine: Engine) -> None:
    report = import_csv(engine, TEST, table(door("a"), door("b"), door("c", 2)))
    assert (error_locations(report), report.created) == ([(3, "uuid")], 2)
    engine.beacons.create(TEST, beacon("own", minor=9))
    assert error_locations(import_csv(engine, TEST, table(door("d", 9)))) == [(2, "uuid")]


def test_rows_may_pass_on_their_signals(engine: Engine) -> None:
    import_csv(engine, TEST, table(door("a", 1), door("b", 2)))
    # The two beacons exchange their signals by way of a third signal.
    report = import_csv(engine, TEST, table(door("a", 3), door("b", 1), door("a", 2)))
    assert report.errors == ()
    signals = [engine.beacons.get_by_key(TEST, "store", key).signal for key in "ab"]
    assert signals == [IBeacon(UUID, 100, 2), IBeacon(UUID, 100, 1)]
    assert error_locations(import_csv(engine, TEST, table(door("a", 1)))) == [(2, "uuid")]


def test_a_later_row_updates_the_beacon_of_an_earlier_one(engine: Engine) -> None:
    report = import_csv(engine, TEST, table(door("a", 1), door("a", 2)))
    assert (report.created, report.updated, len(engine.beacons.all(TEST))) == (1, 1, 1)


def test_a_dry_run_and_a_stopped_one_store_nothing(engine: Engine) -> None:
    dry = import_csv(engine, TEST, table(door(), "x"), dry_run=True)
    assert (dry.created, dry.failed, dry.dry_run, dry.kind) == (1, 1, True, ImportKind.BEACONS)

    def stop(_done: int, _total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        import_csv(engine, TEST, table(door()), progress=stop)
    assert engine.beacons.all(TEST) == ()


def test_concurrent_changes_count(engine: Engine) -> None:
    def meddle(done: int, total: int) -> None:
        # The rows are checked, but not stored yet.
        if 2 * done == total:
            engine.beacons.create(TEST, replace(beacon("own"), minor=1))

    report = import_csv(engine, TEST, table(door("a", 1), door("b", 2)), progress=meddle)
    assert (error_locations(report), report.created) == ([(2, "uuid")], 1)


def test_geometry_and_coordinates(engine: Engine) -> None:
    header = "type,description,tag,externalId,uuid,major,minor,geometry"
    point = '"{""type"": ""Point"", ""coordinates"": [9.5, 47]}"'
    rows = [f"ibeacon,d,t,{n},{UUID},1,{n},{cell}" for n, cell in enumerate((point, '"[9.5,47]"', ""))]
    report = import_csv(engine, TEST, table(*rows, header=header))
    assert (error_locations(report), report.created) == ([(3, "geometry"), (4, "latitude")], 1)
    assert engine.beacons.get_by_key(TEST, "t", "0").point == Point(9.5, 47.0)
    with pytest.raises(InvalidParameter) as caught:
        import_csv(engine, TEST, table(header=header + ",latitude"))
    assert caught.value.param == "geometry"


@pytest.mark.parametrize(
    ("header", "param"),
    [("tag,uuid", "externalId"), ("tag,externalId,uuid,colour", "colour"), ("uuid,uuid,tag,externalId", "uuid")],
)
def test_a_header_that_is_wrong(engine: Engine, header: str, param: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        import_csv(engine, TEST, table(header=header))
    assert caught.value.param == param


def test_a_table_is_known_by_its_header() -> None:
    assert is_beacon_table(table(door()))
    assert is_beacon_table(b"\xef\xbb\xbftag,externalId, UUID \n")
    assert not is_beacon_table(b"tag,externalId,type\na,b,ibeacon\n")
    assert not is_beacon_table(b"")
    assert is_beacon_table(table(door()).decode().encode("utf-16"))
    assert not is_beacon_table(b"\xff\xfeu\0u\0i\0d")


@pytest.mark.parametrize("rows", [3, 3_000])
def test_a_table_of_another_encoding_is_read_with_a_note(engine: Engine, rows: int) -> None:
    data = table(*(door(str(number), number) for number in range(rows))).decode()
    data = data.replace("ibeacon,", "ibeacon,Tür ", 1)
    for encoding, label in (("utf-16", "UTF-16 LE"), ("windows-1252", "Windows-1252")):
        assert is_beacon_table(data.encode(encoding))
        report = engine.beacons.import_csv(TEST, data.encode(encoding))
        assert [warning.message for warning in report.warnings] == [f"The text is not UTF-8; it was read as {label}."]
        assert sum(each.description.startswith("Tür") for each in engine.beacons.all(TEST)) == 1


def test_many(engine: Engine) -> None:
    report = import_csv(engine, TEST, table(*(door(str(number), number) for number in range(3_000))))
    assert (report.created, len(engine.beacons.all(TEST))) == (3_000, 3_000)
    assert engine.beacons.update(TEST, engine.beacons.all(TEST)[0].id, BeaconChange(description="x"))
