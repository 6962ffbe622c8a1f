"""Garbage is collected in the GUI thread, since other threads would destroy Qt objects while that thread uses them."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.desktop import collecting
from app.desktop.collecting import GuiCollector, rest


class Knot(QObject):
    """A Qt object that is part of a cycle, like one with a callback of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.me = self


@pytest.fixture
def ended() -> Iterator[list[int]]:
    """The threads in which an unreferenced knot was destroyed."""
    threads: list[int] = []
    knot = Knot()
    weakref.finalize(knot, lambda: threads.append(threading.get_ident()))
    del knot
    yield threads
    gc.collect()


@contextmanager
def littered() -> Iterator[None]:
    """Keep the allocations of another thread, which make Python collect all generations many times."""
    kept: list[list[int]] = []
    other = threading.Thread(target=lambda: kept.extend([number] for number in range(400_000)))
    other.start()
    other.join()
    assert len(kept) == 400_000
    yield


def test_another_thread_destroys_no_qt_object(qtbot: QtBot, ended: list[int]) -> None:
    with littered():
        assert ended == []
        qtbot.waitUntil(lambda: bool(ended), timeout=30_000)
    assert ended == [threading.get_ident()]


def test_without_it_another_thread_does(qtbot: QtBot, ended: list[int]) -> None:
    """Show that the test above can fail."""
    gc.enable()
    try:
        with littered():
            assert ended
    finally:
        gc.disable()
    assert ended != [threading.get_ident()]


def test_it_is_left_to_python_again(qtbot: QtBot) -> None:
    parent = QObject()
    collector = GuiCollector(parent)
    assert not gc.isenabled()
    collector.stop()
    assert gc.isenabled()
    gc.disable()


def test_memory_released_during_many_allocations_is_returned(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    given_back: list[int] = []
    monkeypatch.setattr(collecting, "_give_back", lambda: given_back.append(1))
    monkeypatch.setattr(collecting, "_GIVEN_BACK_AFTER_S", 0.0)
    parent = QObject()
    collector = GuiCollector(parent)
    try:
        end = rest()
        kept = [[number] for number in range(100_000)]
        collector.collect()
        assert given_back == []
        end()
        collector.collect()
        collector.collect()
        assert given_back == [1]
        few = rest()
        few()
        collector.collect()
        assert given_back == [1]
        assert len(kept) == 100_000
    finally:
        collector.stop()
        gc.disable()
        gc.unfreeze()
