"""An event of a replay."""

from datetime import datetime

from msgspec import Struct

from engine.domain.addresses.address import Region
from engine.domain.addresses.place import Place
from engine.domain.geofence import GeofenceSummary
from engine.domain.geometry import Point
from engine.domain.tracking.fraud import Fraud
from engine.domain.tracking.updates import UserSummary


class ReplayedEvent(Struct, frozen=True):
    """An event as it was or would have been; a failed fraud check has no geofence."""

    type: str
    created_at: datetime
    user: UserSummary
    geofence: GeofenceSummary | None = None
    confidence: int | None = None
    duration_s: float | None = None
    currently_operating: bool | None = None
    fraud: Fraud | None = None
    place: Place | None = None
    region: Region | None = None
    point: Point | None = None

    @property
    def key(self) -> tuple[str, str, datetime, str | None]:
        """The identity of an event across replays."""
        about = self.geofence or self.place or self.region
        return self.user.id, self.type, self.created_at, None if about is None else about.id
