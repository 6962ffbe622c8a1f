"""Set-up of a scenario: areas, settings, geofences and beacons."""

from functools import partial
from typing import Final

from app.api.wire.settings.request import settings_change
from app.api.wire.snapshot import SeedBeacon, SeedGeofence
from app.files import read_import
from app.lab.files.faults import ScenarioInvalid, Way
from app.lab.files.models import WITHOUT_HOURS_RULE, GeofenceFile
from app.lab.files.reading import Scenario
from app.lab.files.steps import StepSettings
from app.lab.running.faults import Faults
from app.lab.running.tracks import beside
from app.seeds import beacon_seed, geofence_seed
from engine.bundled import PLAN
from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.hours import HoursRule
from engine.domain.imports import RowError
from engine.domain.settings import SettingsChange
from engine.engine import Engine

_TEST: Final = Environment.TEST


def build(engine: Engine, scenario: Scenario, faults: Faults) -> None:
    """Put an empty workspace into the initial state of the scenario.

    Placeholders for faulty items are left out, since errors of the engine about them would be of no use.
    """
    body = scenario.body
    faults.gather(("areas",), lambda: _use_areas(engine, body.areas))
    if body.version == WITHOUT_HOURS_RULE:
        engine.settings.change(_TEST, SettingsChange(operating_hours_rule=HoursRule.CALENDAR))
    if body.settings is not None:
        faults.gather(("settings",), partial(_set, engine, body.settings))
    for index, item in enumerate(body.geofences):
        path: Way = ("geofences", index)
        if path in scenario.replaced:
            continue
        if isinstance(item, GeofenceFile):
            faults.gather((*path, "file"), partial(_import, engine, scenario, item.file, path))
        else:
            faults.gather(path, partial(_create, engine, item))
    for index, beacon in enumerate(body.beacons):
        if ("beacons", index) not in scenario.replaced:
            faults.gather(("beacons", index), partial(_create_beacon, engine, beacon))


def _set(engine: Engine, settings: StepSettings) -> None:
    engine.settings.change(_TEST, settings_change(settings))


def _use_areas(engine: Engine, names: list[str]) -> None:
    known = {PLAN.name, *(area.name for area in engine.areas.list())}
    if unknown := [name for name in names if name not in known]:
        there = f"a scenario can use {', '.join(sorted(known))}, which 'fencewright setup' builds"
        raise NotFound("area", f"area: unknown area {unknown[0]!r}; {there}, and no area of a workspace.")
    engine.areas.limit_to(names)
    engine.areas.refresh()


def _create(engine: Engine, body: SeedGeofence) -> None:
    engine.geofences.create(_TEST, geofence_seed(body).change)


def _create_beacon(engine: Engine, body: SeedBeacon) -> None:
    engine.beacons.create(_TEST, beacon_seed(body).change)


def _import(engine: Engine, scenario: Scenario, name: str, path: Way) -> None:
    report = engine.imports.run(_TEST, read_import(beside(scenario.file, name))).report
    if report.errors:
        way = (*path, "file")
        raise ScenarioInvalid([scenario.document.fault(way, _row_text(name, error)) for error in report.errors])


def _row_text(name: str, error: RowError) -> str:
    row = f"row {error.row}: " if error.row else ""
    return f"{name}: {row}{error.message}"
