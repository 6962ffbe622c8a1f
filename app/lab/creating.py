"""Scenarios from a recorded track and the settings and geofences of a workspace."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
from msgspec import Struct

from app.api.wire.snapshot import VERSION
from app.lab.files.models import DEFAULT_ACCURACY_M, DEFAULT_START, MAX_GEOFENCES
from app.lab.running.runner import MEMORY
from app.lab.saving import save_scenario
from app.recordings import Recording, Saved
from app.seeds import decode_seed
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import Track
from engine.domain.values import replace
from engine.engine import Engine
from engine.simulation.timing import ScheduledFix, location_updates, recorded_start, timed_points

_TEST = Environment.TEST


class Played(Struct, frozen=True):
    """How a track is played: the device, the accuracy of every fix, and the speed at which it moves.

    Without an accuracy each fix has its own, and without a speed the track has its own times.
    """

    device_id: str
    accuracy_m: float | None = None
    speed_kmh: float | None = None


def create_scenario(file: Path, track: Track, played: Played, set_up: dict[str, Any]) -> Saved:
    """Write a scenario that plays a track under settings and geofences, and expects the events of this run.

    `set_up` has ``settings`` and ``geofences`` as in a seed. The track keeps its own times. Raises `InvalidParameter`.
    """
    if len(set_up["geofences"]) > MAX_GEOFENCES:
        limit, number = f"{MAX_GEOFENCES:,}", f"{len(set_up['geofences']):,}"
        raise InvalidParameter("geofences", f"geofences: a scenario holds at most {limit}, not {number}.")
    start = recorded_start(track) or DEFAULT_START
    fixes = timed_points(track, now=start, assume_speed_kmh=played.speed_kmh)
    if not fixes:
        raise InvalidParameter("track", f"track: {track.name} has no positions.")
    seed = {"version": VERSION, "settings": {_TEST.value: set_up["settings"]}, "geofences": set_up["geofences"]}
    with Engine.open(MEMORY, frozen_at=fixes[0].at) as engine:
        engine.seeding.load(decode_seed(orjson.dumps(seed)))
        before = engine.geofences.all(_TEST)  # some may expire while the track is played
        _play(engine, fixes, played)
        recording = Recording(track.name, fixes, played.device_id, played.accuracy_m, played=len(fixes))
        return save_scenario(engine, file, _TEST, recording, before)


def _play(engine: Engine, fixes: Sequence[ScheduledFix], played: Played) -> None:
    """Send the fixes, each at its time by the clock, as the run of a scenario does."""
    accurate = [replace(fix, accuracy_m=fix.accuracy_m or DEFAULT_ACCURACY_M) for fix in fixes]
    for update in location_updates(accurate, device_id=played.device_id, accuracy_m=played.accuracy_m):
        engine.set_clock(ClockChange(now=update.at, frozen=True))
        engine.tracking.track(_TEST, update)
