"""The columns of a table of events or users, read from records in their wire format."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

import orjson
from msgspec import Struct

from app.exports import RecordKind


class Cell(Enum):
    """The kinds of value that a column holds. Nested values are JSON text."""

    TEXT = "text"
    NUMBER = "number"
    INTEGER = "integer"
    FLAG = "flag"
    MOMENT = "moment"
    JSON = "json"


class Column(Struct, frozen=True):
    """A column, and the location of its values in a record."""

    name: str
    kind: Cell
    path: tuple[str | int, ...]

    def of(self, record: Mapping[str, Any]) -> Any:
        """Return the value in a record, or None if it has none."""
        value: Any = record
        for step in self.path:
            value = value.get(step) if isinstance(step, str) else value[step]
            if value is None:
                return None
        return orjson.dumps(value).decode() if self.kind is Cell.JSON else value


def _column(name: str, kind: Cell = Cell.TEXT, *path: str | int) -> Column:
    return Column(name, kind, path or (name,))


_PLACE: Final = (
    _column("latitude", Cell.NUMBER, "location", "coordinates", 1),
    _column("longitude", Cell.NUMBER, "location", "coordinates", 0),
    _column("locationAccuracy", Cell.NUMBER),
)

_EVENT: Final = (
    _column("_id"),
    _column("type"),
    _column("createdAt", Cell.MOMENT),
    _column("actualCreatedAt", Cell.MOMENT),
    _column("live", Cell.FLAG),
    _column("userId", Cell.TEXT, "user", "userId"),
    _column("deviceId", Cell.TEXT, "user", "deviceId"),
    *_PLACE,
    _column("confidence", Cell.INTEGER),
    _column("duration", Cell.NUMBER),
    _column("revenue", Cell.NUMBER),
    _column("geofenceTag", Cell.TEXT, "geofence", "tag"),
    _column("geofenceExternalId", Cell.TEXT, "geofence", "externalId"),
    _column("geofenceDescription", Cell.TEXT, "geofence", "description"),
    _column("beaconTag", Cell.TEXT, "beacon", "tag"),
    _column("beaconExternalId", Cell.TEXT, "beacon", "externalId"),
    _column("placeName", Cell.TEXT, "place", "name"),
    _column("regionType", Cell.TEXT, "region", "type"),
    _column("regionCode", Cell.TEXT, "region", "code"),
    _column("regionName", Cell.TEXT, "region", "name"),
    _column("tripExternalId", Cell.TEXT, "trip", "externalId"),
    _column("tripStatus", Cell.TEXT, "trip", "status"),
    _column("currentlyOperating", Cell.FLAG),
    _column("custom", Cell.FLAG),
    _column("replayed", Cell.FLAG),
    _column("verification", Cell.INTEGER),
    _column("metadata", Cell.JSON),
    _column("userMetadata", Cell.JSON, "user", "metadata"),
    _column("geofenceMetadata", Cell.JSON, "geofence", "metadata"),
    _column("fraud", Cell.JSON),
)

_USER: Final = (
    _column("_id"),
    _column("userId"),
    _column("deviceId"),
    _column("description"),
    _column("live", Cell.FLAG),
    _column("createdAt", Cell.MOMENT),
    _column("updatedAt", Cell.MOMENT),
    _column("actualUpdatedAt", Cell.MOMENT),
    *_PLACE,
    _column("altitude", Cell.NUMBER),
    _column("verticalAccuracy", Cell.NUMBER),
    _column("source"),
    _column("foreground", Cell.FLAG),
    _column("stopped", Cell.FLAG),
    _column("deviceType"),
    _column("deviceOS"),
    _column("deviceMake"),
    _column("deviceModel"),
    _column("ip"),
    _column("installId"),
    _column("placeName", Cell.TEXT, "place", "name"),
    _column("placeChain", Cell.JSON, "place", "chain"),
    _column("placeCategories", Cell.JSON, "place", "categories"),
    _column("countryCode", Cell.TEXT, "country", "code"),
    _column("stateCode", Cell.TEXT, "state", "code"),
    _column("dmaCode", Cell.TEXT, "dma", "code"),
    _column("postalCode", Cell.TEXT, "postalCode", "code"),
    _column("tripExternalId", Cell.TEXT, "trip", "externalId"),
    _column("metadata", Cell.JSON),
    _column("userTags", Cell.JSON),
    _column("geofences", Cell.JSON),
    _column("beacons", Cell.JSON),
    _column("segments", Cell.JSON),
    _column("topChains", Cell.JSON),
    _column("nearbyPlaceChains", Cell.JSON),
    _column("fraud", Cell.JSON),
)

COLUMNS: Final[Mapping[RecordKind, tuple[Column, ...]]] = {RecordKind.EVENTS: _EVENT, RecordKind.USERS: _USER}
