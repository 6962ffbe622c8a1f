"""One thin module per resource of the wire."""

from app.api.operations import Resource
from app.api.v1 import config, events, geofences, search, track, users

RESOURCES: tuple[Resource, ...] = (
    *track.RESOURCES,
    *config.RESOURCES,
    *search.RESOURCES,
    *events.RESOURCES,
    *users.RESOURCES,
    *geofences.RESOURCES,
)
"""All of /v1; the most frequent first, since a request is held against them in order."""
