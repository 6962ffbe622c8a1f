"""Decisions on the fixes of many devices, one after the other, with the state of each between them."""

import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

import numpy as np
from msgspec import Struct, field

from engine.backtest.arrivals import Arrivals
from engine.backtest.fences import NEVER, Flags, Numbers, Versions, microseconds, moment_of
from engine.backtest.fixes import NO_TIME, NONE, Fixes
from engine.backtest.selecting import Filter, Selection, out_of_order
from engine.backtest.tallies import EventLog, Tallies, Visits
from engine.domain.geofence import Geofence
from engine.domain.geometry import Point
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.explaining import EarlierState
from engine.domain.tracking.updates import Fix, Presence, Subject
from engine.domain.values import replace
from engine.geo.index import Entry
from engine.tracking.arrival import AHEAD, accepted_time, newest_after, newest_time, timing_of
from engine.tracking.measure import LARGEST_M
from engine.tracking.step import EVENTS, Presences, Step, stay_s, step

_FIRST_BLOCK: Final = 5_000
_LARGEST_BLOCK: Final = 250_000
"""Number of fixes that are examined together, fewer if many geofences are at one place."""
_BLOCK_S: Final = 0.3
"""About how long a block may take, after which the work can be cancelled."""

_WHOLE: Final = 2**64


class UserState(Struct):
    """The state of a user: a device with the user ID that is logged in.

    `mark` is the sum of the marks of the geofences that the user is in. Up to `due_us`, time alone changes nothing.
    `settings` is the number of the settings in force at the last decision.
    """

    user_id: str | None
    presences: Presences = field(default_factory=dict)
    in_order: Mapping[str, Presence] | None = None
    updated_at: datetime = moment_of(0)
    newest_at: datetime | None = None
    known: bool = False
    mark: int = 0
    due_us: int = NEVER
    settings: int = NONE
    visits: Visits = field(default_factory=Visits)
    arrivals: Arrivals = field(default_factory=Arrivals)


class DeviceState(Struct):
    """The users of a device, and the newest time of its fixes in microseconds."""

    users: list[UserState] = field(default_factory=list)
    newest_us: int = -NEVER


class Decider:
    """Decides the fixes of devices under one set of geofences, and keeps what happened."""

    def __init__(
        self, versions: Versions, settings: Mapping[int, ProjectSettings], log: EventLog, tallies: Tallies
    ) -> None:
        self._versions = versions
        self._settings = settings
        self._filter = Filter(versions, settings)
        self._log = log
        self._tallies = tallies
        self._devices: dict[str, DeviceState] = {}
        self._buffered = any(each.buffer_entries for each in settings.values())
        self.near = 0
        """Number of fixes near any geofence."""
        self.decided = 0
        self.late = 0
        self.repeated = 0

    def begin_with(self, first: Mapping[tuple[str, str | None], EarlierState]) -> None:
        """Begin with the states of users before their first fix, by device and user ID."""
        for (device_id, user_id), earlier in first.items():
            state = UserState(user_id, dict(earlier.presences), earlier.in_order)
            if earlier.newest_at is not None:
                state.updated_at, state.known = earlier.newest_at, True
            for key, presence in earlier.presences.items():
                if (number := self._versions.any_number_of(key)) is not None:
                    state.visits.begin(self._versions.entries[number].item, presence.entered_at, self._tallies.totals)
            # No set of geofences has this mark, so the first fix is decided.
            state.mark = 1
            self._devices.setdefault(device_id, DeviceState()).users.append(state)

    def run(self, fixes: Fixes) -> Iterator[int]:
        """Decide fixes that continue those before, and yield the number of those that are done from time to time."""
        start, size = 0, _FIRST_BLOCK
        while start < len(fixes):
            begun = time.perf_counter()
            done = self._run_block(fixes.part(slice(start, start + size)))
            start += done
            yield done
            by_time = _BLOCK_S * done / max(time.perf_counter() - begun, 1e-6)
            size = int(min(max(by_time, 64), size * 4, _LARGEST_BLOCK))

    def finish(self) -> None:
        """End the visits that continue, and count the devices."""
        for device_id, device in self._devices.items():
            for state in device.users:
                for presence in state.presences.values():
                    state.visits.close(presence, state.updated_at)
            self._tallies.add_device(device_id, [(each.user_id, each.visits) for each in device.users])
        self._devices.clear()

    def _run_block(self, fixes: Fixes) -> int:
        """Decide the first fixes of a block, or all of them, and return their number."""
        found = self._filter.select(fixes)
        fixes = fixes.part(slice(0, len(found.stays)))
        self.near += int(np.count_nonzero(found.wide | (np.diff(found.starts) > 0)))
        starts = np.flatnonzero(np.insert(fixes.device[1:] != fixes.device[:-1], 0, True))
        names = [fixes.devices[code] for code in fixes.device[starts].tolist()]
        devices = [self._devices.setdefault(name, DeviceState()) for name in names]
        newest_us = np.array([each.newest_us for each in devices], np.int64)
        found = replace(found, must=found.must | out_of_order(fixes, newest_us) | fixes.twin)
        ends = np.append(starts[1:], len(fixes))
        at_us = np.where(fixes.at_us == NO_TIME, fixes.arrived_us, fixes.at_us)
        newest_us = np.maximum(newest_us, np.maximum.reduceat(at_us, starts))
        busy = np.logical_or.reduceat((found.enters != 0) | found.must, starts)
        runs = _Runs(fixes, found, at_us)
        for device, start, end, newest, matters in zip(
            devices, starts.tolist(), ends.tolist(), newest_us.tolist(), busy.tolist(), strict=True
        ):
            device.newest_us = newest
            if matters or any(each.presences or each.in_order or each.newest_at for each in device.users):
                self._run_device(device, fixes, found, runs, start, end)
            else:
                self._pass_by(device, fixes, runs, start, end)
        return len(fixes)

    def _pass_by(self, device: DeviceState, fixes: Fixes, runs: "_Runs", start: int, end: int) -> None:
        """Note the times of fixes of a device that do not come near anything."""
        place = start
        while place < end:
            until = runs.same_user_until(place)
            state = _state_of(device, _name(fixes.users, runs.user[place]))
            state.updated_at, state.known = moment_of(runs.at_us[until - 1]), True
            state.arrivals.pass_over(runs.timed(place, until))
            place = until

    def _run_device(
        self, device: DeviceState, fixes: Fixes, found: Selection, runs: "_Runs", start: int, end: int
    ) -> None:
        """Decide the fixes of one device that may change something."""
        place = start
        while place < end:
            user_id = _name(fixes.users, runs.user[place])
            if fixes.twin[place] and (first := _repeated_by(device, user_id, fixes, place)) is not None:
                # The user is logged in from then on, as in `engine.tracking.tracker`.
                first.user_id = user_id or first.user_id
                self.repeated += 1
                place += 1
                continue
            state = _state_of(device, user_id)
            until = runs.settled_until(state, place, end)
            if until > place:
                state.updated_at = moment_of(runs.at_us[until - 1])
                state.known = True
                state.arrivals.pass_over(runs.timed(place, until))
                place = until
            else:
                self._decide(state, fixes, found, place)
                state.arrivals.note(fixes, place)
                place += 1

    def _decide(self, state: UserState, fixes: Fixes, found: Selection, place: int) -> None:
        number = fixes.settings.item(place)
        settings, revision = self._settings[number], fixes.revision.item(place)
        now = moment_of(fixes.arrived_us.item(place))
        fix = _fix(fixes, place, state, now)
        near = self._near(found, place, fix, settings, revision)
        presences = self._in_force(state.presences, revision)
        subject = Subject(state.user_id, _name(fixes.addresses, fixes.ip.item(place)))
        entries = self._entries(near, all_presences_of(presences, state.in_order), revision)
        taken = step(presences, subject, fix, entries, settings, now, explain=False, in_order=state.in_order)
        self.decided += 1
        self.late += fix.late_after is not None
        if taken.presences is not state.presences or taken.fired:
            self._note(state, taken, fix, fixes, place)
        state.newest_at = newest_after(fix, timing_of(fix, now), state if state.known else None, now)
        state.updated_at, state.known = fix.at, True
        state.in_order, state.settings = taken.in_order, number
        state.mark, state.due_us = self._settled(state.presences, settings, revision)

    def _in_force(self, presences: Presences, revision: int) -> Presences:
        """Return the presences in geofences that exist at a revision."""
        if not presences or self._versions.has_all_times:
            return presences
        return {key: stay for key, stay in presences.items() if self._versions.number_of(key, revision) is not None}

    def _near(self, found: Selection, place: int, fix: Fix, settings: ProjectSettings, revision: int) -> list[int]:
        """Return the versions that a fix may enter."""
        if found.wide[place] and settings.buffer_entries:
            reach_m = min(fix.accuracy_m, LARGEST_M)
            return self._versions.near(fix.point.longitude, fix.point.latitude, reach_m, revision)
        near: list[int] = found.near[found.starts[place] : found.starts[place + 1]].tolist()
        return near

    def _entries(self, near: list[int], presences: Mapping[str, Presence], revision: int) -> list[Entry[Geofence]]:
        """Return the geofences near a fix, and those that the user is in."""
        entries = [self._versions.entries[number] for number in near]
        if presences:
            known = {entry.key for entry in entries}
            numbers = (self._versions.number_of(key, revision) for key in presences if key not in known)
            entries += (self._versions.entries[number] for number in numbers if number is not None)
        return entries

    def _note(self, state: UserState, taken: Step, fix: Fix, fixes: Fixes, place: int) -> None:
        """Keep the events of a fix and the visits that begin or end with it."""
        device_id, user_id = fixes.devices[fixes.device[place]], state.user_id
        for decision in taken.fired:
            kind = EVENTS[decision.outcome]
            key = decision.fence.item.id
            duration_s = stay_s(taken.before.get(key), fix)
            self._log.add(device_id, user_id, kind, fix, decision, duration_s)
            self._tallies.add_event(kind, decision.fence, fix)
            state.visits.events += 1
        if taken.presences is not state.presences:
            self._change_visits(state, taken.presences, fix.at, fixes.revision.item(place))

    def _change_visits(self, state: UserState, after: Presences, at: datetime, revision: int) -> None:
        """Set the presences of a user, and end and begin visits."""
        before, state.presences = state.presences, after
        for key in before.keys() - after.keys():
            state.visits.end(before[key], at)
        for key in after.keys() - before.keys():
            number = self._versions.number_of(key, revision)
            assert number is not None
            state.visits.begin(self._versions.entries[number].item, at, self._tallies.totals)

    def _settled(self, presences: Presences, settings: ProjectSettings, revision: int) -> tuple[int, int]:
        """Return the mark of presences, and the time until which none of them can change by time alone."""
        mark, due_us = 0, NEVER
        for key, presence in presences.items():
            number = self._versions.number_of(key, revision)
            if number is None:
                return 1, -NEVER
            mark += int(self._versions.marks[number])
            own = self._versions.entries[number].item.rules.dwell_threshold_s
            threshold_s = settings.default_dwell_threshold_s if own is None else own
            if settings.dwell_event and threshold_s is not None and not presence.dwelled:
                # One microsecond less, as the threshold may be rounded.
                due_us = min(due_us, microseconds(presence.entered_at) + int(threshold_s * 1_000_000) - 1)
        return mark % _WHOLE, due_us


class _Runs:
    """Fixes without changes of what a filter has found, as lists for quick access."""

    def __init__(self, fixes: Fixes, found: Selection, at_us: Numbers) -> None:
        same = (fixes.device[1:] == fixes.device[:-1]) & (fixes.user[1:] == fixes.user[:-1])
        self._user_end = _ends(same)
        for column in (fixes.settings, found.stays, found.enters):
            same &= column[1:] == column[:-1]
        same &= ~found.must[1:] & ~found.must[:-1]
        self._end = _ends(same)
        self._stays: list[int] = found.stays.tolist()
        self._enters: list[int] = found.enters.tolist()
        self._must: list[bool] = found.must.tolist()
        self._settings: list[int] = fixes.settings.tolist()
        self._times = at_us
        timed = np.cumsum(fixes.at_us != NO_TIME)
        self._timed: list[int] = np.insert(timed, 0, 0).tolist()
        self.at_us: list[int] = at_us.tolist()
        self.user: list[int] = fixes.user.tolist()

    def same_user_until(self, place: int) -> int:
        """Return the place after the last consecutive fix of the same device and user."""
        return self._user_end[place]

    def timed(self, place: int, end: int) -> int:
        """Return the number of fixes with a time from `place` up to `end`."""
        return self._timed[end] - self._timed[place]

    def settled_until(self, state: UserState, place: int, end: int) -> int:
        """Return the place of the first fix from `place` up to `end` that may change something."""
        if state.in_order is not None or state.newest_at is not None:
            return place
        mark, user = state.mark, self.user[place]
        while place < end and self.user[place] == user and not self._must[place]:
            if mark != self._stays[place] and mark != self._enters[place]:
                break
            if state.presences and state.settings != self._settings[place]:
                break
            run_end = self._end[place]
            if state.due_us < self.at_us[run_end - 1]:
                return place + int(np.searchsorted(self._times[place:run_end], state.due_us, side="right"))
            place = run_end
        return place


def _ends(same: Flags) -> list[int]:
    """Return for each fix the place after the run it is in; `same` shows which are in the run of the one before."""
    ends = np.append(np.flatnonzero(~same) + 1, len(same) + 1)
    found: list[int] = np.repeat(ends, np.diff(ends, prepend=0)).tolist()
    return found


def all_presences_of(presences: Presences, in_order: Mapping[str, Presence] | None) -> Mapping[str, Presence]:
    """Return presences, including those from updates in order only."""
    return presences if in_order is None else {**in_order, **presences}


def _fix(fixes: Fixes, place: int, state: UserState, now: datetime) -> Fix:
    at_us = fixes.at_us.item(place)
    if at_us == fixes.arrived_us.item(place):
        taken_at: datetime | None = now
    else:
        taken_at = None if at_us == NO_TIME else moment_of(at_us)
    at, late_after = accepted_time(taken_at, state if state.known else None, now)
    return Fix(
        Point(fixes.longitude.item(place), fixes.latitude.item(place)),
        fixes.accuracy_m.item(place),
        at,
        fixes.foreground.item(place),
        fixes.stopped.item(place),
        late_after=late_after,
    )


def _name(names: Sequence[str], code: int) -> str | None:
    return None if code == NONE else names[code]


def _state_of(device: DeviceState, user_id: str | None) -> UserState:
    """Return the user of a device, who may be new."""
    state = _known_state(device, user_id)
    if state is None:
        state = UserState(user_id)
        device.users.append(state)
    state.user_id = user_id
    return state


def _known_state(device: DeviceState, user_id: str | None) -> UserState | None:
    """Return the user of a device, as `engine.tracking.users.record_for` finds the record."""
    for state in device.users:
        if state.user_id == user_id:
            return state
    if user_id is not None and device.users and all(each.user_id is None for each in device.users):
        return device.users[0]
    return None


def _repeated_by(device: DeviceState, user_id: str | None, fixes: Fixes, place: int) -> UserState | None:
    """Return the user who sent a fix before, if the engine would recognise it as one that it has stored."""
    state, now = _known_state(device, user_id), moment_of(fixes.arrived_us.item(place))
    at = moment_of(fixes.at_us.item(place))
    # A fix sent before a login may be repeated after it.
    for each in device.users if state is None and user_id is None else filter(None, (state,)):
        newest = newest_time(each if each.known else None, now)
        is_possible = newest is None or at <= newest or at > now + AHEAD
        if is_possible and each.arrivals.has(fixes, place):
            return each
    return None
