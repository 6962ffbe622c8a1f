"""Every field of a geofence, beacon, trip, user and of the settings is in every place that has such records.

The places of the window are in tests/desktop/test_fields.py. Fields not meant for a place are listed in
tests/fields/reasons.py, with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest

from engine.domain.geofence import GeofenceChange
from engine.domain.settings import SettingsChange
from engine.domain.tracking.beacon import BeaconChange
from engine.domain.tracking.trips import Destination, DestinationChange, LegChange, Trip, TripChange, TripLeg
from engine.domain.tracking.updates import LocationUpdate
from tests.fields import beacons, geofences, settings, trips, users
from tests.fields.examples import EXAMPLES, Part, example, other
from tests.fields.places import Place, names_of
from tests.fields.requests import example_of

PLACES: Final = (*geofences.PLACES, *beacons.PLACES, *settings.PLACES, *trips.PLACES, *users.PLACES)
CHANGES: Final[Mapping[type, tuple[type, ...]]] = {
    GeofenceChange: geofences.RECORDS,
    BeaconChange: beacons.RECORDS,
    SettingsChange: settings.RECORDS,
    TripChange: (Trip,),
    LegChange: (TripLeg,),
    DestinationChange: (Destination,),
    LocationUpdate: (),
}
RECORDS: Final = tuple(record for record in EXAMPLES if record not in CHANGES)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_every_field_of_a_record_has_a_distinguishing_example(record: type) -> None:
    for name in names_of(record):
        value = example(record, name).value
        says_something = isinstance(value, Part) or value != other(record, name)
        assert says_something or example(record, name).fixed, f"{name}: the example says nothing."
    assert EXAMPLES[record].keys() == names_of(record)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_every_field_of_a_change_has_an_example(change: type) -> None:
    for name in names_of(change):
        example_of(change, name, CHANGES[change])


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_a_place_forgets_no_field(place: Place) -> None:
    place.check()
