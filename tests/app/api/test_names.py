"""Conversion of the engine's field names to wire names."""

import pytest
from msgspec.structs import fields
from pydantic import BaseModel

from app.api.wire.clock import ClockBody
from app.api.wire.common.encoding import on_the_wire, wire_name
from app.api.wire.geofence import GeofenceUpsert
from app.api.wire.settings.request import SettingsBody
from engine.domain.clock import ClockChange
from engine.domain.errors import Conflict, InvalidParameter, StorageUnavailable
from engine.domain.geofence import GeofenceChange
from engine.domain.settings import SettingsChange
from tests.app.api.conftest import Api, assert_refused, circle


@pytest.mark.parametrize(
    ("change", "body"),
    [(GeofenceChange, GeofenceUpsert), (SettingsChange, SettingsBody), (ClockChange, ClockBody)],
)
def test_every_field_that_can_be_refused_is_one_that_clients_send(change: type, body: type[BaseModel]) -> None:
    sent = {field.alias or name for name, field in body.model_fields.items()}
    assert {wire_name(field.name) for field in fields(change)} <= sent


def test_a_name_of_the_wire_stays_as_it_is() -> None:
    for name in (*(field.alias or "" for field in GeofenceUpsert.model_fields.values()), "_id", "tag", "2_a"):
        assert wire_name(name) == name


def test_a_name_at_a_place_in_a_file_is_spelled_like_any_other() -> None:
    assert wire_name("changes[1].geofence.size") == "changes[1].geofence.radius"
    assert wire_name("settings.live.trip_expiry_s") == "settings.live.tripExpiry"


def test_only_the_name_that_a_message_begins_with_is_converted() -> None:
    error = Conflict("external_id", "external_id: 'external_id' is taken.")
    assert on_the_wire(error) is error
    assert (error.param, error.message) == ("externalId", "externalId: 'external_id' is taken.")
    other = on_the_wire(InvalidParameter("place_id", "No area has the place_id x."))
    assert (other.param, other.message) == ("placeId", "No area has the place_id x.")
    fault = StorageUnavailable("The disk is full.")
    assert on_the_wire(fault) is fault


def test_a_client_reads_the_names_that_it_wrote(secret: Api, name: str) -> None:
    refused = secret.put(f"/v1/geofences/{name}/1", json=circle(name, radius=5))
    assert_refused(refused, "radius", "radius: the radius of a circle must be")
    refused = secret.put(f"/v1/geofences/{name}/1", json=circle(name, dwellThreshold=1e9))
    assert_refused(refused, "dwellThreshold", "dwellThreshold: must be minutes")
    refused = secret.put(f"/v1/geofences/{name}/1", json=circle(name, externalId="2"))
    assert_refused(refused, "externalId", "externalId: '2' differs from '1' in the path")
    refused = secret.patch("/v1/settings", json={"rate_limit": True})
    assert_refused(refused, "rate_limit", "rate_limit: there is no such parameter; did you mean rateLimit?")
    refused = secret.patch("/v1/settings", json={"bufferEntrys": True})
    assert_refused(refused, "bufferEntrys", "bufferEntrys: there is no such parameter; did you mean bufferEntries?")
    refused = secret.patch("/v1/settings", json={"zzz": True})
    assert refused.json()["meta"]["message"] == "zzz: there is no such parameter."
