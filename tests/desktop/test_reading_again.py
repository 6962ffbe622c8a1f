"""Events in the window while they are read again: whichever events occur in between, the stored ones are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from app.desktop.operations import Failed, Operations
from app.desktop.session import Session
from app.desktop.workspace_model import WorkspaceModel
from engine import Engine
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.queries import EventFilter, UserFilter
from engine.domain.tracking.updates import Conversion
from tests.engine.fixtures import NOON, SetClock, circle
from tests.engine.tracking.table import fix

TEST = Environment.TEST


class HeldOperations(Operations):
    """Operations that read only on request: first the stored data, and later the response to the caller."""

    def __init__(self) -> None:
        super().__init__()
        self._queued_reads: list[tuple[Callable[[], Any], Callable[[Any], None]]] = []
        self._answers: list[Callable[[], None]] = []

    def read[T](self, work: Callable[[], T], done: Callable[[T], None], failed: Failed) -> None:
        """Queue a read."""
        self._queued_reads.append((work, done))

    def look(self) -> None:
        """Perform the next read."""
        if self._queued_reads:
            work, done = self._queued_reads.pop(0)
            answer = work()
            self._answers.append(lambda: done(answer))

    def answer(self) -> None:
        """Hand over the next result."""
        if self._answers:
            self._answers.pop(0)()

    @property
    def waiting(self) -> bool:
        """Whether a read or its result is pending."""
        return bool(self._queued_reads or self._answers)


class Window:
    """The window's model of a workspace in which devices enter, exit and report."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.operations = engine, HeldOperations()
        self.model = WorkspaceModel(self.operations)
        self.model.open(cast(Session, SimpleNamespace(engine=engine)))
        self.rest()
        self._minute = 0

    def enter(self) -> None:
        """Let the phone enter the geofence and exit again."""
        self._minute += 2
        for minute, metres in ((0, 0), (1, 500)):
            self.engine.tracking.track(TEST, fix(metres, 60.0 * (self._minute + minute)))

    def convert(self) -> None:
        """Report an event, after which all events are read again."""
        self.engine.history.log_conversion(TEST, Conversion("bought", "shop", None, None, {}))

    def clear(self) -> None:
        """Reset the device."""
        self.engine.history.clear_test_data("phone")

    def notify(self) -> None:
        """Notify the window of all changes."""
        self.model._feed.flush()

    def rest(self) -> None:
        """Finish all pending work."""
        self.model._recount.deliver()
        self.notify()
        while self.operations.waiting:
            self.operations.look()
            self.operations.answer()
            self.notify()

    @property
    def shown(self) -> list[str]:
        """Return the IDs of the events in the table."""
        return [event.id for event in self.model.events.all()]

    @property
    def stored(self) -> list[str]:
        """Return the IDs of the stored events, newest first."""
        return [event.id for some in self.engine.history.all(TEST, EventFilter()) for event in some][::-1]

    def close(self) -> None:
        """Release the window."""
        self.model.close()
        self.operations.close()


@contextmanager
def opened() -> Iterator[Window]:
    with Engine.open(":memory:", clock=SetClock()) as engine:
        engine.set_clock(ClockChange(now=NOON + timedelta(days=1), frozen=True))
        engine.geofences.create(TEST, circle())
        window = Window(engine)
        yield window
        window.close()


DEEDS: dict[str, Callable[[Window], None]] = {
    "enter": Window.enter,
    "convert": Window.convert,
    "clear": Window.clear,
    "notify": Window.notify,
    "look": lambda window: window.operations.look(),
    "answer": lambda window: window.operations.answer(),
}


@pytest.mark.slow
@given(st.lists(st.sampled_from(sorted(DEEDS)), max_size=14))
@example(["enter", "clear", "enter", "notify"])
@example(["clear", "notify", "enter", "look", "convert", "notify", "answer", "enter", "notify"])
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_comes_between_the_events_that_are_stored_are_shown(qtbot: QtBot, deeds: list[str]) -> None:
    with opened() as window:
        for deed in deeds:
            DEEDS[deed](window)
        window.rest()
        assert window.shown == window.stored
        assert {user.device_id for user in window.model.users.all()} == {
            user.device_id for some in window.engine.users.all(TEST, UserFilter()) for user in some
        }


def test_an_old_event_is_not_lost_if_newer_ones_fill_the_page_read(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Events of a replayed track of last year are the newest in the table despite their old times."""
    monkeypatch.setattr("app.desktop.workspace_model.MAX_LIMIT", 3)
    with opened() as window:
        for _ in range(4):
            window.convert()
        window.rest()
        window.clear()
        window.notify()
        window.operations.look()
        window.enter()
        window.convert()
        window.notify()
        window.operations.answer()
        window.rest()
        assert window.shown[:3] == window.stored[:3]
        assert [window.model.events[row].type for row in range(3)] == [
            "bought",
            "user.exited_geofence",
            "user.entered_geofence",
        ]
