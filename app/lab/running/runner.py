"""A scenario from start to end.

The engine is a separate one with an empty workspace. Its clock stands still unless the scenario moves it: to each fix
in chronological order, and by each step.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from datetime import datetime, timedelta
from functools import partial
from heapq import heappop, heappush
from typing import Final

from msgspec import Struct

from app.api.wire.webhook import WirePayloads
from app.lab.files.faults import Fault, Way
from app.lab.files.models import MAX_STEPS
from app.lab.files.reading import Scenario
from app.lab.files.words import GeofenceKey, spell_duration
from app.lab.running.data import data_of, lacking_data
from app.lab.running.deliveries import Webhooks
from app.lab.running.faults import Faults
from app.lab.running.names import unknown_names
from app.lab.running.recording import (
    Happened,
    Occasion,
    Period,
    Run,
    Sent,
    Standing,
    destinations_of,
    key_of,
    standing_of,
)
from app.lab.running.requests import Requests, kept
from app.lab.running.setup import build
from app.lab.running.steps import Subject, Take, needs_of, subject_of, take_step
from app.lab.running.tracks import device_updates
from engine.domain.clock import LATEST, ClockChange
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.queries import EventFilter, UserFilter
from engine.domain.tracking.trips import TripQuery
from engine.domain.tracking.updates import LocationUpdate, TrackResult, User
from engine.domain.values import replace
from engine.engine import Engine

MEMORY: Final = ":memory:"
_TEST: Final = Environment.TEST
_ZERO: Final = timedelta(0)

type Work = Callable[[], object]


def run_scenario(scenario: Scenario) -> Run:
    """Run a scenario to its end. Raises `ScenarioInvalid` with all faults, including those found only by the engine."""
    start, faults = scenario.body.start, Faults(scenario.document, scenario.faults)
    payloads = WirePayloads if scenario.body.webhooks else None
    with ExitStack() as stack:
        engine = stack.enter_context(Engine.open(MEMORY, frozen_at=start, payloads=payloads))
        build(engine, scenario, faults)
        webhooks = stack.enter_context(Webhooks(engine, scenario.body.webhooks))
        course = _Course(engine, scenario, webhooks)
        updates = device_updates(scenario, start, engine.routing, faults, course.run.left_out)
        faults.add(unknown_names(scenario, course.geofences))
        if not faults.found:
            course.plan(updates)
        course.take_steps(faults)
        faults.add(lacking_data(engine, scenario))
        faults.raise_any()
        course.finish(faults)
        faults.add(times_after_the_end(course.run))
        faults.raise_any()
        return course.run


class _Course:
    """The devices and the clock of a run. Times are relative to the start."""

    def __init__(self, engine: Engine, scenario: Scenario, webhooks: Webhooks) -> None:
        start = scenario.body.start
        self._engine, self._webhooks = engine, webhooks
        self._scenario = scenario
        self.run = Run(scenario, start, engine.settings.get(_TEST))
        self._now = _ZERO
        self._agenda = Agenda(start, self._send)
        self._offline: dict[str, tuple[timedelta, bool]] = {}
        """End of each device's disconnection, and whether its fixes are kept."""
        self._held: dict[str, list[LocationUpdate]] = {}
        self._requests = Requests(lambda: start + self._now, self._track, self._track_later, self._lose)
        self._of_event: dict[str, Sent] = {}
        self._last: dict[str, Standing] = {}
        self._devices = [device.device_id for device in scenario.body.devices]
        self._note_set_up()

    @property
    def geofences(self) -> frozenset[GeofenceKey]:
        """All geofences that have existed so far."""
        return frozenset(self.run.geofences)

    def plan(self, updates: list[tuple[LocationUpdate, ...]]) -> None:
        """Schedule the updates of the devices."""
        for order, each in enumerate(updates, 1):
            self._agenda.plan(order, each)

    def take_steps(self, faults: Faults) -> None:
        """Take the steps of the scenario in order. Faults that follow from another one are not reported."""
        take = Take(
            self._engine,
            self.run.start,
            self._wait_until,
            self._send,
            self._move_clock,
            self._disconnect,
            self._requests,
        )
        refused: set[Subject] = set()
        doubtful = self._scenario.texts - {""}
        for index, step in enumerate(self._scenario.body.steps):
            path: Way = ("steps", index)
            name = next((name for name in step.ways if (*path, name) in self._scenario.document.values), "")
            silent, subject = Faults(self._scenario.document), subject_of(step)
            follows = any(each in refused or each.name in doubtful for each in needs_of(step))
            reported = silent if follows else faults
            if not reported.gather((*path, name), lambda step=step: take_step(take, step, self._now)):  # type: ignore[misc]
                refused |= {subject} if subject else set()
            self._note_set_up()
            self._note_users()
            self._settle()

    def finish(self, faults: Faults) -> None:
        """Let all tracks finish, and record the results."""
        if not faults.gather(("devices",), self._wait_for_all):
            return
        self._note_users()
        run = self.run
        run.end, run.expired = self._now, self._expired()
        run.unanswered = self._requests.unanswered
        # Each step starts at most one trip, so that there are no more trips than steps.
        trips = self._engine.trips.page(_TEST, TripQuery(limit=MAX_STEPS)).items
        run.trips = {trip.external_id: trip.status for trip in reversed(trips)}
        run.destinations = [end for trip in trips for end in destinations_of(trip)]
        run.data = data_of(self._engine, self._scenario.body)
        run.happened = [
            Happened(event.created_at - run.start, event, self._of_event.get(event.id))
            for batch in self._engine.history.all(_TEST, EventFilter())
            for event in batch
        ]
        events = {happened.event.id: happened.event for happened in run.happened}
        run.deliveries = list(self._webhooks.delivered(events, run.start))

    # Time

    def _wait_until(self, until: timedelta) -> None:
        """Let time pass and send everything that is due."""
        self._pass(lambda: self._agenda.next(until))
        self._set_clock(until)

    def _wait_for_all(self) -> None:
        self._pass(self._agenda.next)

    def _move_clock(self, by: timedelta) -> None:
        """Let time pass without fixes. Connections are restored and updates in transit arrive in the meantime."""
        to = self._now + by
        self._agenda.postpone(by)
        self._pass(lambda: self._agenda.next(to, fixes=False))
        self._set_clock(to)

    def _pass(self, next_work: Callable[[], tuple[timedelta, Callable[[], object]] | None]) -> None:
        while (due := next_work()) is not None:
            at, work = due
            self._set_clock(max(at, self._now))
            work()

    def _set_clock(self, to: timedelta) -> None:
        if to > LATEST - self.run.start:
            raise InvalidParameter("clock", f"clock: must not go beyond the year {LATEST:%Y}.")
        if to != self._now:
            self._engine.set_clock(ClockChange(now=self.run.start + to, frozen=True))
        self._now = to
        self._settle()

    def _settle(self) -> None:
        """Deliver everything that is due by now, and schedule the next delivery."""
        self._webhooks.settle(lambda due: self._agenda.add_passing(due - self.run.start, self._settle))

    # Connection

    def _disconnect(self, device_id: str | None, lasts: timedelta, is_kept: bool) -> None:
        for device in dict.fromkeys(self._devices) if device_id is None else (device_id,):
            until = self._now + lasts
            self._offline[device] = (until, is_kept)
            self._agenda.add(until, lambda device=device: self._reconnect(device))  # type: ignore[misc]

    def _reconnect(self, device: str) -> None:
        until, _ = self._offline.get(device, (None, False))
        if until is None or until > self._now:  # another disconnection has begun in the meantime
            return
        del self._offline[device]
        for update in self._held.pop(device, []):
            self._track(update)

    def _send(self, update: LocationUpdate) -> TrackResult | None:
        """Send an update, or keep or lose it if there is no connection or a fault."""
        at = self._now if update.at is None else update.at - self.run.start
        self.run.occasions.append(Occasion(at, update.device_id, update.user_id))
        self.run.hears_beacons |= update.beacons is not None
        if (offline := self._offline.get(update.device_id)) is None:
            return self._requests.send(update)
        if offline[1]:
            self._held.setdefault(update.device_id, []).append(kept(update, self.run.start + self._now))
        else:
            self._lose()
        return None

    def _track_later(self, by: timedelta, update: LocationUpdate) -> None:
        self._agenda.add(self._now + by, lambda: self._track(update))

    def _lose(self) -> None:
        self.run.dropped += 1

    def _track(self, update: LocationUpdate) -> TrackResult:
        result = self._engine.tracking.track(_TEST, update)
        user = result.user
        self.run.unrouted += result.lacks_route
        explanations = result.explanations or ()
        sent = Sent(user.fix.at - self.run.start, user.summary, explanations, result.verdicts, user.fraud)
        self.run.sent.append(sent)
        self._note_user(user)
        for event in result.events:
            self._of_event[event.id] = sent
        self._settle()
        return result

    # State

    def _note_set_up(self) -> None:
        run, geofences = self.run, self._engine.geofences.all(_TEST)
        run.geofences |= {key_of(geofence): geofence for geofence in geofences}
        now = run.start + self._now
        living = (each for each in geofences if each.enabled and (each.expires_at is None or each.expires_at >= now))
        period = Period(self._engine.settings.get(_TEST), tuple(living))
        if not run.periods or run.periods[-1] != period:
            run.periods.append(period)

    def _expired(self) -> int:
        """Return how many geofences were deleted because they expired."""
        there, now = {key_of(geofence) for geofence in self._engine.geofences.all(_TEST)}, self.run.start + self._now
        deleted = (geofence for key, geofence in self.run.geofences.items() if key not in there)
        return sum(each.rules.delete_after is not None and each.rules.delete_after < now for each in deleted)

    def _note_users(self) -> None:
        """Record the state of all users. Edits and time also end stays and trips without a location update."""
        for batch in self._engine.users.all(_TEST, UserFilter()):
            for user in batch:
                self._note_user(user)

    def _note_user(self, user: User) -> None:
        standing, last = standing_of(user, self._now), self._last.get(user.id)
        if last is None or standing.differs_from(last):
            self._last[user.id] = standing
            self.run.standings.append(standing)


def times_after_the_end(run: Run) -> list[Fault]:
    """Return faults for times after the end of a run, which are never checked.

    An event that is expected then is missing, and its failure says so.
    """
    message = f"is after the end of the scenario at {spell_duration(run.end)}; a wait as its last step makes it longer."
    return [
        run.scenario.document.fault(way, message)
        for way, time in _times(run)
        if time is not None and run.since_start(time) > run.end
    ]


def _times(run: Run) -> Iterator[tuple[Way, datetime | timedelta | None]]:
    expect = run.scenario.body.expect
    for index, pattern in enumerate(expect.none):
        yield ("expect", "none", index, "after"), pattern.after
        yield ("expect", "none", index, "before"), pattern.before
    for index, user in enumerate(expect.users):
        yield ("expect", "users", index, "at"), user.at
        yield ("expect", "users", index, "within"), user.within


class _Key(Struct, frozen=True, order=True):
    """Order of entries at the same time: clock work before fixes, and fixes in the order of the file."""

    at: timedelta
    order: int
    number: int


class Agenda:
    """Agenda of a run: the fixes of all tracks, and work scheduled by the clock.

    Times are relative to the start. Fixes are sent as planned, delayed by the time that the clock has jumped since.

    A connection is restored, and an update in transit arrives, at its time of the clock, however the clock was moved.
    """

    def __init__(self, start: datetime, send: Callable[[LocationUpdate], object]) -> None:
        self._start, self._send = start, send
        self._fixes: list[tuple[_Key, LocationUpdate]] = []
        self._clock: list[tuple[_Key, Work]] = []
        self._number = 0
        self._lasting = 0
        self._shift = timedelta(0)

    def plan(self, order: int, fixes: Iterable[LocationUpdate]) -> None:
        """Add the fixes of a device."""
        for fix in fixes:
            assert fix.at is not None
            heappush(self._fixes, (self._key(fix.at - self._start, order), fix))

    def add(self, at: timedelta, work: Work) -> None:
        """Schedule work for a time of the clock, and keep the run going until then."""
        self._lasting += 1
        self.add_passing(at, partial(self._last, work))

    def add_passing(self, at: timedelta, work: Work) -> None:
        """Schedule work that is done only if the scenario lasts until then."""
        heappush(self._clock, (self._key(at, 0), work))

    def postpone(self, by: timedelta) -> None:
        """Delay all remaining fixes."""
        self._shift += by

    def next(self, until: timedelta | None = None, *, fixes: bool = True) -> tuple[timedelta, Work] | None:
        """Remove and return the next entry up to a time with its time, or None if the agenda has no such entry."""
        if until is None and not self._fixes and not self._lasting:
            return None
        fix = self._fixes[0][0].at + self._shift if self._fixes and fixes else None
        other = self._clock[0][0].at if self._clock else None
        at = min((each for each in (fix, other) if each is not None), default=None)
        if at is None or (until is not None and at > until):
            return None
        if at == other:
            return at, heappop(self._clock)[1]
        update = heappop(self._fixes)[1]
        assert update.at is not None
        shifted = replace(update, at=update.at + self._shift) if self._shift else update
        return at, lambda: self._send(shifted)

    def _last(self, work: Work) -> None:
        self._lasting -= 1
        work()

    def _key(self, at: timedelta, order: int) -> _Key:
        self._number += 1
        return _Key(at, order, self._number)
