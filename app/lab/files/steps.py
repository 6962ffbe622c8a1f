"""Steps of a scenario other than the tracks. Each is a single action at its time."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from app.api.wire.common.fields import JSON_TEXT, Identifier, Text
from app.api.wire.faults.fault import FaultBody
from app.api.wire.geofence import GeofenceUpsert
from app.api.wire.settings.request import SettingsBody
from app.api.wire.snapshot import SeedGeofence
from app.api.wire.track import TrackBody
from app.api.wire.trips.fields import read_unless_empty
from app.api.wire.trips.request import DestinationBody, LegBody, TripCreateBody, TripOptionsBody, TripUpdateBody
from app.lab.files.words import Duration, GeofenceRef, LabModel, OneOf, Time
from engine.domain.tracking.trips import MAX_LEGS


class StepSettings(SettingsBody):
    """The settings to change, as `PATCH /v1/settings` takes them."""

    @model_validator(mode="before")
    @classmethod
    def _keep_one_unknown(cls, data: Any) -> Any:
        """Keep all unknown keys, so that every one of them is reported."""
        return data


class GeofenceEdit(GeofenceUpsert):
    """The fields to set on a geofence, which is identified by its tag and external ID."""

    model_config = ConfigDict(extra="forbid")

    tag: Identifier = Field()
    external_id: Identifier = Field()


class Destination(DestinationBody):
    """A destination as a trip takes it."""

    model_config = ConfigDict(extra="forbid")


class Leg(LegBody):
    """One of several destinations, in order."""

    model_config = ConfigDict(extra="forbid")

    destination: Destination


type _Goal = Annotated[Destination | None, BeforeValidator(read_unless_empty), JSON_TEXT]
type _Legs = Annotated[
    Annotated[list[Leg], Field(max_length=MAX_LEGS)] | None, BeforeValidator(read_unless_empty), JSON_TEXT
]


class NewTrip(TripCreateBody):
    """A trip as `POST /v1/trips` takes it."""

    model_config = ConfigDict(extra="forbid")

    destination: _Goal = None
    legs: _Legs = None  # type: ignore[assignment]  # a list of legs is no list of their base


class TripEdit(TripUpdateBody):
    """The fields of a trip to set, which is identified by its external ID."""

    model_config = ConfigDict(extra="forbid")

    external_id: Identifier = Field()
    destination: _Goal = None
    legs: _Legs = None  # type: ignore[assignment]  # a list of legs is no list of their base


class DeviceTrip(TripOptionsBody):
    """The trip of a device as `POST /v1/track` takes it."""

    model_config = ConfigDict(extra="forbid")

    destination: _Goal = None
    legs: _Legs = None  # type: ignore[assignment]  # a list of legs is no list of their base


class Update(TrackBody):
    """A location update as `POST /v1/track` takes it."""

    model_config = ConfigDict(extra="forbid")

    ip: Text | None = Field(None, description="The address that the request comes from.")
    trip_options: DeviceTrip | None = None


class Disconnection(LabModel):
    """Time without a connection. The device keeps fixes and sends them late, or loses them."""

    device_id: Identifier | None = Field(None, description="Else every device.")
    duration: Duration = Field(alias="for")
    fixes: Literal["replayed", "dropped"] = Field(
        "replayed", description="replayed: sent with their own times once the connection is back, as SDKs do."
    )


class FaultStep(FaultBody):
    """A fault as `POST /v1/faults` takes it. It can only hit the location updates of devices."""

    model_config = ConfigDict(extra="forbid")

    fixes: Literal["replayed", "dropped"] = Field(
        "replayed", description="replayed: the device sends what failed with its next update that is answered."
    )


class Step(OneOf):
    """A single step."""

    ways = (
        *("wait", "waitUntil", "moveClock", "settings", "createGeofence", "editGeofence", "deleteGeofence"),
        *("startTrip", "updateTrip", "completeTrip", "cancelTrip", "track", "disconnect", "fault", "clearFaults"),
    )

    wait: Duration | None = Field(None, description="Time in which the devices go on.")
    wait_until: Time | None = Field(None, description="The same, up to a time since the start, or of the clock.")
    move_clock: Duration | None = Field(
        None,
        description="Time that passes at once and without fixes: what is left of every track comes that much later.",
    )
    settings: StepSettings | None = None
    create_geofence: SeedGeofence | None = None
    edit_geofence: GeofenceEdit | None = None
    delete_geofence: GeofenceRef | None = None
    start_trip: NewTrip | None = None
    update_trip: TripEdit | None = None
    complete_trip: Identifier | None = Field(None, description="Its external ID.")
    cancel_trip: Identifier | None = Field(None, description="Its external ID.")
    track: Update | None = None
    disconnect: Disconnection | None = None
    fault: FaultStep | None = None
    clear_faults: Literal[True] | None = Field(None, description="true removes every fault.")
