"""One thin module per resource of the wire."""

from typing import Final

from app.api.v1 import (
    beacons,
    clock,
    config,
    context,
    events,
    faults,
    geofences,
    imports,
    maps,
    reset,
    route,
    search,
    settings,
    sync,
    track,
    trips,
    users,
    webhooks,
)
from app.api.v1.geocoding import addresses, geocode, search_addresses
from app.api.v1.integrations import nightly_sync
from app.api.v1.operations import Resource
from app.api.v1.request_log import handlers as request_log
from app.faults.served import Served

RESOURCES: tuple[Resource, ...] = (
    *track.RESOURCES,
    *config.RESOURCES,
    *sync.RESOURCES,
    *search.RESOURCES,
    *search_addresses.RESOURCES,
    *geocode.RESOURCES,
    *addresses.RESOURCES,
    *context.RESOURCES,
    *route.RESOURCES,
    *events.RESOURCES,
    *users.RESOURCES,
    *trips.RESOURCES,
    *geofences.RESOURCES,
    # Before /v1/imports/{id}.
    *nightly_sync.RESOURCES,
    *imports.RESOURCES,
    *beacons.RESOURCES,
    *settings.RESOURCES,
    *clock.RESOURCES,
    *request_log.RESOURCES,
    *faults.RESOURCES,
    *webhooks.RESOURCES,
    *reset.RESOURCES,
    *maps.RESOURCES,
)
"""All of /v1, and /maps; the most frequent first, since a request is held against them in order."""

HITTABLE: Final = tuple(
    Served(method, resource.path, operation.level)
    for resource in RESOURCES
    for method, operation in resource.operations.items()
    if operation.rehearsed
)
"""Operations that injected faults may hit: all but those that a test needs to go on."""
