"""The resources of the API, one thin module each."""

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
    *track.routes,
    *config.routes,
    *sync.routes,
    *search.routes,
    *search_addresses.routes,
    *geocode.routes,
    *addresses.routes,
    *context.routes,
    *route.routes,
    *events.routes,
    *users.routes,
    *trips.routes,
    *geofences.RESOURCES,
    # Must come before /v1/imports/{id}.
    *nightly_sync.routes,
    *imports.routes,
    *beacons.RESOURCES,
    *settings.routes,
    *clock.routes,
    *request_log.routes,
    *faults.routes,
    *webhooks.routes,
    *reset.routes,
    *maps.routes,
)
"""All resources of /v1 and /maps, the most frequently used first, since requests are matched in order."""

HITTABLE: Final = tuple(
    Served(method, resource.path, operation.level)
    for resource in RESOURCES
    for method, operation in resource.operations.items()
    if operation.rehearsed
)
"""Operations that injected faults may hit: all except the operations that tests depend on."""
