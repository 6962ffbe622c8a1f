"""Past updates: explained as they were, replayed under other rules, and deleted in time."""

import sqlite3
import struct
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine import Engine
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, NotFound
from engine.domain.geofence import GeofenceChange
from engine.domain.hours import parse_hours
from engine.domain.ports import settle
from engine.domain.queries import EventQuery, UserQuery
from engine.domain.settings import SettingsChange
from engine.domain.tracking.decision import Explanation, Outcome, Rule
from engine.domain.tracking.explaining import ReplayFences, ReplayQuery, UpdateQuery
from engine.domain.tracking.updates import TrackResult
from engine.domain.values import replace
from engine.store.workspace import DATABASE
from tests.engine.fixtures import HOME, NOON, SetClock, circle
from tests.engine.tracking.table import came, edited, fix, switched, waited

TEST = Environment.TEST
PHONE = UpdateQuery(device_id="phone")


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine.open(":memory:", clock=SetClock()) as opened:
        opened.set_clock(ClockChange(now=NOON, frozen=True))
        opened.settings.change(TEST, SettingsChange(stop_detection=True, dwell_event=True))
        opened.geofences.create(TEST, circle())
        opened.geofences.create(TEST, circle("2", radius_m=50))
        yield opened


def plain(explanations: tuple[Explanation, ...] | None) -> list[object]:
    assert explanations is not None
    return [
        (
            *(one.geofence, one.outcome, one.distance_m, one.share, one.confidence, one.text),
            [(reason.rule, reason.passed, reason.text, dict(reason.values)) for reason in one.reasons],
        )
        for one in explanations
    ]


def together(engine: Engine, numbers: range, step_m: float = 0) -> None:
    """Track updates that are submitted at once, so that they are committed in batches."""
    futures: list[Future[TrackResult]] = [Future() for _ in numbers]
    updates = (fix(number * step_m, number) for number in numbers)
    engine.tracking.submit((TEST, update, settle(each)) for update, each in zip(updates, futures, strict=True))
    for each in futures:
        each.result()


def deleted(engine: Engine) -> None:
    engine.geofences.delete(TEST, engine.geofences.get_by_key(TEST, "store", "1").id)


def recreated(engine: Engine) -> None:
    deleted(engine)
    engine.geofences.create(TEST, circle(radius_m=5_000))


LATER: dict[str, Callable[[Engine], object]] = {
    "nothing": lambda _: None,
    "a larger radius": edited(size=400),
    "another place": edited(coordinates=(HOME.longitude + 1, HOME.latitude)),
    "another name": edited(description="renamed", metadata={"a": 1}),
    "another key": lambda engine: engine.geofences.update(
        TEST, engine.geofences.get_by_key(TEST, "store", "1").id, GeofenceChange(tag="shop")
    ),
    "hours": edited(operating_hours=parse_hours({"Sun": []})),
    "stop detection": edited(stop_detection=False),
    "users": edited(user_ids=("ben",)),
    "disabled": edited(enabled=False),
    "disabled by its time": lambda engine: (
        edited(disable_after=NOON + timedelta(seconds=1))(engine),
        waited(2)(engine),
    ),
    "deleted": deleted,
    "deleted and recreated": recreated,
    "a new geofence beside it": lambda engine: engine.geofences.create(TEST, circle("3")),
    "the settings": switched(stop_detection=False, minimum_confidence=3, buffer_exits=True, buffer_entries=True),
    "the clock": waited(100_000),
    "a later update": came(fix(0, 500, stopped=True)),
    "another user of the device, who went": lambda engine: (
        *(engine.tracking.track(TEST, fix(0, user_id=user_id)) for user_id in ("ann", "ben")),
        engine.users.delete(TEST, "ben"),
    ),
}


@pytest.mark.parametrize("then", LATER.values(), ids=LATER.keys())
@pytest.mark.parametrize("metres", [0, 75, 400])
def test_an_explanation_is_the_same_later_whatever_changed(
    engine: Engine, then: Callable[[Engine], object], metres: float
) -> None:
    for update in (fix(0, -20, stopped=True), fix(0, -10)):
        engine.tracking.track(TEST, update)
    live = engine.tracking.track(TEST, fix(metres, -0.001)).explanations
    assert live is not None
    assert len(live) == 2
    before = plain(live)
    then(engine)
    later = engine.tracking.explain(TEST, UpdateQuery(device_id="phone", at=NOON - timedelta(milliseconds=1)))
    assert later.fix.at == NOON - timedelta(milliseconds=1)
    assert plain(later.explanations) == before


def test_an_explanation_is_the_same_after_a_restart(tmp_path: Path) -> None:
    with Engine.open(tmp_path, clock=SetClock()) as engine:
        engine.geofences.create(TEST, circle())
        switched(stop_detection=True)(engine)
        live = plain(engine.tracking.track(TEST, fix(0, ip="10.0.0.1", user_id="ann")).explanations)
        edited(size=10, stop_detection=False)(engine)
    with Engine.open(tmp_path, clock=SetClock(NOON + timedelta(days=1))) as engine:
        switched(stop_detection=False)(engine)
        later = engine.tracking.explain(TEST, PHONE)
        assert plain(later.explanations) == live
        assert (later.user.user_id, later.ip, later.received_at) == ("ann", "10.0.0.1", NOON)


def test_the_update_is_found_by_time_and_by_user(engine: Engine) -> None:
    for seconds, user_id in ((0, "ann"), (10, "ben"), (20, "ann")):
        engine.tracking.track(TEST, fix(seconds, seconds, user_id=user_id))

    def found(user_id: str | None, seconds: float | None) -> float:
        at = None if seconds is None else NOON + timedelta(seconds=seconds)
        query = UpdateQuery(device_id="phone", user_id=user_id, at=at)
        return (engine.tracking.explain(TEST, query).fix.at - NOON).total_seconds()

    assert [found(None, 19.999), found(None, 20), found(None, None)] == [10, 20, 20]
    assert [found("ann", 19.999), found("ben", None)] == [0, 10]
    for query, param in (
        (UpdateQuery(device_id="tablet"), "device"),
        (UpdateQuery(device_id="phone", user_id="carl"), "device"),
        (UpdateQuery(device_id="phone", at=NOON - timedelta(seconds=1)), "at"),
    ):
        with pytest.raises(NotFound) as missing:
            engine.tracking.explain(TEST, query)
        assert missing.value.param == param


def test_a_geofence_is_explained_within_500_metres_or_the_accuracy_or_during_a_stay(engine: Engine) -> None:
    def keys(metres: float, accuracy_m: float = 10) -> list[str]:
        explanations = engine.tracking.track(TEST, fix(metres, accuracy_m=accuracy_m)).explanations
        return [one.geofence.external_id for one in explanations or ()]

    assert keys(540) == ["1", "2"]
    assert keys(560) == ["1"]
    assert keys(660) == []
    assert keys(700, 640) == ["1"]
    engine.tracking.track(TEST, fix(0, stopped=True))
    assert keys(50_000) == ["1", "2"]


def test_geofences_of_the_other_environment_are_in_no_explanation(engine: Engine) -> None:
    other = engine.geofences.create(Environment.LIVE, circle("live", radius_m=80))
    for number, metres in enumerate((300, 0, 300)):
        engine.tracking.track(TEST, fix(metres, 30 * number, stopped=True))
    events = engine.history.page(TEST, EventQuery()).items
    # Its former version was in force at the updates.
    engine.geofences.upsert(Environment.LIVE, "store", "live", GeofenceChange(size=90))
    engine.geofences.delete(Environment.LIVE, other.id)
    explained = engine.tracking.explain(TEST, replace(PHONE, at=NOON + timedelta(seconds=30))).explanations
    assert {each.geofence.external_id for each in explained} == {"1", "2"}
    replayed = engine.tracking.replay(TEST, ReplayQuery())
    assert (len(replayed.before), replayed.differences) == (len(events), ())


def test_an_explanation_is_given_only_on_request(engine: Engine) -> None:
    assert engine.tracking.track(TEST, replace(fix(0), explain=False)).explanations is None
    assert len(engine.tracking.explain(TEST, PHONE).explanations) == 2


class TestReplay:
    """Updates that are replayed without effects."""

    @pytest.fixture(autouse=True)
    def walk(self, engine: Engine) -> None:
        """Drive by, stop at the edge, and leave."""
        edited(dwell_threshold_s=60)(engine)
        for metres, seconds, stopped in (
            (105, 0, True),
            (70, 10, False),
            (95, 20, True),
            (95, 90, True),
            (105, 100, True),
        ):
            engine.tracking.track(TEST, fix(metres, seconds, stopped=stopped))

    def replayed(self, engine: Engine, **query: object) -> tuple[list[str], list[str]]:
        """Return the added and the removed events."""
        report = engine.tracking.replay(TEST, ReplayQuery(device_ids=("phone",), **query))  # type: ignore[arg-type]
        assert report.updates == 5
        assert [event.created_at for event in report.before] == [NOON + timedelta(seconds=s) for s in (20, 90, 100)]
        added, removed = (
            [
                f"{event.type.split('.')[1].split('_')[0]} {event.geofence.external_id} {event.created_at:%S}"
                for event in events
                if event.geofence is not None
            ]
            for events in (report.added, report.removed)
        )
        return added, removed

    def test_under_the_same_rules_nothing_differs(self, engine: Engine) -> None:
        edited(size=20, dwell_threshold_s=None)(engine)
        switched(stop_detection=False, dwell_event=False, minimum_confidence=3)(engine)
        deleted(engine)
        assert self.replayed(engine) == ([], [])

    @pytest.mark.parametrize(
        ("change", "added", "removed"),
        [
            (SettingsChange(buffer_entries=True), ["entered 1 00"], ["entered 1 20"]),
            (SettingsChange(buffer_exits=True), [], ["exited 1 40"]),
            (SettingsChange(stop_detection=False), ["entered 1 10"], ["entered 1 20"]),
            (SettingsChange(dwell_event=False), [], ["dwelled 1 30"]),
            (SettingsChange(minimum_confidence=3), [], ["entered 1 20", "dwelled 1 30", "exited 1 40"]),
            (SettingsChange(), [], []),
        ],
    )
    def test_under_other_settings(
        self, engine: Engine, change: SettingsChange, added: list[str], removed: list[str]
    ) -> None:
        assert self.replayed(engine, change=change) == (added, removed)

    def test_with_the_geofences_of_today(self, engine: Engine) -> None:
        edited(size=300)(engine)
        assert self.replayed(engine) == ([], [])
        assert self.replayed(engine, fences=ReplayFences.NOW) == (["entered 1 00"], ["entered 1 20", "exited 1 40"])

    def test_nothing_is_changed_by_it(self, engine: Engine) -> None:
        def state() -> tuple[object, ...]:
            users, events = engine.users.page(TEST, UserQuery()), engine.history.page(TEST, EventQuery())
            return (
                users,
                events,
                engine.settings.get(TEST),
                engine.history.counts(TEST),
                plain(engine.tracking.explain(TEST, PHONE).explanations),
            )

        before = state()
        self.replayed(engine, change=SettingsChange(buffer_entries=True, stop_detection=False), fences=ReplayFences.NOW)
        assert state() == before

    def test_an_impossible_query_is_refused(self, engine: Engine) -> None:
        with pytest.raises(NotFound, match="tablet"):
            engine.tracking.replay(TEST, ReplayQuery(device_ids=("tablet",)))
        with pytest.raises(InvalidParameter, match=r"^minimum_confidence: "):
            engine.tracking.replay(
                TEST, ReplayQuery(device_ids=("phone",), change=SettingsChange(minimum_confidence=9))
            )


class TestKeptUpdates:
    """The setting limits the number of kept updates."""

    def kept(self, engine: Engine, environment: Environment = TEST) -> list[int]:
        """Return the updates on disk by their seconds after noon, the oldest first."""
        with closing(sqlite3.connect(engine.workspace.database_file)) as database:
            live = int(environment.live)
            found = database.execute("SELECT at FROM updates WHERE live = ? ORDER BY number", (live,)).fetchall()
        return [round(at / 1000 - NOON.timestamp()) for (at,) in found]

    @pytest.mark.parametrize("most", [0, 1, 9, 40])
    def test_exactly_as_many_are_kept_after_each_update(self, engine: Engine, most: int) -> None:
        switched(kept_updates=most)(engine)
        for number in range(60):
            engine.tracking.track(TEST, fix(0, number))
            assert self.kept(engine) == list(range(max(0, number + 1 - most), number + 1))

    @pytest.mark.parametrize("most", [0, 1, 50, 511, 512, 513, 900])
    def test_exactly_the_last_are_kept_of_updates_that_come_together(self, engine: Engine, most: int) -> None:
        switched(kept_updates=most)(engine)
        together(engine, range(1_000))
        assert self.kept(engine) == list(range(1_000))[1_000 - most :]
        together(engine, range(1_000, 1_030))
        assert self.kept(engine) == list(range(1_030))[1_030 - most :]

    def test_none_is_left_on_disk_once_none_is_to_be_kept(self, engine: Engine) -> None:
        together(engine, range(1_500))
        engine.tracking.track(Environment.LIVE, fix(0, 1))
        edited(size=77)(engine)
        switched(kept_updates=0)(engine)
        assert (self.kept(engine), self.kept(engine, Environment.LIVE)) == ([], [1])
        edited(size=78)(engine)
        with closing(sqlite3.connect(engine.workspace.database_file)) as database:
            # Former versions of geofences are kept for their own history.
            assert database.execute("SELECT count(*) FROM geofence_versions").fetchone() == (2,)
        switched(kept_updates=3)(engine)
        together(engine, range(1_500, 1_505))
        assert self.kept(engine) == [1_502, 1_503, 1_504]

    def traces(self, engine: Engine, numbers: range) -> list[int]:
        """Return the updates whose position is anywhere in the bytes of the database's files."""
        files = engine.workspace.folder.glob(f"{DATABASE}*")
        held = b"".join(file.read_bytes() for file in files)
        return [number for number in numbers if struct.pack(">d", fix(number).point.longitude) in held]

    def test_the_files_hold_nothing_of_updates_not_kept_any_more(self, engine: Engine) -> None:
        together(engine, range(1, 500), step_m=1)
        assert len(self.traces(engine, range(1, 500))) == 499
        switched(kept_updates=0)(engine)
        assert self.traces(engine, range(1, 500)) == [499], "more than where the user is now"
        engine.users.delete(TEST, "phone")
        assert self.traces(engine, range(1, 500)) == []

    @pytest.mark.parametrize("most", [0, 1, 50])
    def test_the_files_forget_updates_that_make_room_for_the_next(self, engine: Engine, most: int) -> None:
        switched(kept_updates=most)(engine)
        together(engine, range(1, 800), step_m=1)
        for number in range(800, 900):
            engine.tracking.track(TEST, fix(number, number))
        give_up_at = time.monotonic() + 20
        while len(found := self.traces(engine, range(1, 900))) > max(most, 1):
            assert time.monotonic() < give_up_at, f"{len(found)} are there still"
            time.sleep(0.05)

    def test_the_files_hold_nothing_of_cleared_updates(self, engine: Engine) -> None:
        together(engine, range(1, 200), step_m=1)
        engine.history.clear_test_data()
        assert self.traces(engine, range(1, 200)) == []

    def test_remains_of_an_earlier_version_are_deleted_when_the_workspace_is_opened(self, tmp_path: Path) -> None:
        with Engine.open(tmp_path / "w", clock=SetClock()) as engine:
            switched(kept_updates=7)(engine)
            together(engine, range(20))
        with closing(sqlite3.connect(tmp_path / "w" / DATABASE)) as database:
            changed = database.execute("""UPDATE settings SET content = replace(content, 'updates":7', 'updates":2')""")
            assert changed.rowcount > 0
            database.commit()
        with Engine.open(tmp_path / "w", clock=SetClock()) as engine:
            assert self.kept(engine) == [18, 19]

    def test_keeping_none_queries_the_database_less_than_keeping_many(self, engine: Engine) -> None:
        def statements(most: int) -> int:
            switched(kept_updates=most)(engine)
            engine.tracking.track(TEST, fix(0, 1))
            sent: list[str] = []
            traced(engine, sent.append)
            for number in range(100):
                engine.tracking.track(TEST, fix(0, number))
            traced(engine, None)
            return len(sent)

        def traced(engine: Engine, callback: Callable[[str], None] | None) -> None:
            def trace(connection: sa.Connection) -> None:
                driver = connection.connection.driver_connection
                assert isinstance(driver, sqlite3.Connection)
                driver.set_trace_callback(callback)

            engine._parts.writer.run(trace)

        assert statements(0) < statements(100_000) <= statements(10) < 6 * 100

    def test_the_oldest_go_first(self, engine: Engine) -> None:
        switched(kept_updates=5)(engine)
        for number in range(20):
            engine.tracking.track(TEST, fix(0, number))
        for number in range(15, 20):
            at = NOON + timedelta(seconds=number)
            assert engine.tracking.explain(TEST, UpdateQuery(device_id="phone", at=at)).fix.at == at
        with pytest.raises(NotFound) as missing:
            engine.tracking.explain(TEST, UpdateQuery(device_id="phone", at=NOON + timedelta(seconds=14)))
        assert missing.value.param == "at"

    def test_a_smaller_bound_counts_at_once(self, engine: Engine) -> None:
        for number in range(30):
            engine.tracking.track(TEST, fix(0, number))
        switched(kept_updates=3)(engine)
        assert self.kept(engine) == [27, 28, 29]

    def test_kept_updates_are_explained_although_older_versions_are_forgotten(self, engine: Engine) -> None:
        switched(kept_updates=2)(engine)
        live = []
        for number in range(12):
            edited(size=100.0 + number)(engine)
            live.append(engine.tracking.track(TEST, fix(0, number)).explanations)
        edited(size=10)(engine)
        for number in (10, 11):
            found = engine.tracking.explain(TEST, UpdateQuery(device_id="phone", at=NOON + timedelta(seconds=number)))
            assert plain(found.explanations) == plain(live[number])
            assert found.explanations[0].outcome is Outcome.ENTRY_WITHHELD
            assert found.explanations[0].failed[0].rule is Rule.STOP_DETECTION

    def test_each_environment_keeps_its_own(self, engine: Engine) -> None:
        switched(kept_updates=3)(engine)
        for number in range(10):
            engine.tracking.track(Environment.LIVE, fix(0, number))
            engine.tracking.track(TEST, fix(0, number))
        assert self.kept(engine) == [7, 8, 9]
        first = UpdateQuery(device_id="phone", at=NOON)
        assert engine.tracking.explain(Environment.LIVE, first).fix.at == NOON
