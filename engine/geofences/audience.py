"""For whom a geofence is."""

from engine.domain.geofence import Geofence
from engine.domain.tracking.updates import Subject


def is_for(geofence: Geofence, subject: Subject) -> bool:
    """Whether updates of a subject may make events of a geofence, which is enabled."""
    wanted, ranges = geofence.rules.user_ids, geofence.rules.ip
    if not geofence.enabled or (wanted and subject.user_id not in wanted):
        return False
    return ranges is None or (subject.ip is not None and subject.ip in ranges)
