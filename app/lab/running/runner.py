"""A scenario from its start to its end.

The engine is one of its own with an empty workspace, and its clock stands still unless the scenario moves it: to each
fix in the order of their times, and by each step.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from typing import Final

from app.lab.files.faults import ScenarioInvalid, Way
from app.lab.files.reading import Scenario
from app.lab.files.words import GeofenceKey
from app.lab.running.faults import fault_of
from app.lab.running.names import check_names
from app.lab.running.recording import Happened, Run, Sent, key_of, standing_of
from app.lab.running.requests import Requests, kept
from app.lab.running.setup import build
from app.lab.running.steps import Take, take_step
from app.lab.running.tracks import device_updates
from engine.domain.clock import LATEST, ClockChange
from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError, InvalidParameter
from engine.domain.queries import EventFilter, UserFilter
from engine.domain.tracking.trips import TripQuery
from engine.domain.tracking.updates import LocationUpdate, TrackResult
from engine.engine import Engine

DEFAULT_START: Final = datetime(2026, 1, 5, 12, tzinfo=UTC)
MEMORY: Final = ":memory:"
_TEST: Final = Environment.TEST
_ZERO: Final = timedelta(0)


def run_scenario(scenario: Scenario) -> Run:
    """Run a scenario to its end; raises `ScenarioInvalid` for what only the engine can know to be wrong."""
    start = scenario.body.clock or DEFAULT_START
    with Engine.open(MEMORY, frozen_at=start) as engine:
        build(engine, scenario)
        course = _Course(engine, scenario, start)
        course.plan(device_updates(scenario, start, engine.routing))
        check_names(scenario, course.geofences)
        course.take_steps()
        return course.finish()


@dataclass(frozen=True, slots=True)
class _Late:
    """An update that is under way."""

    update: LocationUpdate


class _Course:
    """The devices and the clock of a run. Times are since the start."""

    def __init__(self, engine: Engine, scenario: Scenario, start: datetime) -> None:
        self._engine = engine
        self._scenario = scenario
        self._run = Run(scenario, start, engine.settings.get(_TEST))
        self._now = _ZERO
        self._shift = _ZERO
        """How much later than planned the rest of all tracks is."""
        self._due: list[tuple[timedelta, int, int, LocationUpdate | str | _Late]] = []
        """Fixes, also those under way, and the devices whose connection comes back, by their time before the shift."""
        self._number = 0
        self._offline: dict[str, tuple[timedelta, bool]] = {}
        """Until when, and whether the fixes are kept."""
        self._held: dict[str, list[LocationUpdate]] = {}
        self._requests = Requests(lambda: self._run.start + self._now, self._track, self._track_later, self._lose)
        self._of_event: dict[str, Sent] = {}
        self._devices = [device.device_id for device in scenario.body.devices]
        self._note_geofences()

    @property
    def geofences(self) -> frozenset[GeofenceKey]:
        """Those that there were until now."""
        return frozenset(self._run.geofences)

    # The plan

    def plan(self, updates: list[tuple[LocationUpdate, ...]]) -> None:
        """Take what the devices will send."""
        for device, each in enumerate(updates):
            for update in each:
                assert update.at is not None
                self._push(update.at - self._run.start, device + 1, update)

    def _push(self, at: timedelta, order: int, what: "LocationUpdate | str | _Late") -> None:
        self._number += 1
        heappush(self._due, (at - self._shift, order, self._number, what))

    # Steps

    def take_steps(self) -> None:
        """Do what the scenario says, one step after the other."""
        take = Take(
            self._engine,
            self._run.start,
            self._wait_until,
            self._send,
            self._move_clock,
            self._disconnect,
            self._requests,
        )
        for index, step in enumerate(self._scenario.body.steps):
            path: Way = ("steps", index)
            try:
                take_step(take, step, self._now)
            except ScenarioInvalid:
                raise
            except FencewrightError as error:
                name = next((name for name in step.ways if (*path, name) in self._scenario.document.values), "")
                raise fault_of(self._scenario.document, (*path, name), error) from None
            self._note_geofences()
            self._note_users()

    def finish(self) -> Run:
        """Let all tracks go on to their end and return what happened."""
        try:
            while self._due:
                self._wait_until(self._due[0][0] + self._shift)
        except InvalidParameter as error:
            raise fault_of(self._scenario.document, ("devices",), error) from None
        self._note_users()
        run = self._run
        run.end, run.expired = self._now, self._expired()
        run.trips = {
            trip.external_id: trip.status for trip in reversed(self._engine.trips.page(_TEST, TripQuery()).items)
        }
        run.happened = [
            Happened(event.created_at - run.start, event, self._of_event.get(event.id))
            for batch in self._engine.history.all(_TEST, EventFilter())
            for event in batch
        ]
        return run

    # Time

    def _wait_until(self, until: timedelta) -> None:
        """Let time pass and send what is due meanwhile."""
        while self._due and self._due[0][0] + self._shift <= until:
            at, _, _, what = heappop(self._due)
            self._set_clock(max(at + self._shift, self._now))
            if isinstance(what, str):
                self._reconnect(what)
            elif isinstance(what, _Late):
                self._track(what.update)
            else:
                assert what.at is not None
                self._send(what if not self._shift else _later(what, self._shift))
        self._set_clock(until)

    def _move_clock(self, by: timedelta) -> None:
        self._shift += by
        self._set_clock(self._now + by)

    def _set_clock(self, to: timedelta) -> None:
        if to > LATEST - self._run.start:
            raise InvalidParameter("clock", f"clock: must not go beyond the year {LATEST:%Y}.")
        if to != self._now:
            self._engine.set_clock(ClockChange(now=self._run.start + to, frozen=True))
        self._now = to

    # The connection

    def _disconnect(self, device_id: str | None, lasts: timedelta, is_kept: bool) -> None:
        for device in dict.fromkeys(self._devices) if device_id is None else (device_id,):
            until = self._now + lasts
            self._offline[device] = (until, is_kept)
            self._push(until, 0, device)

    def _reconnect(self, device: str) -> None:
        until, _ = self._offline.get(device, (None, False))
        if until is None or until > self._now:  # another disconnection has begun meanwhile
            return
        del self._offline[device]
        for update in self._held.pop(device, []):
            self._track(update)

    def _send(self, update: LocationUpdate) -> TrackResult | None:
        """Send an update, or keep or lose it where there is no connection, or a fault."""
        if (offline := self._offline.get(update.device_id)) is None:
            return self._requests.send(update)
        if offline[1]:
            self._held.setdefault(update.device_id, []).append(kept(update, self._run.start + self._now))
        else:
            self._lose()
        return None

    def _track_later(self, by: timedelta, update: LocationUpdate) -> None:
        self._push(self._now + by, 0, _Late(update))

    def _lose(self) -> None:
        self._run.dropped += 1

    def _track(self, update: LocationUpdate) -> TrackResult:
        result = self._engine.tracking.track(_TEST, update)
        user, start = result.user, self._run.start
        if user.trip is not None:
            self._engine.trips.settle()
        sent = Sent(
            user.fix.at - start,
            user.device_id,
            user.user_id,
            user.fix.accuracy_m,
            result.explanations or (),
            result.place_reason,
            user.fraud,
        )
        self._run.sent.append(sent)
        self._run.standings.append(standing_of(user, self._now))
        for event in result.events:
            self._of_event[event.id] = sent
        return result

    # What there is

    def _note_geofences(self) -> None:
        for geofence in self._engine.geofences.all(_TEST):
            self._run.geofences[key_of(geofence)] = geofence

    def _expired(self) -> int:
        """Return how many geofences were deleted because their time had come."""
        there, now = {key_of(geofence) for geofence in self._engine.geofences.all(_TEST)}, self._run.start + self._now
        gone = (geofence for key, geofence in self._run.geofences.items() if key not in there)
        return sum(each.rules.delete_after is not None and each.rules.delete_after < now for each in gone)

    def _note_users(self) -> None:
        """Note where everybody is: an edit, or time alone, ends stays and trips without a location update."""
        for batch in self._engine.users.all(_TEST, UserFilter()):
            self._run.standings += [standing_of(user, self._now) for user in batch]


def _later(update: LocationUpdate, by: timedelta) -> LocationUpdate:
    assert update.at is not None
    return replace(update, at=update.at + by)
