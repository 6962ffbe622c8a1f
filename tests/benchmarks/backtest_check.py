"""The events of a back-test beside those of a plain loop of `step`, for millions of fixes."""

import sys
import time
from collections.abc import Iterator, Sequence
from datetime import datetime

import numpy as np
import pyarrow as pa

from engine.backtest.deciding import Decider
from engine.backtest.fences import FenceSet, Versions, microseconds, moment_of
from engine.backtest.fixes import NO_TIME, Fixes, fixes_of
from engine.backtest.tallies import EventLog, Tallies
from engine.domain.geofence import Geofence
from engine.domain.geometry import Point
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.updates import Fix, Subject
from engine.domain.values import replace
from engine.geo.index import Entry, SpatialIndex
from engine.geo.shapes import shape_of
from engine.simulation.formats.reading import read_track
from engine.tracking.arrival import accepted_time, newest_after, newest_time, timing_of
from engine.tracking.step import EVENTS, Presences, candidates, stay_s, step
from tests.benchmarks.backtest_histories import (
    ALL_RULES,
    PER_DEVICE,
    STEP_M,
    Tracks,
    far_tracks,
    fences_of,
    near_tracks,
    rows_of,
)
from tests.shared import SharedData

type Row = tuple[str, str, int, str, int, float | None]
"""Device, type, time, external ID, confidence, and minutes of an event."""

BATCH = 200_000
RECORDED = ("mojstrovka.gpx", "cerknicko-jezero.gpx", "korita-zbevnica.gpx")

SETTINGS = {
    "none": ProjectSettings(),
    "all": ALL_RULES,
    "stops": replace(ALL_RULES, stop_detection=True, buffer_entries=False, minimum_confidence=1),
    "buffers": replace(ALL_RULES, minimum_confidence=3, default_dwell_threshold_s=None),
}


class Known:
    """The state of a device in the plain loop."""

    def __init__(self) -> None:
        self.presences: Presences = {}
        self.in_order: Presences | None = None
        self.updated_at: datetime = moment_of(0)
        self.newest_at: datetime | None = None
        self.is_known = False
        self.seen: set[tuple[object, ...]] = set()


def plain_events(fixes: Fixes, geofences: Sequence[Geofence], settings: ProjectSettings) -> Iterator[Row]:
    """Yield the events of fixes, each of which is decided."""
    index = SpatialIndex([Entry.of(each.id, each, shape_of(each.geometry)) for each in geofences])
    users: dict[int, Known] = {}
    names = ("device", "at_us", "arrived_us", "longitude", "latitude", "accuracy_m", "stopped", "foreground")
    for device, at_us, arrived_us, *values in zip(*(getattr(fixes, name).tolist() for name in names), strict=True):
        user = users.setdefault(device, Known())
        now, taken_at = moment_of(arrived_us), None if at_us == NO_TIME else moment_of(at_us)
        mark = at_us, *values[:3]
        newest = newest_time(user if user.is_known else None, now)
        if taken_at is not None and mark in user.seen and (newest is None or taken_at <= newest):
            continue
        user.seen.add(mark)
        yield from _decided(user, fixes.devices[device], taken_at, now, values, index, settings)


def _decided(
    user: Known,
    device: str,
    taken_at: datetime | None,
    now: datetime,
    values: Sequence[float],
    index: SpatialIndex[Geofence],
    settings: ProjectSettings,
) -> Iterator[Row]:
    longitude, latitude, accuracy_m, stopped, foreground = values
    before = user if user.is_known else None
    at, late_after = accepted_time(taken_at, before, now)
    fix = Fix(Point(longitude, latitude), accuracy_m, at, bool(foreground), bool(stopped), late_after=late_after)
    inside = user.presences if user.in_order is None else {**user.in_order, **user.presences}
    fences = candidates(index, fix, inside, settings)
    subject = Subject(None, None)
    taken = step(user.presences, subject, fix, fences, settings, now, explain=False, in_order=user.in_order)
    for decision in taken.fired:
        kind = EVENTS[decision.outcome].value
        stay = stay_s(taken.before.get(decision.fence.item.id), fix) if "exited" in kind else None
        minutes = None if stay is None else stay / 60
        yield device, kind, microseconds(at), decision.fence.item.external_id, decision.confidence, minutes
    user.newest_at = newest_after(fix, timing_of(fix, now), before, now)
    user.presences, user.updated_at, user.is_known = taken.presences, at, True
    user.in_order = None if taken.in_order is None else dict(taken.in_order)


def decided_events(fixes: Fixes, versions: Versions, settings: ProjectSettings) -> list[Row]:
    """Return the events of a back-test."""
    log = EventLog()
    decider = Decider(versions, {0: settings}, log, Tallies())
    for _ in decider.run(fixes):
        pass
    decider.finish()
    table = log.take()
    table = table.set_column(3, "createdAt", table["createdAt"].cast(pa.int64()))
    names = ("deviceId", "type", "createdAt", "externalId", "confidence", "duration")
    return list(zip(*(table[name].to_pylist() for name in names), strict=True))


def check(fixes: int) -> None:
    """Compare the events of a number of fixes, and exit with an error if there is any difference."""
    fences = fences_of(10_000, ruled=True)
    versions = Versions(FenceSet(name="", geofences=fences.geofences))
    devices, done, events, seed = BATCH // PER_DEVICE, 0, 0, 0
    begun = time.perf_counter()
    while done < fixes:
        seed += 1
        for tracks in (
            near_tracks(fences, devices // 2, PER_DEVICE, seed),
            far_tracks(devices // 4, PER_DEVICE, STEP_M, seed),
            _recorded(devices // 4, seed, fences.longitudes, fences.latitudes),
        ):
            name = list(SETTINGS)[seed % len(SETTINGS)]
            given = fixes_of(rows_of(tracks, seed, late=seed % 2 == 0))
            expected = list(plain_events(given, fences.geofences, SETTINGS[name]))
            if decided_events(given, versions, SETTINGS[name]) != expected:
                sys.exit(f"the events differ with the rules {name!r} and the seed {seed}")
            done, events = done + len(given), events + len(expected)
        print(f"{done:12,} fixes, {events:10,} events, {time.perf_counter() - begun:7.0f} s: no difference", flush=True)


def _recorded(devices: int, seed: int, longitudes: np.ndarray, latitudes: np.ndarray) -> Tracks:
    """Return recorded tracks, repeated with noise and moved so that each passes by a geofence, or synthetic ones."""
    files = [file for name in RECORDED if (file := SharedData().find_track(name)) is not None]
    if not files:
        return far_tracks(devices, PER_DEVICE, STEP_M, seed + 1_000_000)
    rng = np.random.default_rng(seed)
    found = []
    for number in range(devices):
        points = read_track(files[number % len(files)]).points
        track = np.array([(each.point.longitude, each.point.latitude) for each in points])
        place = np.arange(PER_DEVICE) % len(track)
        chosen, through = rng.integers(0, len(longitudes)), rng.integers(0, len(track))
        moved = track[place] - track[through] + (longitudes[chosen], latitudes[chosen])
        found.append(moved + rng.normal(0, 3e-5, moved.shape))
    stacked = np.stack(found)
    return Tracks(stacked[..., 0], stacked[..., 1])
