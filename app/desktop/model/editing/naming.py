"""Default names for a geofence that was just drawn."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import count

from app.desktop.model.fences import NamedFence
from engine.domain.geofence import GeofenceChange
from engine.domain.values import replace

DEFAULT_TAG = "geofence"


def new_fence(fences: Iterable[NamedFence], tag: str, shape: GeofenceChange) -> GeofenceChange:
    """Return the change that creates a geofence of this shape, with the next free external ID of its tag.

    A description in the shape is kept.
    """
    return new_fences(fences, tag, (replace(shape, tag=tag, external_id=""),))[0]


def new_fences(fences: Iterable[NamedFence], tag: str, shapes: Sequence[GeofenceChange]) -> tuple[GeofenceChange, ...]:
    """Return the changes that create geofences; each keeps its tag, and its external ID if that is free."""
    taken: dict[str, set[str]] = defaultdict(set)
    for fence in fences:
        taken[fence.tag].add(fence.external_id)
    return tuple(_named(taken, shape.tag or tag, shape) for shape in shapes)


def _named(taken: dict[str, set[str]], tag: str, shape: GeofenceChange) -> GeofenceChange:
    ids = taken[tag]
    own = shape.external_id or ""
    if own and own not in ids:
        number, external_id = len(ids) + 1, own
    else:
        number = next(n for n in count(len(ids) + 1) if f"{tag}-{n}" not in ids)
        external_id = f"{tag}-{number}"
    ids.add(external_id)
    description = shape.description or f"{tag[:1].upper()}{tag[1:]} {number}"
    enabled = shape.enabled if isinstance(shape.enabled, bool) else True
    return replace(shape, tag=tag, external_id=external_id, description=description, enabled=enabled)
