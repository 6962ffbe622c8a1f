"""Many geofences are read by columns. The map and the book must get the same data as if they were read one by one."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.desktop import fence_reader
from app.desktop.fence_reader import FenceReader, Portion
from app.desktop.map.packing import pack_fences
from app.desktop.model.editing.naming import new_fence
from app.desktop.model.fences import FenceBook, FenceDelta
from app.desktop.model.map_layers.fences import FenceState, state_of
from app.desktop.model.search.fences import FenceFinder
from app.desktop.model.search.results import Question
from app.desktop.model.tree import FenceTree, sort_key
from app.desktop.operations import Operations
from app.desktop.shapes import map_fence
from engine import Engine
from engine.domain.environment import Environment
from engine.domain.geofence import DEFAULT_RULES, Geofence, GeofenceChange, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Isochrone, Part, Point, Polygon
from engine.domain.hours import parse_hours
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.geofences.geofences import Geofences
from engine.geofences.parts import GeofencePart
from tests.engine.fixtures import NOON, SetClock, circle

TEST = Environment.TEST
RING = ((14.5, 46.0), (14.6, 46.0), (14.6, 46.1), (14.5, 46.0))
HOLE = ((14.55, 46.02), (14.58, 46.02), (14.58, 46.05), (14.55, 46.02))
APART = ((15.5, 46.0), (15.6, 46.0), (15.6, 46.1), (15.5, 46.0))
MEETING = ((14.6, 46.0), (14.7, 46.0), (14.6, 46.1), (14.6, 46.0))
ACROSS = ((179.5, -17.0), (-179.5, -17.0), (-179.5, -16.0), (179.5, -17.0))
LOCKED = "aa04"
HOURS = parse_hours({"Mon": [["08:00", "12:00"]]})


def geofence(
    number: int,
    geometry: Geometry,
    description: str = "",
    rules: GeofenceRules = DEFAULT_RULES,
    *,
    tag: str = "store",
    enabled: bool = True,
) -> Geofence:
    fence_id = f"aa{number:02}"
    summary = GeofenceSummary(fence_id, tag, f"{tag}-{number}", description, {"city": f"Ghent {number}"})
    return Geofence(fence_id, TEST, summary, geometry, enabled, NOON, NOON + timedelta(seconds=number), rules)


EVERY_KIND = (
    geofence(1, Circle(Point(14.5, 46.05), 120.0), "Größe \U0001f600"),
    geofence(2, Circle(Point(-180.0, -85.0), 10_000.0), enabled=False),
    geofence(3, Polygon(RING), "Gate 10", tag="Straße\n'"),
    geofence(4, Polygon(ACROSS), "Gate 2", tag=""),
    geofence(5, Isochrone(RING, center=Point(14.55, 46.05), minutes=5.0, mode=TravelMode.BIKE), "Reach"),
    geofence(6, Polygon(RING), "Over", GeofenceRules(disable_after=NOON - timedelta(hours=1)), enabled=False),
    geofence(7, Polygon(RING), "Not yet", GeofenceRules(disable_after=NOON + timedelta(hours=1)), enabled=False),
    geofence(8, Circle(Point(0.0, 0.0), 10.0), "Mornings", GeofenceRules(operating_hours=HOURS)),
    geofence(9, Circle(Point(1.0, 0.0), 10.0), "Goes", GeofenceRules(delete_after=NOON + timedelta(hours=1))),
    geofence(10, Polygon(RING, (HOLE,)), "Lake"),
    geofence(11, Polygon(RING, (HOLE,), (Part(APART, ()), Part(MEETING, ()))), "Exclaves"),
)


class Window:
    """A book that is filled by a reader, and the data that the map receives in the meantime."""

    def __init__(self, engine: Engine, qtbot: QtBot) -> None:
        self.engine, self.operations, self.book = engine, Operations(), FenceBook()
        self.problems, self.portions, self.deltas = list[str](), list[Portion](), list[FenceDelta]()
        self.now = engine.clock_of(TEST).now
        self.book.locks.replace([LOCKED])
        self.book.changed.connect(self.deltas.append)
        self.reader = FenceReader(self.operations, self.book, self.now, self.problems.append)
        self.reader.portion_read.connect(self.portions.append)
        self._qtbot = qtbot

    def read(self) -> None:
        """Read all geofences to the end."""
        self.portions.clear()
        self.reader.read(self.engine.geofences, TEST)
        self.wait()

    def wait(self) -> None:
        """Wait until all geofences are read."""
        self._qtbot.waitUntil(lambda: not self.book.is_waiting and self.operations.under_way == 0)

    def close(self) -> None:
        """Release the window."""
        self.reader.stop()
        self.operations.close()


@pytest.fixture
def window(tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    """A window over a reopened workspace, which treats any number of geofences as many."""
    monkeypatch.setattr(fence_reader, "AT_ONCE", 0)
    monkeypatch.setattr(fence_reader, "_PORTION", 4)
    with Engine.open(tmp_path / "workspace", clock=SetClock()) as engine:
        engine.geofences.put_all(TEST, EVERY_KIND, ())
    with Engine.open(tmp_path / "workspace", clock=SetClock()) as engine:
        window = Window(engine, qtbot)
        yield window
        window.close()


def packed_one_by_one(window: Window, fences: list[Geofence]) -> bytes:
    """Return the batch made of geofences as they are drawn after a change."""
    locked, color = window.book.locks.is_locked, window.book.color
    return pack_fences(
        [
            map_fence(each, color(each.tag), locked=locked(each.id), state=state_of(each, window.now, closed=False))
            for each in fences
        ]
    )


def test_portions_are_the_same_as_of_geofences_one_by_one(window: Window) -> None:
    edited = window.engine.geofences.update(TEST, "aa03", GeofenceChange(description="Edited"))
    window.engine.geofences.delete(TEST, "aa01")
    window.read()
    assert [key for portion in window.portions for key in portion.kinds] == [
        *("aa02", "aa04"),
        *("aa05", "aa06", "aa07", "aa08", "aa09"),
        *("aa10", "aa11", "aa03"),
    ]
    stored = {each.id: each for each in window.engine.geofences.all(TEST)}
    assert stored["aa03"] == edited
    for portion in window.portions:
        fences = [stored[key] for key in portion.kinds]
        assert portion.packed == packed_one_by_one(window, fences)
        assert portion.kinds == {each.id: (each.tag, state_of(each, window.now, closed=False)) for each in fences}
        assert portion.numbers == Counter(portion.kinds.values())
    states = {key: state for portion in window.portions for key, (_, state) in portion.kinds.items()}
    assert (states["aa02"], states["aa05"]) == (FenceState.DISABLED, FenceState.ENABLED)
    assert (states["aa06"], states["aa07"]) == (FenceState.EXPIRED, FenceState.DISABLED)


def test_the_book_has_the_geofences_that_are_stored(window: Window) -> None:
    window.read()
    stored = {each.id: each for each in window.engine.geofences.all(TEST)}
    assert window.book.ids() == tuple(sorted(stored))
    for each in window.book.named():
        fence = stored[each.id]
        assert (each.tag, each.external_id, each.description) == (fence.tag, fence.external_id, fence.description)
        assert (each.enabled, each.revision, each.rules) == (fence.enabled, fence.revision, fence.rules)
        assert window.book.get(each.id) == fence
        assert window.book.get(each.id) is window.book.get(each.id)
    assert {each.id: each for each in window.book.all()} == stored
    assert window.book.tags() == ("", "store", "Straße\n'")
    assert window.book.first() == stored["aa01"]


def test_geofences_with_hours_are_reported_when_all_are_read(window: Window) -> None:
    window.read()
    (delta,) = (each for each in window.deltas if each.drawn)
    assert (delta.reset, [fence.id for fence in delta.upserted]) == (True, ["aa08"])


def test_a_geofence_that_is_made_late_is_as_it_was_read(window: Window) -> None:
    """Concurrent changes of others are reported as a change, which requires that the book did not have them already."""
    window.read()
    window.engine.geofences.update(TEST, "aa01", GeofenceChange(description="Edited"))
    window.engine.geofences.delete(TEST, "aa02")
    known, removed = window.book.get("aa01"), window.book.get("aa02")
    assert known is not None
    assert removed is not None
    assert (known.description, removed.id) == (EVERY_KIND[0].description, "aa02")
    window.deltas.clear()
    edited = window.engine.geofences.get(TEST, "aa01")
    window.reader.take([edited], ["aa02"])
    assert window.deltas == [FenceDelta((edited,), ("aa02",))]
    window.reader.take([edited], ["aa02"])
    assert len(window.deltas) == 1


def test_a_repeated_report_of_an_unbuilt_geofence_is_no_change(window: Window) -> None:
    window.read()
    window.deltas.clear()
    stored = window.engine.geofences.all(TEST)
    window.reader.take(stored, ())
    assert window.deltas == []
    other = replace(stored[0], enabled=not stored[0].enabled)
    window.reader.take([other], ())
    assert window.deltas == [FenceDelta((other,))]


def test_changes_that_arrive_while_they_are_read_win(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    geofences, go_on, begun = window.engine.geofences, threading.Event(), threading.Event()
    parts = Geofences.parts

    def slowly(self: Geofences, environment: Environment, most: int) -> Iterator[GeofencePart]:
        for part in parts(self, environment, most):
            yield part
            begun.set()
            go_on.wait(30)

    monkeypatch.setattr(Geofences, "parts", slowly)
    window.reader.read(geofences, TEST)
    assert begun.wait(30)
    edited = geofences.update(TEST, "aa01", GeofenceChange(description="Edited"))
    new = geofences.create(TEST, circle("new"))
    geofences.delete(TEST, "aa02")
    window.reader.take([edited, new], ["aa02"])
    go_on.set()
    window.wait()
    assert {each.id: each for each in window.book.all()} == {each.id: each for each in geofences.all(TEST)}
    assert "aa02" not in window.book
    assert window.deltas[-1].removed == ("aa02",)


def test_lookups_by_name_need_no_full_geofences(window: Window) -> None:
    window.read()
    stored = window.engine.geofences.all(TEST)
    shape = GeofenceChange(type="circle", coordinates=(0, 0), size=100.0)
    assert new_fence(window.book.named(), "store", shape) == new_fence(stored, "store", shape)
    tree, expected = FenceTree(), FenceTree()
    tree.rebuild(window.book.named())
    expected.rebuild(stored)
    assert tree.ids() == expected.ids()
    for each in window.book.named():
        fence = window.book.get(each.id)
        assert fence is not None
        assert (sort_key(each), tree.locate(each.id)) == (sort_key(fence), expected.locate(each.id))


@pytest.mark.parametrize("text", ["ghent 3", "gate", "aa05", "store-9"])
def test_words_are_looked_for_in_all_of_a_geofence(window: Window, text: str) -> None:
    window.read()
    stored = window.engine.geofences.all(TEST)
    tree, expected = FenceTree(), FenceTree()
    for each, fences in ((tree, window.book.named()), (expected, stored)):
        each.search(text)
        each.rebuild(fences)
    assert tree.ids() == expected.ids() != ()
    question = Question(text, None)
    found, as_stored = FenceFinder().find(window.book.named(), question), FenceFinder().find(stored, question)
    assert found == as_stored
    assert found.found
