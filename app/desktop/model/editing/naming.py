"""Sensible defaults for a fence that has just been drawn."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import count

from engine.domain.geofence import Geofence, GeofenceChange

DEFAULT_TAG = "geofence"


def new_fence(fences: Iterable[Geofence], tag: str, shape: GeofenceChange) -> GeofenceChange:
    """Return the change that creates a fence of this shape, with the next free external ID of its tag.

    A description that the shape comes with stays.
    """
    taken = {fence.external_id for fence in fences if fence.tag == tag}
    number = next(n for n in count(len(taken) + 1) if f"{tag}-{n}" not in taken)
    description = shape.description or f"{tag[:1].upper()}{tag[1:]} {number}"
    return replace(shape, tag=tag, external_id=f"{tag}-{number}", description=description, enabled=True)
