"""The users to whom a geofence applies."""

from engine.domain.geofence import Geofence
from engine.domain.tracking.updates import Subject


def is_for(geofence: Geofence, subject: Subject) -> bool:
    """Return whether a geofence is enabled and updates of a subject may generate its events."""
    wanted, ranges = geofence.rules.user_ids, geofence.rules.ip
    if not geofence.enabled or (wanted and subject.user_id not in wanted):
        return False
    return ranges is None or (subject.ip is not None and subject.ip in ranges)
