"""The operations and parameters of the platform's public reference: names only, as of August 2026."""

import re
from collections.abc import Mapping
from typing import Final

_OPERATIONS: Final = """
POST /v1/track: deviceId userId latitude longitude accuracy foreground stopped description metadata deviceType
    updatedAt replayed deviceOS deviceMake deviceModel
GET /v1/context: coordinates userId
GET /v1/geocode/forward: query layers country lang
GET /v1/geocode/reverse: coordinates layers
GET /v1/geocode/ip
GET /v1/search/autocomplete: query near layers limit countryCode lang
GET /v1/search/users: near radius mode metadata[key] limit
GET /v1/search/geofences: near limit radius tags metadata[key] includeGeometry
GET /v1/search/places: chains categories iataCode chainMetadata[key] near radius limit
GET /v1/addresses/validate: city stateCode postalCode countryCode number street unit addressLabel
GET /v1/route/distance: origin destination modes units avoid geometry
GET /v1/route/matrix: origins destinations mode units avoid
POST /v1/route/match: path mode roadAttributes units geometry
GET /v1/route/directions: locations mode units avoid geometry
GET /v1/route/optimize: locations mode units geometry
GET /v1/users: limit updatedBefore updatedAfter
GET /v1/users/{id}
DELETE /v1/users/{id}
GET /v1/trips/{id}
GET /v1/trips/{externalId}
GET /v1/trips/{id}/route
GET /v1/trips/{externalId}/route
GET /v1/trips: status destinationGeofenceTag destinationGeofenceExternalId externalId userId includeLocations
    createdAfter createdBefore sortBy delayed limit
POST /v1/trips: externalId destinationGeofenceTag destinationGeofenceExternalId userId mode approachingThreshold
    scheduledArrivalAt metadata
PATCH /v1/trips/{id}/update: status mode destinationGeofenceTag destinationGeofenceExternalId approachingThreshold
    scheduledArrivalAt metadata
PATCH /v1/trips/{externalId}/update
DELETE /v1/trips/{id}
GET /v1/geofences: limit createdBefore createdAfter updatedBefore updatedAfter tag externalId metadata[key]
GET /v1/geofences/{id}
GET /v1/geofences/{tag}/{externalId}
PUT /v1/geofences/{tag}/{externalId}: description type coordinates address radius metadata userId userIds ip enabled
    disableAfter deleteAfter stopDetection mode tripApproachingThreshold dwellThreshold placeId operatingHours
PUT /v1/geofences/{id}
DELETE /v1/geofences/{id}
DELETE /v1/geofences/{tag}/{externalId}
GET /v1/geofences/{tag}/{externalId}/users
POST /v1/events: name metadata revenue userId deviceId installId createdAt duration
GET /v1/beacons: limit createdBefore createdAfter tag externalId
GET /v1/beacons/{id}
GET /v1/beacons/{tag}/{externalId}
POST /v1/beacons: description tag externalId type uuid major minor uid instance coordinates enabled metadata
PUT /v1/beacons/{id}: description type uuid major minor uid instance coordinates metadata enabled
PUT /v1/beacons/{tag}/{externalId}
DELETE /v1/beacons/{id}
DELETE /v1/beacons/{tag}/{externalId}
GET /v1/settings
PATCH /v1/settings
"""

type Operation = tuple[str, str]
"""A method and a path."""


def _parsed(text: str) -> Mapping[Operation, tuple[str, ...]]:
    found = {}
    for line in re.sub(r"\n +", " ", text).strip().splitlines():
        operation, _, parameters = line.partition(":")
        method, _, path = operation.partition(" ")
        found[method, path] = tuple(parameters.split())
    return found


REFERENCE: Final = _parsed(_OPERATIONS)
"""Parameters of the query or the body, by method and path; those in the path are not listed."""

SDK_ENDPOINTS: Final[tuple[Operation, ...]] = (
    ("POST", "/v1/track/replay"),
    ("GET", "/v1/config"),
    ("POST", "/v1/logs"),
    ("GET", "/v1/ping"),
    ("PATCH", "/v1/trips/{id}/legs/{legId}"),
    ("PUT", "/v1/trips/{id}/legs"),
    ("POST", "/v1/geofences"),
    ("GET", "/v1/geofences/{_id}/users"),
    ("GET", "/v1/events"),
    ("GET", "/v1/events/{id}"),
    ("DELETE", "/v1/events/{id}"),
    ("PUT", "/v1/events/{id}/verification"),
    ("GET", "/v1/search/beacons"),
    ("POST", "/v1/search/autocomplete/click"),
    ("POST", "/v1/sync/region"),
    ("PUT", "/v1/beacons/{tag}/{externalId}"),
    ("GET", "/maps/styles/{style}"),
    ("GET", "/maps/markers/{name}"),
)
"""Endpoints that an official SDK or the specification has, and the reference does not."""


def placed(path: str) -> str:
    """Return a path without the names of its parameters, for comparison."""
    return re.sub(r"\{[^}]*\}", "{}", path)
