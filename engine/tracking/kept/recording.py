"""The kept updates of a device as a track."""

from engine.domain.environment import Environment
from engine.domain.tracking.explaining import KeptUpdate
from engine.domain.tracking.tracks import RecordedQuery, Track, TrackPoint
from engine.store.updates import updates_of_devices
from engine.store.writer import Connection
from engine.tracking.kept.missing import nothing_kept


def recorded_track(connection: Connection, environment: Environment, query: RecordedQuery) -> Track:
    """Return where a device was, in the order of the times; raises `NotFound` ``device`` where nothing is kept."""
    whose, times = (query.device_id,), {"after": query.after, "before": query.before}
    updates = list(updates_of_devices(connection, environment, whose, user_id=query.user_id, **times))
    if not updates:
        raise nothing_kept(connection, environment, whose, query.user_id, query.after, query.before)
    # What was tracked offline comes later than what it lies before.
    ordered = sorted(updates, key=lambda update: update.fix.at)
    return Track(query.device_id, tuple(map(_point, ordered)))


def _point(update: KeptUpdate) -> TrackPoint:
    fix = update.fix
    return TrackPoint(fix.point, fix.at, fix.accuracy_m, fix.foreground, fix.stopped)
