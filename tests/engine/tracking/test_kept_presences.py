"""Kept updates know the geofences of their users at the time, and no further data is kept."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import engine.tracking.tracker
from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.settings import SettingsChange
from engine.domain.tracking.explaining import KeptUpdate, UpdateQuery
from engine.domain.tracking.updates import Presence, Timing
from engine.domain.values import replace
from engine.engine import Engine
from engine.store.tables import former_presences, updates
from engine.store.updates import last_update, numbered_updates, numbers_after, updates_of_devices
from engine.tracking.series.kept import KeptSeries
from tests.engine.fixtures import NOON, SetClock, circle, update

TEST, LIVE = Environment.TEST, Environment.LIVE
FENCES = ("1", "2", "3")
DEVICES = ("phone", "tablet")
USERS = (None, None, "ann")

reports = st.tuples(st.sampled_from(DEVICES), st.sampled_from(USERS), st.sampled_from([0, 0, 80, 160, 240, 400]))
tracks = st.tuples(st.just("track"), st.lists(reports, min_size=1, max_size=8), st.sampled_from([10, 200]))
edits = st.tuples(st.just("edit"), st.sampled_from(FENCES), st.sampled_from(["off", "off", "on", "delete", "move"]))
others = st.one_of(
    st.tuples(st.just("keep"), st.sampled_from([0, 1, 4, 12, 1_000])),
    st.tuples(st.just("forget user"), st.sampled_from((*DEVICES, "ann"))),
    st.tuples(st.just("clear"), st.sampled_from((None, *DEVICES))),
    st.tuples(st.just("elsewhere"), tracks),
    st.tuples(st.just("reopen")),
)
acts = st.one_of(tracks, tracks, edits, others)


@dataclass
class Recorder:
    """The presences that earlier versions would have stored with each update: all those before it."""

    patch: pytest.MonkeyPatch
    kept: dict[int, dict[str, Presence]] = field(default_factory=dict)
    _before: dict[str, Presence] = field(default_factory=dict)

    def __post_init__(self) -> None:
        tracker: Any = engine.tracking.tracker
        self.patch.setattr(tracker, "step", partial(self._step, tracker.step))
        self.patch.setattr(tracker, "update_row", partial(self._row, tracker.update_row))

    def _step(self, step: Any, presences: Mapping[str, Presence], *given: Any, **named: Any) -> Any:
        self._before = dict(presences)
        return step(presences, *given, **named)

    def _row(self, row: Any, number: int, *given: Any) -> Any:
        assert number not in self.kept, "a number is never given again"
        self.kept[number] = self._before
        return row(number, *given)


class Story:
    """An engine with random actions."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._clock = SetClock()
        self.engine = Engine.open(folder, clock=self._clock)
        for environment in Environment:
            self.engine.settings.change(environment, SettingsChange(dwell_event=True, default_dwell_threshold_s=300))
            for number, key in enumerate(FENCES):
                self.engine.geofences.create(environment, circle(key, radius_m=60 + 70 * number))

    def happens(self, kind: str, *given: Any, environment: Environment = TEST) -> None:
        match kind, *given:
            case "track", sent, seconds:
                self._track(environment, sent, seconds)
            case "elsewhere", act:
                self.happens(*act, environment=LIVE)
            case "edit", key, how:
                self._edit(environment, key, how)
            case "keep", most:
                self.engine.settings.change(environment, SettingsChange(kept_updates=most))
            case "forget user", key:
                self._quietly(lambda: self.engine.users.delete(environment, key))
            case "clear", device:
                self.engine.history.clear_test_data(device)
            case "reopen", *_:
                self.engine.close()
                self.engine = Engine.open(self._folder, clock=self._clock)

    def _track(self, environment: Environment, sent: list[tuple[str, str | None, int]], seconds: int) -> None:
        self._clock.advance(seconds)
        wanted = [update(east_m, device_id=device, user_id=user) for device, user, east_m in sent]
        assert not any(isinstance(each, BaseException) for each in self.engine.tracking.track_all(environment, wanted))

    def _edit(self, environment: Environment, key: str, how: str) -> None:
        geofences = self.engine.geofences
        if how == "delete":
            self._quietly(lambda: geofences.delete(environment, geofences.get_by_key(environment, "store", key).id))
            return
        change = replace(circle(key, radius_m=90 if how == "move" else 150), enabled=how != "off")
        geofences.upsert(environment, "store", key, change)

    @staticmethod
    def _quietly(work: Any) -> None:
        try:
            work()
        except NotFound:
            return

    def kept(self, environment: Environment, *devices: str) -> list[KeptUpdate]:
        return self.read(lambda each: list(updates_of_devices(each, environment, devices)))

    def read[T](self, query: Callable[[sa.Connection], T]) -> T:
        return self.engine._parts.database.read_at_once(query)


@pytest.mark.slow
@given(st.lists(acts, min_size=5, max_size=40))
# Without shrinking: each example opens an engine, and a story is short enough to read.
@settings(max_examples=20, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
def test_updates_have_the_presences_that_each_would_have_kept(story: list[tuple[Any, ...]]) -> None:
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        recorder = Recorder(patch)
        played = Story(Path(stack.enter_context(TemporaryDirectory())))
        stack.callback(lambda: played.engine.close())
        for act in story:
            played.happens(*act)
            check(played, recorder)
        for environment in Environment:
            check_readers(played, environment)


def check(played: Story, recorder: Recorder) -> None:
    for environment in Environment:
        kept = played.kept(environment)
        assert {each.number: dict(each.presences) for each in kept} == {
            each.number: recorder.kept[each.number] for each in kept
        }
        assert needless(played, environment) == []


def check_readers(played: Story, environment: Environment) -> None:
    kept = played.kept(environment)
    for device in DEVICES:
        own = [each for each in kept if each.user.device_id == device]
        numbers = [each.number for each in own]
        of = partial(numbers_after, environment=environment, device_id=device, user=None)
        for at, number in enumerate([0, *numbers]):
            assert played.read(partial(of, after=number)) == numbers[at:]
        assert played.read(partial(numbered_updates, numbers=numbers)) == own
        assert played.kept(environment, device) == own
        for user_id in USERS:
            of_user = [each for each in own if user_id in (None, each.user.user_id)]
            last = partial(last_update, environment=environment, device_id=device, user_id=user_id, at=None)
            assert played.read(last) == (of_user[-1] if of_user else None)


def needless(played: Story, environment: Environment) -> list[Any]:
    """Return stored former presences that do not belong to a kept update."""
    kept = sa.exists().where(updates.c.live == former_presences.c.live, updates.c.number <= former_presences.c.until)
    statement = sa.select(former_presences).where(former_presences.c.live == int(environment.live), ~kept)
    return played.read(lambda connection: list(connection.execute(statement)))


def test_a_repeated_update_that_changes_its_user_leaves_the_kept_ones(tmp_path: Path) -> None:
    first = replace(update(at=NOON), once=True)
    with Engine.open(tmp_path, clock=SetClock()) as opened:
        opened.tracking.track(TEST, first)
        assert opened.tracking.track(TEST, replace(first, description="Ann's")).timing is Timing.REPEATED
    with Engine.open(tmp_path, clock=SetClock(NOON + timedelta(minutes=1))) as opened:
        opened.tracking.track(TEST, update())
        assert len(opened.tracking.read_on(TEST, KeptSeries("phone")).fixes) == 2


def test_presences_of_updates_that_are_never_stored_are_not_kept_either(tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.happens("keep", 1)
    story.happens("track", [("phone", None, east_m) for east_m in (0, 0, 400, 400)], 10)
    assert [dict(each.presences) for each in story.kept(TEST)] == [{}]
    assert needless(story, TEST) == []
    story.engine.close()


def test_a_user_in_many_geofences_adds_little_to_the_database(tmp_path: Path) -> None:
    with Engine.open(tmp_path) as opened:
        for number in range(60):
            opened.geofences.create(TEST, circle(str(number)))
        opened.tracking.track_all(TEST, [update(each % 7) for each in range(300)])

        def lengths(connection: sa.Connection) -> Iterator[int]:
            return connection.scalars(sa.select(sa.func.length(updates.c.content)))

        assert max(opened._parts.database.read(lambda connection: list(lengths(connection)))) < 100
        assert len(opened.tracking.explain(TEST, UpdateQuery(device_id="phone")).explanations) == 60
