"""One thin module per resource of the wire."""

from app.api.operations import Resource
from app.api.v1 import (
    addresses,
    clock,
    config,
    context,
    events,
    geocode,
    geofences,
    route,
    search,
    search_addresses,
    settings,
    track,
    users,
)

RESOURCES: tuple[Resource, ...] = (
    *track.RESOURCES,
    *config.RESOURCES,
    *search.RESOURCES,
    *search_addresses.RESOURCES,
    *geocode.RESOURCES,
    *addresses.RESOURCES,
    *context.RESOURCES,
    *route.RESOURCES,
    *events.RESOURCES,
    *users.RESOURCES,
    *geofences.RESOURCES,
    *settings.RESOURCES,
    *clock.RESOURCES,
)
"""All of /v1; the most frequent first, since a request is held against them in order."""
