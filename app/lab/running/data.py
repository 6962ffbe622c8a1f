"""The map data that a scenario finds on this machine, which differs between machines."""

from collections.abc import Iterator
from typing import Final

from app.lab.files.faults import Fault, Way
from app.lab.files.idle import kinds_of
from app.lab.files.models import ScenarioBody
from app.lab.files.reading import Scenario
from app.lab.files.steps import StepSettings
from app.lab.running.recording import Data
from engine.bundled import PLAN
from engine.domain.addresses.address import RegionType
from engine.engine import Engine
from engine.tracking.regions import ENTERED, EXITED

SETUP: Final = "run 'fencewright setup'"
_NO_PLACES: Final = (
    f"no area in use has places; name one in areas, such as [{PLAN.name}], which 'fencewright setup' builds."
)


def data_of(engine: Engine, body: ScenarioBody) -> Data:
    """Return the available data, and the forbidden events in the file that name an unknown place or region."""
    has_places = any(area.gazetteer is not None for area in engine.areas.in_use())
    data = Data(engine.geocoding.has_world, has_places)
    return Data(data.has_world, data.has_places, frozenset(_unknown(engine, body, data)))


def lacking_data(engine: Engine, scenario: Scenario) -> list[Fault]:
    """Return the faults of a scenario whose events would depend on data that this computer lacks.

    These are settings that enable regions without world data, and expectations of places without an area that has any.
    """
    body = scenario.body
    settings: list[tuple[Way, StepSettings | None]] = [(("settings",), body.settings)]
    settings += [(("steps", index, "settings"), step.settings) for index, step in enumerate(body.steps)]
    changes = [(way, change) for way, change in settings if change is not None]
    faults: list[tuple[Way, str]] = []
    if not engine.geocoding.has_world:
        message = f"there is no world data on this computer, so no region is known; {SETUP}."
        faults += [((*way, "regions"), message) for way, change in changes if change.regions]
    has_places = any(area.gazetteer is not None for area in engine.areas.in_use())
    if not has_places and any(change.places for _, change in changes):
        faults += [(way, _NO_PLACES) for way in _expected_places(body)]
    return [scenario.document.fault(way, message) for way, message in faults]


def _expected_places(body: ScenarioBody) -> Iterator[Way]:
    """Yield each expectation that can only be met with the places of an area."""
    for index, pattern in enumerate(body.expect.events or ()):
        if pattern.place is not None or (pattern.type is not None and "place" in pattern.type):
            yield ("expect", "events", index)
    for index, user in enumerate(body.expect.users or ()):
        if user.place:
            yield ("expect", "users", index, "place")


def _unknown(engine: Engine, body: ScenarioBody, data: Data) -> Iterator[Way]:
    for index, pattern in enumerate(body.expect.none):
        way: Way = ("expect", "none", index)
        if pattern.place is not None and data.has_places and not engine.geocoding.places.knows(pattern.place):
            yield (*way, "place")
        if pattern.region is not None and data.has_world:
            kinds = kinds_of(pattern)
            types = [kind for kind in RegionType if {ENTERED[kind], EXITED[kind]} & kinds]
            if not engine.geocoding.regions.knows(pattern.region, types):
                yield (*way, "region")
