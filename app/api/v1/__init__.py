"""One thin module per resource of the wire."""

from app.api.operations import Resource
from app.api.v1 import clock, config, context, events, geofences, route, search, settings, track, users

RESOURCES: tuple[Resource, ...] = (
    *track.RESOURCES,
    *config.RESOURCES,
    *search.RESOURCES,
    *context.RESOURCES,
    *route.RESOURCES,
    *events.RESOURCES,
    *users.RESOURCES,
    *geofences.RESOURCES,
    *settings.RESOURCES,
    *clock.RESOURCES,
)
"""All of /v1; the most frequent first, since a request is held against them in order."""
