"""The engine, compared with the reference after every step of random updates, edits, settings and clock changes.

`REFERENCE_EXAMPLES` sets the number of histories.
"""

import os
import sys
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine import Engine
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.fields.settings import changed_settings
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Circle, Geometry, Point, Polygon
from engine.domain.hours import parse_hours
from engine.domain.ip import parse_ip_ranges
from engine.domain.queries import UserQuery
from engine.domain.settings import SettingsChange
from engine.domain.tracking.decision import Explanation, Outcome
from engine.domain.tracking.explaining import ReplayQuery, UpdateQuery
from engine.domain.tracking.replayed_event import ReplayedEvent
from engine.domain.tracking.updates import Event, LocationUpdate, TrackResult
from engine.domain.values import replace
from tests.engine.fixtures import HOME, SetClock
from tests.engine.tracking.histories import (
    CAMPUS,
    START,
    VADUZ,
    WORKSHOP,
    Report,
    Spot,
    Time,
    edits,
    first_rules,
    first_settings,
    reports,
    spots,
    switches,
    times,
    whiles,
)
from tests.engine.tracking.measuring import distance_m, doubtful, moved
from tests.engine.tracking.reference import FAILED_FRAUD, Answer, Fence, Key, Meaning, Record, Reference, ReportedEvent

TEST = Environment.TEST
EXPLAINED_M = 500.0


class TrackedUpdate(NamedTuple):
    """A processed update, for later queries about it."""

    record: Record
    at: datetime
    explanations: tuple[Explanation, ...] | None
    events: list[ReportedEvent]


class Tracking(RuleBasedStateMachine):
    """The engine and the reference run through the same history."""

    def __init__(self) -> None:
        super().__init__()
        self.engine = Engine.open(":memory:", clock=SetClock(START))
        self.engine.set_clock(ClockChange(now=START, frozen=True))
        self.model = Reference(START)
        self.tracked: list[TrackedUpdate] = []
        self.forgotten: set[str] = set()
        self.events = 0

    @initialize(switched=first_settings, rules=st.tuples(first_rules, first_rules, first_rules, first_rules))
    def begin(self, switched: dict[str, Any], rules: tuple[dict[str, Any], ...]) -> None:
        self.create(("depot", "b"), Circle(moved(HOME, 90, 120), 60.0))
        self.create(("store", "a"), Circle(HOME, 100.0))
        self.create(("store", "c"), WORKSHOP)
        self.create(("store", "e"), CAMPUS)
        for switch in switched.items():
            self.set(switch)
        for which, given in enumerate(rules):
            for edit in given.items():
                self.edit(which, edit)

    def create(self, key: Key, geometry: Geometry) -> None:
        tag, external_id = key
        shape = geometry.coordinates if isinstance(geometry, Polygon) else None
        self.engine.geofences.create(
            TEST,
            GeofenceChange(
                tag=tag,
                external_id=external_id,
                description=external_id,
                type=geometry.type.value,
                coordinates=shape or (geometry.center.longitude, geometry.center.latitude),  # type: ignore[union-attr]
                size=geometry.radius_m if isinstance(geometry, Circle) else None,
            ),
        )
        self.model.fences[key] = Fence(key, geometry, VADUZ)

    # Updates

    @rule(report=reports, spot=spots, time=times)
    def track(self, report: Report, spot: Spot, time: Time) -> None:
        update = LocationUpdate(
            device_id=report.device,
            point=self._clear(spot, report.accuracy_m),
            accuracy_m=report.accuracy_m,
            user_id=report.user,
            at=self._moment(time, report.device, report.user),
            age_s=abs(time[1]) / 1_000 if time and time[0] == "age" else None,
            foreground=report.foreground,
            stopped=report.stopped,
            ip=report.ip,
            mocked=report.mocked,
            compromised=report.compromised,
            explain=report.explain,
        )
        assume(not self._is_speed_doubtful(update))
        before = self.model.record_for(report.device, report.user)
        stays = set(before.stays) if before else set()
        expected = self.model.track(update)
        result = self.engine.tracking.track(TEST, update)
        self.tracked.append(
            TrackedUpdate(expected.record, result.user.updated_at, result.explanations, expected.events)
        )
        self.events += len(expected.events)
        self._compare(result, expected)
        if report.explain:
            _compare_explanations(result, expected, stays, report.accuracy_m)

    @rule(report=reports, spot=spots, seconds=whiles, more=st.integers(1, 3))
    def track_for_a_while(self, report: Report, spot: Spot, seconds: float, more: int) -> None:
        """Track repeated updates of a user who stays."""
        self.track(report, spot, None)
        for _ in range(more):
            self.move_the_clock(seconds)
            self.track(report, spot, None)

    @rule(report=reports, path=st.lists(spots, min_size=2, max_size=4), seconds=whiles)
    def walk(self, report: Report, path: list[Spot], seconds: float) -> None:
        for spot in path:
            self.move_the_clock(seconds)
            self.track(report, spot, None)

    def _moment(self, time: Time, device: str, user: str | None) -> datetime | None:
        if time is None or time[0] == "age":
            return None
        known = self.model.record_for(device, user)
        base = known.updated_at if known and time[0] == "last" else self.model.now
        return base + timedelta(milliseconds=time[1])

    def _clear(self, spot: Spot, accuracy: float) -> Point:
        """Return the position, moved slightly as long as its effect depends on rounding."""
        geometries = [self.model.fences[key].geometry for key in sorted(self.model.fences)]
        point = spot.beside(geometries[spot.fence % len(geometries)] if geometries else Circle(HOME, 100.0))
        for _ in range(30):
            if not any(doubtful(geometry, point, accuracy) for geometry in geometries):
                break
            point = moved(point, 50, 0.37)
        assume(not any(doubtful(geometry, point, accuracy) for geometry in geometries))
        return point

    def _is_speed_doubtful(self, update: LocationUpdate) -> bool:
        known = self.model.record_for(update.device_id, update.user_id)
        if known is None:
            return False
        return abs(self.model.beyond_speed_m(update, known, self.model.accepted(update, known))) < 0.001

    def _compare(self, result: TrackResult, expected: Answer) -> None:
        assert [_reported(event) for event in result.events] == expected.events
        assert all(event.actual_created_at == self.model.now for event in result.events)
        assert result.user.updated_at == expected.record.updated_at
        self._compare_user(result, expected.record)
        if explanations := [_key(explanation) for explanation in result.explanations or ()]:
            assert len(set(explanations)) == len(explanations)

    def _compare_user(self, result: TrackResult, record: Record) -> None:
        user = result.user
        assert [(one.tag, one.external_id) for one in user.geofences] == sorted(record.stays)
        if not self.model.settings.fraud:
            assert user.fraud is None
            return
        assert user.fraud is not None
        assert user.fraud.failed == record.suspicions - {"blocked"}
        assert dict(user.fraud.last) == record.last_failed
        assert user.fraud.blocked == ("blocked" in record.suspicions)
        assert user.fraud.bypassed == self.model.is_listed(record, self.model.settings.bypassed)
        failed = record.suspicions - {"blocked"}
        assert user.fraud.passed == (not user.fraud.blocked and (user.fraud.bypassed or not failed))

    # Other actions

    @rule(which=st.integers(0, 5), edit=edits)
    @precondition(lambda self: self.model.fences)
    def edit(self, which: int, edit: tuple[str, Any]) -> None:
        fence = self._fence(which)
        change, model_change = self._both_ways(fence, *edit)
        self.engine.geofences.upsert(TEST, *fence.key, GeofenceChange(**change))
        self.model.edit(fence.key, **model_change)

    def _both_ways(self, fence: Fence, name: str, value: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return an edit in the engine's form, and in that of the reference."""
        match name:
            case "size":
                if not isinstance(fence.geometry, Circle):
                    return {}, {}
                return {name: value}, {"geometry": replace(fence.geometry, radius_m=value)}
            case "hours":
                return {"operating_hours": value and parse_hours(value)}, {name: value}
            case "networks":
                return {"ip": parse_ip_ranges(value)}, {name: value}
            case "disable_after" | "delete_after":
                moment = None if value is None else self.model.now + timedelta(seconds=value)
                return {name: moment}, {name: moment}
            case _:
                return {name: value}, {name: value}

    @rule(which=st.integers(0, 5))
    @precondition(lambda self: self.model.fences)
    def delete(self, which: int) -> None:
        fence = self._fence(which)
        self.engine.geofences.delete(TEST, self.engine.geofences.get_by_key(TEST, *fence.key).id)
        self.model.remove(fence.key)

    @rule(external_id=st.sampled_from(["a", "d", "f"]), spot=spots, radius_m=st.sampled_from([20.0, 150.0]))
    def create_another(self, external_id: str, spot: Spot, radius_m: float) -> None:
        assume(("store", external_id) not in self.model.fences)
        self.create(("store", external_id), Circle(spot.beside(Circle(HOME, 100.0)), radius_m))

    def _fence(self, which: int) -> Fence:
        keys = sorted(self.model.fences)
        return self.model.fences[keys[which % len(keys)]]

    @rule(switch=switches)
    def set(self, switch: tuple[str, Any]) -> None:
        change = SettingsChange(**dict([switch]))
        self.model.settings = changed_settings(self.model.settings, change)
        assert self.engine.settings.change(TEST, change) == self.model.settings

    @rule(seconds=whiles | st.sampled_from([6 * 3_600, -600]))
    def move_the_clock(self, seconds: float) -> None:
        now = self.model.now + timedelta(seconds=seconds)
        self.engine.set_clock(ClockChange(now=now))
        self.model.set_now(now)

    @rule(by_ms=st.sampled_from([0, 0, 1]), report=reports, spot=spots)
    @precondition(lambda self: self.expiries())
    def report_at_an_expiry(self, by_ms: int, report: Report, spot: Spot) -> None:
        """Track an update in the last moment of a geofence, or just after it."""
        moment = min(self.expiries()) + timedelta(milliseconds=by_ms)
        self.move_the_clock((moment - self.model.now).total_seconds())
        self.track(report, spot, None)

    def expiries(self) -> list[datetime]:
        moments = [(fence.disable_after, fence.delete_after) for fence in self.model.fences.values() if fence.enabled]
        return [moment for pair in moments for moment in pair if moment is not None and moment >= self.model.now]

    @rule(which=st.integers(0, 50))
    @precondition(lambda self: self.model.records)
    def forget_a_user(self, which: int) -> None:
        record = self.model.records[which % len(self.model.records)]
        self.engine.users.delete(TEST, self._id_of(record))
        self.model.records.remove(record)
        self.forgotten.add(record.device_id)
        self.tracked = [tracked for tracked in self.tracked if tracked.record is not record]

    def _id_of(self, record: Record) -> str:
        users = self.engine.users.page(TEST, UserQuery(device_id=record.device_id)).items
        return next(user.id for user in users if user.user_id == record.user_id)

    # Queries without effects

    @rule(which=st.integers(0, 50), later_ms=st.sampled_from([None, 0, 0, 1, 60_000]))
    @precondition(lambda self: self.tracked)
    def ask_why(self, which: int, later_ms: int | None) -> None:
        """Check that an explanation is the same as at the time of the update, despite later edits."""
        chosen = self.tracked[which % len(self.tracked)]
        device = chosen.record.device_id
        at = None if later_ms is None else chosen.at + timedelta(milliseconds=later_ms)
        found = self.engine.tracking.explain(TEST, UpdateQuery(device_id=device, at=at))
        possible = [
            tracked
            for tracked in self.tracked
            if tracked.record.device_id == device and (at is None or tracked.at <= at)
        ]
        live = possible[-1] if at is None else max(reversed(possible), key=lambda tracked: tracked.at)
        assert found.fix.at == live.at
        assert live.explanations is None or _plain(found.explanations) == _plain(live.explanations)

    @rule(device=st.sampled_from(["phone", "tablet"]))
    def run_again(self, device: str) -> None:
        """Check that the updates of a device under the same settings and geofences lead to the same events.

        Only the sharing of a device is unknown after the other user was deleted.
        """
        own = [tracked for tracked in self.tracked if tracked.record.device_id == device]
        if not own:
            return
        report = self.engine.tracking.replay(TEST, ReplayQuery(device_ids=(device,)))
        assert report.updates == len(own)
        assert (report.added, report.removed) == ((), ())
        unsure = {FAILED_FRAUD} if device in self.forgotten else set()
        expected = [event for tracked in own for event in tracked.events if event.type not in unsure]
        for events in (report.before, report.after):
            assert [_reported(event) for event in events if event.type not in unsure] == expected

    @rule(spot=spots)
    @precondition(lambda self: self.model.fences)
    def look_around(self, spot: Spot) -> None:
        point = self._clear(spot, 10)
        here = [
            fence.key
            for fence in self.model.fences.values()
            if fence.lives(self.model.now) and distance_m(fence.geometry, point) <= 0
        ]
        found = self.engine.tracking.context(TEST, point).geofences
        assert [(one.tag, one.external_id) for one in found] == sorted(here)

    @rule(which=st.integers(0, 5))
    @precondition(lambda self: self.model.fences)
    def look_inside(self, which: int) -> None:
        fence = self._fence(which)
        page = self.engine.users.in_geofence(TEST, self.engine.geofences.get_by_key(TEST, *fence.key).id, UserQuery())
        inside = {(one.device_id, one.user_id) for one in self.model.records if fence.key in one.stays}
        assert {(user.device_id, user.user_id) for user in page.items} == inside

    @invariant()
    def users_agree_with_the_reference(self) -> None:
        stored = {
            (user.device_id, user.user_id): [(one.tag, one.external_id) for one in user.geofences]
            for user in self.engine.users.page(TEST, UserQuery()).items
        }
        assert stored == {(one.device_id, one.user_id): sorted(one.stays) for one in self.model.records}

    def teardown(self) -> None:
        """Replay everything, unless the history failed, since the original error matters then."""
        try:
            if sys.exc_info()[0] is None:
                for device in ("phone", "tablet"):
                    self.run_again(device)
                assert self.engine.history.counts(TEST).events == self.events
        finally:
            self.engine.close()


def _reported(event: Event | ReplayedEvent) -> ReportedEvent:
    fence = event.geofence
    return ReportedEvent(
        event.type,
        event.created_at,
        None if fence is None else (fence.tag, fence.external_id),
        event.confidence,
        event.duration_s,
        event.currently_operating,
    )


def _key(explanation: Explanation) -> Key:
    return explanation.geofence.tag, explanation.geofence.external_id


def _plain(explanations: tuple[Explanation, ...]) -> list[object]:
    return [
        (
            *(_key(one), one.outcome, one.distance_m, one.share, one.confidence, one.text),
            [(reason.rule, reason.passed, reason.text, dict(reason.values)) for reason in one.reasons],
        )
        for one in explanations
    ]


def _compare_explanations(result: TrackResult, expected: Answer, stays: set[Key], accuracy: float) -> None:
    """Compare the explanations of geofences within the accuracy or 500 m, and of those the user was in."""
    assert result.explanations is not None
    given = {_key(explanation): explanation for explanation in result.explanations}
    reach = max(accuracy, EXPLAINED_M)
    for key, meaning in expected.meanings.items():
        if key in stays or meaning.distance_m < reach - 0.1:
            _compare_explanation(given.pop(key), meaning)
        elif meaning.distance_m < reach + 0.1:
            given.pop(key, None)
    assert not given


def _compare_explanation(given: Explanation, meaning: Meaning) -> None:
    assert given.outcome == meaning.outcome
    assert given.distance_m == pytest.approx(meaning.distance_m, rel=1e-3, abs=0.001)
    assert given.share == pytest.approx(meaning.share, abs=1e-4)
    if given.outcome not in (Outcome.STAY_OUTSIDE, Outcome.STAY_INSIDE, Outcome.END_SILENTLY):
        assert {reason.rule for reason in given.failed} == meaning.failed
    assert all(reason.text in given.text for reason in given.failed)
    if given.outcome not in (Outcome.STAY_OUTSIDE, Outcome.END_SILENTLY):
        assert given.confidence == meaning.confidence


TestReference = pytest.mark.slow(Tracking.TestCase)
# Many histories run in one test; on a loaded machine this may take minutes.
pytestmark = pytest.mark.timeout(900)
TestReference.settings = settings(
    max_examples=int(os.environ.get("REFERENCE_EXAMPLES", "60")),
    stateful_step_count=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
