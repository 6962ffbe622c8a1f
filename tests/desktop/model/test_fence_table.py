"""The table of geofences: filtering, sorting, and updates that lead to the same rows."""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import timedelta

import pytest

from app.desktop.model.fence_table.columns import AT_FIRST, FIXED, column_of_key, columns_named
from app.desktop.model.fence_table.rows import AT_ONCE, FenceRows
from app.desktop.model.fence_table.sieve import FenceSieve, Moment
from app.desktop.model.fences import FenceDelta
from app.desktop.model.search.parts import value_of, with_part, without_part
from engine.domain.geofence import Geofence, GeofenceRules
from engine.domain.geometry import Circle, Geometry, Isochrone, Part, Point, Polygon
from engine.domain.hours import parse_hours
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from tests.desktop.model.values import START, fence

COLUMNS = {column.name: column for column in FIXED}
NOON = {"Tue": [["09:00", "17:00"]]}
SQUARE = ((0.0, 0.0), (0.01, 0.0), (0.01, 0.01), (0.0, 0.01), (0.0, 0.0))


def moment(closed: Iterable[str] = ()) -> Moment:
    return Moment(START, frozenset(closed).__contains__)


def rows_of(fences: Iterable[Geofence], closed: Iterable[str] = ()) -> FenceRows:
    rows = FenceRows(frozenset(closed).__contains__)
    rows.replace([*fences])
    finish(rows)
    return rows


def finish(rows: FenceRows) -> None:
    while rows.busy:
        rows.work(0.001)
    if rows.stale:
        rows.arrange()


def ids(rows: FenceRows) -> list[str]:
    return [each.id for each in rows.fences(0, len(rows) - 1)]


def passing(fences: Iterable[Geofence], text: str, closed: Iterable[str] = ()) -> list[str]:
    rows = rows_of(fences, closed)
    rows.filter(FenceSieve.of(text, moment(closed)))
    return ids(rows)


def with_rules(one: Geofence, **rules: object) -> Geofence:
    return replace(one, rules=GeofenceRules(**rules))  # type: ignore[arg-type]


def test_each_part_of_a_filter_narrows_it() -> None:
    fences = [
        fence(1, "store", "North gate", metadata={"city": "Ghent", "floor": 2, "open": True}),
        fence(2, "store", "South gate", enabled=False, metadata={"city": "Gent"}),
        fence(3, "my depot", "North dock", metadata={"city": "Ghent", "floor": 12}),
    ]
    assert passing(fences, "") == ["f3", "f1", "f2"]
    assert passing(fences, "GATE north") == ["f1"]
    assert passing(fences, "tag:Store") == ["f1", "f2"]
    assert passing(fences, 'tag:"my depot"') == ["f3"]
    assert passing(fences, "tag:*EPO*") == ["f3"]
    assert passing(fences, "city:Ghent") == ["f3", "f1"]
    assert passing(fences, "city:G*t floor:2") == ["f1"]
    assert passing(fences, "metadata.open:yes") == ["f1"]
    assert passing(fences, "id:store-2") == ["f2"]
    assert passing(fences, "id:f3") == ["f3"]
    assert passing(fences, "state:disabled gate") == ["f2"]
    assert passing(fences, "city:") == []
    assert passing(fences, "tag:[s]tore") == []


def test_states_and_types() -> None:
    hours = parse_hours(NOON)
    fences = [
        with_rules(fence(1), operating_hours=hours),
        with_rules(fence(2), operating_hours=hours),
        with_rules(fence(3), delete_after=START + timedelta(days=6)),
        with_rules(fence(4), disable_after=START + timedelta(days=30)),
        with_rules(fence(5, enabled=False), disable_after=START - timedelta(days=1)),
        replace(fence(6), geometry=Polygon(SQUARE)),
        replace(fence(7), geometry=Isochrone(SQUARE, center=Point(0.0, 0.0), minutes=10.0, mode=TravelMode.CAR)),
    ]
    closed = ["f2"]
    assert passing(fences, "state:closed", closed) == ["f2"]
    assert passing(fences, "state:open", closed) == ["f1", "f3", "f4", "f5", "f6", "f7"]
    assert passing(fences, "state:expiring") == ["f3"]
    assert passing(fences, "state:expired") == ["f5"]
    assert passing(fences, "type:polygon") == ["f6"]
    assert passing(fences, "type:isochrone") == ["f7"]
    rows = rows_of(fences, closed)
    texts = [rows.text(row, COLUMNS["hours"]) for row in range(3)]
    assert texts == ["Open now", "Closed now", "Always open"]


def test_an_invalid_condition_is_reported_and_filters_nothing_out() -> None:
    sieve = FenceSieve.of("gate state:shut type:square", moment())
    assert sieve.problem == "state: must be enabled, disabled, open, closed, expired or expiring, not 'shut'."
    assert passing([fence(1, description="gate")], "gate state:shut") == ["f1"]
    assert FenceSieve.of("a " * 5_000, moment()).text == "a " * 500


def test_choices_are_written_into_the_text_of_the_filter() -> None:
    text = with_part("gate tag:store", "tag", "my depot")
    assert text == 'gate tag:"my depot"'
    assert value_of(text, "tag") == "my depot"
    assert without_part(text, "tag") == "gate"
    assert value_of("gate", "tag") is None


@pytest.mark.parametrize("descending", [False, True])
def test_sorting_is_natural_and_puts_missing_values_last(descending: bool) -> None:
    fences = [
        fence(1, description="Gate 10", metadata={"floor": 2}),
        fence(2, description="Gate 9", metadata={"floor": 10}),
        fence(3, description="gate 2"),
        fence(4, description="Dock", metadata={"floor": "ground"}),
    ]
    rows = rows_of(fences)
    rows.sort(COLUMNS["description"], descending=descending)
    assert ids(rows) == (["f1", "f2", "f3", "f4"] if descending else ["f4", "f3", "f2", "f1"])
    rows.sort(column_of_key("floor"), descending=descending)
    assert ids(rows) == (["f4", "f2", "f1", "f3"] if descending else ["f1", "f2", "f4", "f3"])
    rows.sort(COLUMNS["expires"], descending=descending)
    assert ids(rows) == ["f4", "f3", "f2", "f1"], "by name where the column says nothing"


def test_areas_are_those_on_the_ground() -> None:
    across = tuple((longitude + 179.995 - (360 if longitude else 0), latitude) for longitude, latitude in SQUARE)
    shapes: tuple[Geometry, ...] = (Circle(Point(0.0, 60.0), 100.0), Polygon(SQUARE), Polygon(across))
    column = COLUMNS["area"]
    fences = [replace(fence(number), geometry=shape) for number, shape in enumerate(shapes)]
    assert [column.key(each) for each in fences] == pytest.approx([31_416, 1_230_907, 1_230_907], rel=1e-3)
    assert column.text(fences[0]) == "31416 m²"
    assert column.text(fences[1]) == column.text(fences[2]) == "1.231 km²"


def test_vertices_parts_and_holes_are_columns() -> None:
    ring = ((14.5, 46.0), (14.6, 46.0), (14.6, 46.1), (14.5, 46.1), (14.5, 46.0))
    hole = ((14.51, 46.01), (14.52, 46.01), (14.52, 46.02), (14.51, 46.01))
    parts = replace(fence(2), geometry=Polygon(ring, (hole,), (Part(hole),)))
    columns = columns_named(("vertices", "parts", "holes"))
    assert [[column.text(each) for column in columns] for each in (fence(1), parts)] == [["", "", ""], ["10", "2", "1"]]
    rows = rows_of([fence(1), parts, replace(fence(3), geometry=Polygon(ring))])
    for column in columns:
        rows.sort(column, descending=False)
        assert ids(rows) == ["f3", "f2", "f1"]


def test_columns_are_those_that_there_are() -> None:
    assert [column.name for column in columns_named(["tag", "no such", "metadata.city", "tag"])] == [
        "tag",
        "metadata.city",
    ]
    assert [column.name for column in columns_named([""])] == [*AT_FIRST]


def test_single_changes_lead_to_the_same_rows_as_a_rebuild() -> None:
    chance = random.Random(5)
    present: dict[str, Geofence] = {}
    rows = rows_of(())
    columns = [*FIXED, column_of_key("floor")]
    for turn in range(300):
        number = chance.randrange(40)
        if chance.random() < 0.3:
            removed = present.pop(f"f{number}", None)
            rows.take(FenceDelta((), (f"f{number}",) if removed else ()))
        else:
            metadata = {"floor": chance.randrange(5)} if chance.random() < 0.5 else {}
            made = fence(number, chance.choice("abc"), f"Gate {chance.randrange(20)}", metadata=metadata)
            present[made.id] = made
            rows.take(FenceDelta((made,)))
        if turn % 7 == 0:
            rows.filter(FenceSieve.of(chance.choice(["", "gate", "tag:a", "1", "floor:3"]), moment()))
        if turn % 5 == 0:
            rows.sort(chance.choice(columns), descending=chance.random() < 0.5)
        if turn % 3 == 0:
            rows.arrange()
            rebuilt = FenceRows(lambda _: False)
            rebuilt.filter(rows.sieve)
            rebuilt.sort(rows.column, descending=rows.descending)
            rebuilt.replace([*present.values()])
            assert ids(rows) == ids(rebuilt)
            assert rows.total == len(present)
            for row in range(len(rows)):
                (each,) = rows.fences(row, row)
                assert rows.row(each.id) == row
                assert present[each.id] is each


def test_the_last_slice_arranges_the_rows_however_long_it_took() -> None:
    rows = rows_of(())
    rows.replace([fence(number) for number in range(AT_ONCE + 1)])
    while rows.busy:
        rows.work(0.0)
    assert len(rows) == AT_ONCE + 1
    assert not rows.stale


def test_much_is_worked_out_in_slices_and_a_change_meanwhile_counts() -> None:
    fences = [fence(number, description=f"Gate {number}") for number in range(AT_ONCE + 500)]
    rows = FenceRows(lambda _: False)
    rows.replace(fences)
    assert rows.busy
    assert len(rows) == 0
    rows.work(0.0)
    rows.take(FenceDelta((fence(0, description="Aa"), fence(9_999, description="Zz")), ("f1",)))
    finish(rows)
    listed = ids(rows)
    assert (listed[0], listed[-1], len(listed)) == ("f0", "f9999", AT_ONCE + 500)
    rows.filter(FenceSieve.of("gate", moment()))
    finish(rows)
    assert len(rows) == AT_ONCE + 498
    assert rows.runs(["f2", "f3", "f5", "nothing"]) == [(0, 1), (3, 3)]
