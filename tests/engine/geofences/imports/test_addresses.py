"""Imports of tables with addresses instead of positions."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from engine.domain.environment import Environment
from engine.domain.errors import GeocodingUnavailable
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Circle
from engine.domain.imports import ImportFile, ImportOptions, RowAction
from engine.domain.ports import Cancelled, no_progress
from engine.domain.values import replace
from engine.engine import Engine
from engine.geofences.imports.importing import GeofenceImport
from engine.tabular.plan import ImportPlan
from engine.tabular.reading import ParsedRow
from tests.engine.fixtures import NOON, SetClock, circle
from tests.engine.gazetteers import at, find_in, write_town

TEST = Environment.TEST
TABLE = "Name;Adresse;Etage\nHaus;Äulestrasse 12a, 9490 Vaduz;2\nNirgends;Unbekannte Gasse 999, Nirgendwo;3\n"


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_town(tmp_path_factory.mktemp("town") / "gazetteer.sqlite")


@pytest.fixture
def engine(tmp_path: Path, town: Path) -> Iterator[Engine]:
    with Engine.open(tmp_path / "workspace", clock=SetClock(NOON)) as opened:
        find_in(opened, town)
        yield opened


def test_a_column_of_addresses_is_looked_up_and_each_failure_is_an_error_of_its_row(engine: Engine) -> None:
    file = ImportFile(TABLE.encode(), "kunden.csv")
    guess = engine.imports.heading(file).guess
    assert guess is not None
    assert guess.mapping == {"address": "Adresse", "description": "Name"}
    good, bad = engine.imports.preview(TEST, file, guess).judged
    assert good.record is not None
    assert isinstance(good.record.geometry, Circle)
    assert abs(good.record.geometry.center.longitude - at(250, 10).longitude) < 1e-9
    assert (good.record.tag, good.record.external_id, dict(good.record.metadata)) == ("kunden", "haus", {"Etage": 2})
    assert (bad.action, [error.column for error in bad.errors]) == (RowAction.ERROR, ["address"])
    outcome = engine.imports.run(TEST, file, replace(guess, keep_good_rows=True))
    assert (outcome.report.created, outcome.report.failed) == (1, 1)


def test_addresses_that_take_long_report_progress_and_can_be_cancelled() -> None:
    reports = []

    def cancelling(done: int, total: int) -> None:
        reports.append((done, total))
        if done:
            raise Cancelled

    class Slow:
        def upserted(self, *_: object) -> object:
            time.sleep(0.25)
            return cast("Any", None)

    rows = [ParsedRow(row, replace(circle(), address="a"), ()) for row in range(2, 102)]
    with pytest.raises(Cancelled):
        ImportPlan(rows, _importing(Slow()), cancelling)
    assert len(reports) == 2
    assert 0 < reports[1][0] < 5


def test_a_geocoder_that_cannot_be_reached_is_queried_once() -> None:
    queries = []

    class Unreachable:
        def upserted(self, *_: object) -> object:
            queries.append(1)
            raise GeocodingUnavailable("no server answers")

    rows = [ParsedRow(row, replace(circle(), address="a"), ()) for row in range(2, 12)]
    plan = ImportPlan(rows, _importing(Unreachable()), no_progress)
    assert len(queries) == 1
    assert [(error.column, error.message) for error in plan.errors] == [("address", "address: no server answers")] * 10


def _importing(judge: object) -> GeofenceImport:
    class Importing(GeofenceImport):
        def warning(self, change: GeofenceChange, record: object) -> None:
            return None

    return Importing(cast("Any", judge), lambda *_: None, cast("Any", None), of_map=False)


def test_options_without_a_suggestion_map_an_address_too(engine: Engine) -> None:
    options = ImportOptions(mapping={"address": "Adresse", "description": "Name"}, fixed={"tag": "t"}, id="numbers")
    good, _ = engine.imports.preview(TEST, ImportFile(TABLE.encode(), "k.csv"), options).judged
    assert [(error.column, "has no radius" in error.message) for error in good.errors] == [("radius", True)]
