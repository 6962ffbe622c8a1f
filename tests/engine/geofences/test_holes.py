"""Holes and parts are kept wherever a geofence is stored: with edits, deletions, imports, seeds and restarts."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from engine.domain.environment import Environment
from engine.domain.errors import Conflict
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Part, Polygon
from engine.domain.imports import ImportFile
from engine.domain.queries import GeofenceQuery
from engine.domain.tracking.snapshots import GeofenceSeed, Seed
from engine.domain.values import replace
from engine.engine import Engine
from engine.geofences.promotion.promotions import PromotionQuery
from engine.store.staging import records, turns
from tests.engine.fixtures import SetClock

TEST, LIVE = Environment.TEST, Environment.LIVE

type Positions = list[tuple[float, float]]


def square(west: float, south: float, size: float) -> Positions:
    east, north = round(west + size, 6), round(south + size, 6)
    return [(west, south), (east, south), (east, north), (west, north), (west, south)]


OUTER, HOLE, ISLAND = square(9.5, 47.1, 0.02), square(9.505, 47.105, 0.01), square(9.53, 47.1, 0.01)
SHAPES: Final[dict[str, Any]] = {"ring": OUTER, "hole": [OUTER, HOLE], "parts": [[ISLAND], [OUTER, HOLE]]}
POLYGONS: Final = {
    "ring": Polygon(OUTER),
    "hole": Polygon(OUTER, (tuple(HOLE),)),
    "parts": Polygon(OUTER, (tuple(HOLE),), (Part(ISLAND),)),
}


def change(name: str) -> GeofenceChange:
    return GeofenceChange(
        tag="park", external_id=name, description=f"Park {name}", type="polygon", coordinates=SHAPES[name]
    )


def shapes(geofences: Any) -> dict[str, Any]:
    return {each.external_id: each.geometry for each in geofences}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def opened(folder: Path) -> Iterator[Engine]:
    with Engine.open(folder, clock=SetClock()) as engine:
        yield engine


@pytest.fixture
def parks(opened: Engine) -> dict[str, Geofence]:
    return {name: opened.geofences.create(TEST, change(name)) for name in SHAPES}


def test_a_workspace_has_them_after_a_restart(folder: Path) -> None:
    with Engine.open(folder, clock=SetClock()) as engine:
        for name in SHAPES:
            engine.geofences.create(TEST, change(name))
        assert shapes(engine.geofences.all(TEST)) == POLYGONS
    with Engine.open(folder, clock=SetClock()) as engine:
        assert shapes(engine.geofences.all(TEST)) == POLYGONS
        assert shapes(engine.geofences.page(TEST, GeofenceQuery(limit=10)).items) == POLYGONS


def test_a_large_edit_is_staged_with_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "FEW", 0)
    monkeypatch.setattr(records, "AT_ONCE", 2)
    with Engine.open(folder, clock=SetClock()) as engine:
        made = [engine.geofences.judged_creation(TEST, change(name)) for name in SHAPES]
        engine.geofences.put_all(TEST, made, ())
    with Engine.open(folder, clock=SetClock()) as engine:
        assert shapes(engine.geofences.all(TEST)) == POLYGONS


def test_the_history_has_every_former_shape(opened: Engine, parks: dict[str, Geofence]) -> None:
    given = ("hole", "parts", "ring", "parts", "hole")
    for name in given:
        opened.geofences.update(TEST, parks["ring"].id, GeofenceChange(coordinates=SHAPES[name]))
    edits = opened.geofence_history.page(TEST, parks["ring"].id).edits
    assert [each.geofence.geometry for each in edits] == [POLYGONS[name] for name in (*reversed(given), "ring")]


def test_a_deleted_geofence_is_restored_with_them(opened: Engine, parks: dict[str, Geofence]) -> None:
    opened.geofences.delete_all(TEST)
    deleted = opened.geofence_history.deleted(TEST)
    assert shapes(each.geofence for each in deleted) == POLYGONS
    for each in deleted:
        opened.geofences.restore(TEST, each.geofence)
    assert shapes(opened.geofences.all(TEST)) == POLYGONS == shapes(parks.values())


def as_csv(coordinates: dict[str, Any]) -> ImportFile:
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(("description", "type", "tag", "externalId", "coordinates"))
    for name, each in coordinates.items():
        writer.writerow((f"Park {name}", "polygon", "park", name, json.dumps(each)))
    return ImportFile(table.getvalue().encode(), "parks.csv")


def test_an_undone_import_brings_them_back(opened: Engine, parks: dict[str, Geofence]) -> None:
    report = opened.imports.run(TEST, as_csv(dict.fromkeys(SHAPES, ISLAND))).report
    assert (report.updated, report.failed) == (3, 0)
    assert set(shapes(opened.geofences.all(TEST)).values()) == {Polygon(ISLAND)}
    assert report.import_id is not None
    assert opened.imports.get(TEST, report.import_id).undoable
    opened.imports.undo(TEST, report.import_id)
    assert shapes(opened.geofences.all(TEST)) == POLYGONS == shapes(parks.values())


def test_an_import_cannot_be_undone_once_a_hole_was_added(opened: Engine, parks: dict[str, Geofence]) -> None:
    """The stored state of an import is compared with all rings."""
    report = opened.imports.run(TEST, as_csv({"hole": OUTER})).report
    assert report.import_id is not None
    opened.geofences.update(TEST, parks["hole"].id, GeofenceChange(coordinates=SHAPES["hole"]))
    with pytest.raises(Conflict):
        opened.imports.undo(TEST, report.import_id)
    assert shapes(opened.geofences.all(TEST)) == POLYGONS


def test_a_seed_is_loaded_and_reset_with_them() -> None:
    seed = Seed(geofences=tuple(GeofenceSeed(environment=TEST, change=change(name)) for name in SHAPES))
    with Engine.open(":memory:", clock=SetClock()) as engine:
        engine.seeding.load(seed)
        assert shapes(engine.seeding.snapshot().contents[TEST].geofences) == POLYGONS
        engine.geofences.delete_all(TEST)
        engine.seeding.reset()
        assert shapes(engine.geofences.all(TEST)) == POLYGONS


def test_a_promotion_takes_them_over_and_names_a_missing_hole(opened: Engine, parks: dict[str, Geofence]) -> None:
    query = PromotionQuery(source=TEST, target=LIVE)
    opened.promotions.apply(opened.promotions.plan(query).changes)
    assert shapes(opened.geofences.all(LIVE)) == POLYGONS == shapes(parks.values())
    live = opened.geofences.get_by_key(LIVE, "park", "parts")
    opened.geofences.update(LIVE, live.id, GeofenceChange(coordinates=OUTER))
    (item,) = opened.promotions.plan(query).changes.items
    assert [field.name for field in item.fields] == ["coordinates"]


def test_a_part_is_as_large_as_it_is_not_as_early(opened: Engine) -> None:
    made = opened.geofences.create(TEST, replace(change("parts"), coordinates=[[OUTER, HOLE], [ISLAND]]))
    assert made.geometry == POLYGONS["parts"]
