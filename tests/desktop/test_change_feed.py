"""Communication of other threads with the window: operations, the relay and the feed of changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from threading import Event, Thread, current_thread, main_thread
from time import monotonic

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.change_feed import ChangeFeed, Gathered
from app.desktop.operations import Lane, Operations, Task
from app.desktop.relay import Relay
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled, Progress
from engine.domain.queries import Change
from tests.desktop.model.values import fence


@pytest.fixture
def operations(qtbot: QtBot) -> Iterator[Operations]:
    made = Operations()
    yield made
    made.close()


def fail(error: Exception) -> None:
    raise AssertionError(error)


def done(_: None) -> None:
    raise AssertionError("it was to fail")


def test_work_runs_elsewhere_and_its_answer_comes_here(qtbot: QtBot, operations: Operations) -> None:
    answers: list[tuple[bool, bool]] = []
    operations.change(
        lambda: current_thread() is main_thread(),
        lambda here: answers.append((here, current_thread() is main_thread())),
        fail,
    )
    with qtbot.waitSignal(operations.idle):
        pass
    assert answers == [(False, True)]


def test_changes_keep_their_order_and_errors_are_answers(qtbot: QtBot, operations: Operations) -> None:
    results: list[object] = []

    def refuse() -> int:
        raise InvalidParameter("radius", "radius: no.")

    for number in range(20):
        operations.change(lambda number=number: number, results.append, fail)  # type: ignore[misc]
    operations.change(refuse, results.append, lambda error: results.append(str(error)))
    qtbot.waitUntil(lambda: operations.under_way == 0)
    assert results == [*range(20), "radius: no."]


def test_long_work_shows_progress_and_can_be_cancelled(qtbot: QtBot, operations: Operations) -> None:
    tasks: list[Task] = []
    errors: list[Exception] = []
    operations.started.connect(tasks.append)

    def work(progress: Progress) -> None:
        deadline = monotonic() + 10
        while monotonic() < deadline:
            progress(1, 2)

    task = operations.long("Importing", work, lambda _: None, errors.append)
    with qtbot.waitSignal(task.progressed):
        pass
    tasks[0].cancel()
    qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], Cancelled)


def test_no_lane_waits_for_another(qtbot: QtBot, operations: Operations) -> None:
    building, finished = Event(), list[str]()
    operations.aside(Lane.BUILDING, "Building", lambda _: building.wait(30), lambda _: finished.append("built"), fail)
    for lane in set(Lane) - {Lane.BUILDING}:
        operations.aside(lane, lane.value, lambda _: None, lambda _: finished.append("done"), fail)
    qtbot.waitUntil(lambda: len(finished) == len(Lane) - 1)
    building.set()
    qtbot.waitUntil(lambda: operations.under_way == 0)
    assert finished == ["done"] * (len(Lane) - 1) + ["built"]


def test_the_end_waits_for_all_that_goes_on(qtbot: QtBot, operations: Operations) -> None:
    calls, began, stopping = list[str](), [Event() for _ in Lane], Event()

    def work(progress: Progress, number: int) -> None:
        began[number].set()
        try:
            while True:
                progress(0, 1)
        finally:
            stopping.wait(30)
            calls.append("ended")

    for number, lane in enumerate(Lane):
        operations.aside(lane, lane.value, partial(work, number=number), done, lambda _: None)
    operations.begin("Fleet", lambda: calls.append("fleet") or stopping.set())  # type: ignore[func-returns-value]
    assert all(each.wait(30) for each in began)
    operations.finish(lambda: calls.append("closed"), lambda: calls.append("end"))
    qtbot.waitUntil(lambda: "end" in calls)
    assert calls == ["fleet", *["ended"] * len(Lane), "closed", "end"]


def test_an_error_during_cancellation_is_a_cancellation(qtbot: QtBot, operations: Operations) -> None:
    errors: list[Exception] = []
    closed = Event()

    def work(_: Progress) -> None:
        closed.wait(30)
        raise OSError("closed")

    operations.aside(Lane.REPLAYING, "Replaying", work, done, errors.append).cancel()
    closed.set()
    qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], Cancelled)


def test_finishing_work_answers_once_and_takes_nothing_new(qtbot: QtBot, operations: Operations) -> None:
    results: list[str] = []
    operations.change(lambda: "change", results.append, fail)
    operations.finish(lambda: None, lambda: results.append("end"))
    operations.change(lambda: "late", results.append, fail)
    qtbot.waitUntil(lambda: operations.under_way == 0)
    assert results == ["change", "end"]


def test_a_relay_gathers_a_flood(qtbot: QtBot) -> None:
    relay, rings = Relay(interval_ms=50), list[float]()
    relay.rung.connect(lambda: rings.append(monotonic()))
    done: list[bool] = []

    def flood() -> None:
        until, deadline = monotonic() + 0.3, monotonic() + 20
        # On a busy machine, other threads may not run for that long.
        while monotonic() < until or (len(rings) < 2 and monotonic() < deadline):
            relay.ring()
        done.append(True)

    began = monotonic()
    thread = Thread(target=flood)
    thread.start()
    qtbot.waitUntil(lambda: bool(done))
    thread.join()
    relay.deliver()
    assert 2 <= len(rings) <= 3 + (monotonic() - began) / 0.05


class Source:
    """An object to subscribe to."""

    def __init__(self) -> None:
        self.listeners: list[Callable[[Change], None]] = []

    def subscribe(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Add a listener."""
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def publish(self, change: Change) -> None:
        """Notify the listeners."""
        for listener in tuple(self.listeners):
            listener(change)


def test_the_feed_reports_the_sum_of_one_environment(qtbot: QtBot) -> None:
    feed, source, changes = ChangeFeed(), Source(), list[Gathered]()
    feed.changed.connect(changes.append)
    feed.listen(source.subscribe, Environment.TEST)
    one, two = fence(1), fence(2)
    for change in (
        Change(Environment.TEST, geofences=(one, two)),
        Change(Environment.LIVE, geofences=(fence(3),)),
        Change(Environment.TEST, removed_geofence_ids=("f1",)),
        Change(Environment.TEST, removed_geofence_ids=("f2",)),
        Change(Environment.TEST, geofences=(two,)),
    ):
        source.publish(change)
    feed.flush()
    assert changes == [Gathered(fences={"f2": two}, removed={"f1"})]
    feed.close()
    assert source.listeners == []
