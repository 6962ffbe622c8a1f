"""The timeline in the window, by mouse and keyboard: it is in sync with the map, the reasons and the events."""

from __future__ import annotations

import csv
import subprocess
import sys
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton

from app.desktop.model.simulation.status import SimulationState
from app.desktop.model.timeline.reading import Most, UserReader
from app.desktop.timeline.graph import TimelineGraph
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.queries import EventFilter, UserQuery
from engine.domain.settings import SettingsChange
from engine.domain.tracking.updates import LocationUpdate
from tests.desktop.window.test_tracks import opened, play_to_the_end, state
from tests.desktop.window.user import LEFT, NO_KEYS, User, unmarked
from tests.desktop.window.walks import write_walk

pytestmark = pytest.mark.parts(
    "availability",
    "events",
    "list",
    "many",
    "on_map",
    "reasons",
    "selection",
    "timeline",
    "tracks",
    "whatif",
    "whatif_panel",
    "why",
)

TEST = Environment.TEST


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    return write_walk(tmp_path / "walk.gpx", 14.49, 46.05)


@pytest.fixture
def at_timeline(user: User, walk: Path) -> User:
    """A user of the expanded timeline of a track that passes two circles."""
    user.given(radius_m=300.0)
    user.given(2, "depot", 14.503, radius_m=100.0)
    opened(user, walk)
    user.click(user.window.timeline_panel.toggle)
    drawn(user, 21)
    return user


def drawn(user: User, fixes: int) -> None:
    """Wait until this many fixes are drawn, and no read is pending."""
    timeline = user.window.timeline
    user.until(lambda: len(timeline.timeline) == fixes and bool(timeline.timeline.curves) and timeline.settled)
    user.until(lambda: graph(user).isVisible() and graph(user).main.box.width() > 50)


def graph(user: User) -> TimelineGraph:
    found = user.window.timeline_panel.graph
    assert found is not None
    return found


def played(user: User) -> None:
    """Play to the end, and wait until the timeline shows the resulting events."""
    play_to_the_end(user)
    count = user.engine.history.counts(TEST).events
    user.until(lambda: sum(mark.event is not None for mark in user.window.timeline.overlay.marks) == count)
    user.until(lambda: len(user.window.model.events) == count)


def place(user: User, index: int, fence: str | None = None) -> QPoint:
    """Return the position of a fix: on the curve of a geofence, or near the top of the distances."""
    shown, timeline = graph(user), user.window.timeline.timeline
    box = shown.main.box
    offset = float(timeline.offsets_s[index])
    if fence is None:
        at = QPointF(box.mapViewToScene(QPointF(offset, 0)).x(), box.sceneBoundingRect().top() + 30)
    else:
        curve = next(each for each in timeline.curves if each.geofence.description == fence)
        at = box.mapViewToScene(QPointF(offset, float(curve.distances_m[index])))
    return QPoint(shown.mapFromScene(at))


def move(user: User, at: QPoint) -> None:
    QTest.mouseMove(graph(user).viewport(), at + QPoint(3, 0))
    QTest.mouseMove(graph(user).viewport(), at)


def click(user: User, at: QPoint) -> None:
    move(user, at)
    QTest.mouseClick(graph(user).viewport(), LEFT, NO_KEYS, at)


def drag(user: User, begin: QPoint, end: QPoint) -> None:
    viewport = graph(user).viewport()
    QTest.mousePress(viewport, LEFT, NO_KEYS, begin)
    for part in range(1, 11):
        at = QPointF(begin + (end - begin) * part / 10)
        # QTest's own mouse move releases the button.
        there = viewport.mapToGlobal(at)
        moved = QMouseEvent(QEvent.Type.MouseMove, at, there, Qt.MouseButton.NoButton, LEFT, NO_KEYS)
        QApplication.sendEvent(viewport, moved)
    QTest.mouseRelease(viewport, LEFT, NO_KEYS, end)


@pytest.mark.slow
def test_pyqtgraph_is_not_imported_before_the_timeline_is_shown() -> None:
    """The import takes a third of a second, at every start."""
    code = "import sys, app.desktop.window.main_window; print('pyqtgraph' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


@pytest.mark.whole_window
def test_an_empty_timeline_gives_instructions(user: User) -> None:
    panel = user.window.timeline_panel
    assert not panel.note.isVisible()
    user.press(Qt.Key.Key_G, on=user.window.list.view)
    user.until(lambda: panel.is_open and panel._empty.isVisible())
    assert panel._empty.title.text() == "No timeline yet"
    user.until(lambda: user.window.docks.simulator.height() > user.window.height() // 2)
    user.press(Qt.Key.Key_G, on=user.window.list.view)
    user.until(lambda: not panel.is_open)
    user.until(lambda: panel.height() <= panel.head_height)


def test_distances_are_shown_before_a_track_is_played_and_outcomes_after(at_timeline: User) -> None:
    user = at_timeline
    user.engine.settings.change(TEST, SettingsChange(stop_detection=True))
    depot = user.stored()[1]
    user.engine.geofences.update(TEST, depot.id, GeofenceChange(stop_detection=False))
    timeline, overlay = user.window.timeline.timeline, user.window.timeline.overlay
    assert [curve.geofence.description for curve in timeline.curves] == ["Store 1", "Depot 2"]
    assert (overlay.bars, overlay.marks) == ((), ())
    for curve in timeline.curves:
        colors = user.window.model.fences
        pen = graph(user)._items[curve.geofence.id].line.opts["pen"]
        assert pen.color().name().upper() == colors.color(curve.geofence.tag).upper(), "the colours of the map"
    played(user)
    overlay = user.window.timeline.overlay
    assert [(bar.fence_id, bar.first, bar.last) for bar in overlay.bars] == [(depot.id, 12, 15)]
    withheld = [mark for mark in overlay.marks if mark.event is None]
    assert [(mark.at, mark.kind) for mark in withheld] == [(7, "entry")]
    assert "stop detection is on" in withheld[0].text
    click(user, place(user, 7, "Store 1"))
    user.until(lambda: user.window.reasons.answered and user.window.why.headline.text() != "")
    assert user.window.model.selection.fence_id == user.stored()[0].id
    assert "Entry withheld" in user.window.why.headline.text()


def test_hovering_rings_the_fix_and_explains_it_and_leaves_all_as_it_was(at_timeline: User) -> None:
    user = at_timeline
    played(user)
    reasons = user.window.reasons
    user.until(lambda: reasons.subject is not None and reasons.subject.name == "phone-1, fix 21 of 21")
    before = reasons.subject
    move(user, place(user, 7))
    user.until(lambda: reasons.subject is not None and reasons.subject.name == "phone-1, 08:00:07 CEST")
    user.until(lambda: reasons.answered and "Entry" in user.window.why.headline.text())
    assert "08:00:07 CEST · Store 1: 67.8 m inside the boundary" in user.window.timeline_panel.note.whole
    assert graph(user).accessibleDescription() == user.window.timeline_panel.note.whole
    QTest.mouseMove(graph(user).viewport(), QPoint(2, 2))
    user.until(lambda: reasons.subject == before)
    assert "08:00:20 CEST" in user.window.timeline_panel.note.whole


def test_a_clicked_mark_is_the_event_everywhere_and_so_is_one_chosen_in_the_table(at_timeline: User) -> None:
    user = at_timeline
    played(user)
    selection = user.window.model.selection
    click(user, place(user, 12, "Depot 2"))
    user.until(lambda: selection.event is not None)
    assert selection.event is not None
    assert (selection.event.type, selection.fence_id) == ("user.entered_geofence", user.stored()[1].id)
    assert user.window.events.view.currentIndex().row() == 2
    assert user.window.model.simulation.shown_index == 12, "and the playhead is there"
    user.until(lambda: user.window.why.headline.text() == "Entry.")
    view = user.window.events.view
    QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(view.model().index(0, 2)).center())
    chosen = graph(user)._chosen
    assert chosen is not None
    assert chosen.event == selection.event
    assert chosen.at == 15
    user.until(lambda: user.window.simulator.clock.text() == "08:00:15 CEST")
    assert together(user, 15, 12.0), "the device is where the event was"
    user.until(lambda: user.window.why.headline.text() == "Exit.")
    user.select(user.stored()[0])
    drag(user, place(user, 15), place(user, 4))
    user.select(user.stored()[1])
    assert together(user, 4, 12.0), "what else is selected leaves it where it is"


def together(user: User, index: int, accuracy_m: float) -> bool:
    """Return whether the device, its accuracy circle, the playhead and the track are at the same fix."""
    simulation = user.window.model.simulation
    return (
        simulation.shown_index == index
        and graph(user).main.playhead.value() == float(index)
        and user.window.on_map.shown_device == ("phone-1", simulation.fixes[index].point, accuracy_m)
    )


@pytest.mark.slow
def test_an_event_that_is_chosen_while_the_track_plays_does_not_stop_it(at_timeline: User) -> None:
    user = at_timeline
    played(user)
    user.window.model.simulation.set_speed(1.0)
    user.click(user.window.simulator.play)
    view = user.window.events.view
    QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(view.model().index(0, 2)).center())
    assert state(user) is SimulationState.PLAYING


@pytest.mark.slow
def test_a_finding_that_is_chosen_moves_all(at_timeline: User) -> None:
    user = at_timeline
    panel = user.window.whatif_panel
    user.window.actions_.what_if.trigger()
    panel.source.setFocus()
    QTest.keyClick(panel.source, Qt.Key.Key_Down)
    user.click(panel.switches["stop_detection"])
    user.click(panel.replay)
    user.until(lambda: panel.list.topLevelItemCount() == 4)
    item = panel.list.topLevelItem(1)
    assert item is not None
    user.click_in(panel.list, QPoint(40, panel.list.visualItemRect(item).center().y()))
    mark = next(each for each in user.window.timeline.marks if each.finding == 1)
    assert mark.at > 0
    assert together(user, mark.at, 12.0)


def test_a_click_on_a_curve_selects_its_geofence(at_timeline: User) -> None:
    user = at_timeline
    click(user, place(user, 3, "Depot 2"))
    assert user.window.model.selection.fence_id == user.stored()[1].id
    assert graph(user)._selected == user.stored()[1].id
    assert user.window.model.simulation.shown_index == 3


def test_scrubbing_by_mouse_slider_and_keys_moves_device_and_playhead_together(at_timeline: User) -> None:
    user = at_timeline
    shown = graph(user)
    user.type(user.window.simulator.accuracy, "33")
    drawn(user, 21)

    def at(index: int) -> bool:
        return together(user, index, 33.0) and user.window.simulator.clock.text() == f"08:00:{index:02} CEST"

    drag(user, place(user, 0), place(user, 10))
    user.until(lambda: at(10))
    for key, index in ((Qt.Key.Key_Right, 11), (Qt.Key.Key_Left, 10), (Qt.Key.Key_End, 20), (Qt.Key.Key_Home, 0)):
        QTest.keyClick(shown, key)
        user.until(partial(at, index))
    slider = user.window.simulator.slider
    user.press(Qt.Key.Key_PageUp, on=slider)
    user.until(lambda: slider.value() > 0 and at(slider.value() - 1))
    before = slider.value()
    user.press(Qt.Key.Key_Left, on=slider)
    user.until(lambda: slider.value() == before - 1)
    assert user.engine.users.page(TEST, UserQuery()).items == (), "nothing was sent"


def test_a_dragged_slider_moves_all_before_it_is_let_go(at_timeline: User) -> None:
    user = at_timeline
    slider, shown = user.window.simulator.slider, graph(user)
    y, first = slider.height() // 2, 8
    QTest.mousePress(slider, LEFT, NO_KEYS, QPoint(first, y))
    for x in range(first, slider.width() // 2, 6):
        QTest.mouseMove(slider, QPoint(x, y))
    user.until(lambda: slider.isSliderDown() and shown.main.playhead.value() > 5)
    assert user.window.on_map.shown_device is not None
    QTest.mouseRelease(slider, LEFT, NO_KEYS, QPoint(slider.width() // 2, y))
    user.until(lambda: user.window.model.simulation.shown_index == int(shown.main.playhead.value()))


def test_the_playhead_follows_the_playing_track(at_timeline: User) -> None:
    user = at_timeline
    user.click(user.window.simulator.play)
    user.until(lambda: graph(user).main.playhead.value() >= 2)
    user.until(lambda: state(user) is SimulationState.FINISHED)
    user.until(lambda: graph(user).main.playhead.value() == 20)


def test_zooming_panning_and_all_of_it(at_timeline: User) -> None:
    user = at_timeline
    shown = graph(user)
    whole = shown.main.box.viewRange()[0]
    shown.setFocus()
    QTest.keyClick(shown, Qt.Key.Key_Plus)
    near = shown.main.box.viewRange()[0]
    assert near[1] - near[0] < (whole[1] - whole[0]) * 0.7
    begin = QPoint(shown.width() // 2, place(user, 3).y())
    drag(user, begin, begin - QPoint(80, 0))
    assert shown.main.box.viewRange()[0][0] > near[0] + 0.3
    assert shown.speed.box.viewRange()[0] == pytest.approx(shown.main.box.viewRange()[0], abs=0.05)
    user.click(user.window.timeline_panel.fit)
    assert shown.main.box.viewRange()[0] == pytest.approx(whole)


def test_geofences_are_chosen_in_the_menu(at_timeline: User) -> None:
    user = at_timeline
    panel = user.window.timeline_panel
    menu = opened_menu(panel.fences)
    store = next(each for each in menu.actions() if unmarked(each.text()) == "Store 1")
    assert store.isChecked()
    store.trigger()
    assert graph(user).shown == (user.stored()[1].id,)
    user.select(user.stored()[0])
    assert set(graph(user).shown) == {fence.id for fence in user.stored()}, "what is selected is shown"


def opened_menu(control: QToolButton) -> QMenu:
    menu = control.menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    return menu


def test_an_edited_geofence_is_measured_again(at_timeline: User) -> None:
    user = at_timeline
    store = user.stored()[0]
    user.engine.geofences.update(TEST, store.id, GeofenceChange(size=200.0))
    curve = user.window.timeline.timeline.curve
    user.until(lambda: abs(curve_nearest(user, store.id) + 200) < 1)
    assert curve(store.id) is not None


def curve_nearest(user: User, fence_id: str) -> float:
    curve = user.window.timeline.timeline.curve(fence_id)
    return 0.0 if curve is None else curve.nearest_m


def track(user: User, *longitudes: float, device: str = "van") -> None:
    for longitude in longitudes:
        user.engine.tracking.track(TEST, LocationUpdate(device, Point(longitude, 46.05), 10.0))


def at_van(user: User, fixes: int = 4) -> None:
    """Open the timeline of a van that was in a geofence, with this many fixes."""
    user.given(radius_m=120.0)
    track(user, 14.49, 14.5, 14.5003, 14.51)
    user.until(lambda: len(user.window.model.events) == 2)
    view = user.window.events.view
    QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(view.model().index(0, 2)).center())
    user.until(lambda: user.window.user.timeline.isEnabled())
    user.window.docks.bring(user.window.docks.user)
    user.click(user.window.user.timeline)
    drawn(user, fixes)


def device_on_map(user: User) -> tuple[str, Point, float] | None:
    """Return the device that is shown at another position than its last one."""
    return user.window.on_map.shown_device


def test_the_playhead_of_a_device_moves_it_from_wherever_it_is_moved(user: User) -> None:
    at_van(user)
    shown = graph(user)
    offsets = user.window.timeline.timeline.offsets_s
    assert shown.main.playhead.value() == offsets[3], "it begins where the device is"
    view = user.window.events.view
    QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(view.model().index(1, 2)).center())
    assert shown.main.playhead.value() == offsets[1]
    assert device_on_map(user) == ("van", Point(14.5, 46.05), 10.0)
    user.until(lambda: user.window.why.headline.text() == "Entry.")
    track(user, 14.52)
    drawn(user, 5)
    assert shown.main.playhead.value() == offsets[1]
    assert device_on_map(user) == ("van", Point(14.5, 46.05), 10.0), "a new update takes it away from no fix"
    QTest.keyClick(shown, Qt.Key.Key_End)
    track(user, 14.53)
    drawn(user, 6)
    user.until(lambda: shown.main.playhead.value() == user.window.timeline.timeline.offsets_s[5])
    assert device_on_map(user) is None, "at its end it goes with the device"
    QTest.keyClick(shown, Qt.Key.Key_Home)
    assert device_on_map(user) == ("van", Point(14.49, 46.05), 10.0)
    user.press(Qt.Key.Key_G, on=user.window.list.view)
    assert device_on_map(user) is None, "without a timeline it is where it was last seen"


def test_a_device_that_comes_back_with_less_is_redrawn(user: User) -> None:
    at_van(user, 4)
    assert user.window.timeline.overlay.bars
    user.engine.history.clear_test_data("van")
    track(user, 14.49, 14.495)
    drawn(user, 2)
    assert user.window.timeline.overlay.bars == ()
    assert graph(user).main.playhead.value() == user.window.timeline.timeline.offsets_s[1]


def test_the_mouse_may_be_over_it_while_another_device_is_read(user: User) -> None:
    at_van(user)
    track(user, 14.49, 14.495, device="bike")
    user.until(lambda: len(user.window.model.users) == 2)
    bike = next(each for each in user.window.model.users.all() if each.device_id == "bike")
    at = place(user, 3)
    user.window.timeline.show_user(bike)
    move(user, at)
    click(user, at)
    QTest.keyClick(graph(user), Qt.Key.Key_Left)
    user.window.appearance.choose("dark")
    drawn(user, 2)
    move(user, place(user, 1))
    user.until(lambda: "bike" in (user.window.reasons.subject.name if user.window.reasons.subject else ""))


def test_a_cut_is_reported(user: User, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    few = Most(fixes=3, events=1)
    monkeypatch.setattr("app.desktop.timeline.loading.UserReader", lambda who: who and UserReader(who, few))
    at_van(user, 3)
    cut = user.window.timeline_panel.cut
    assert cut.isVisible()
    assert cut.text() == "Only the newest 200,000 fixes, the newest 20,000 events"
    assert "More location updates are kept" in cut.toolTip()
    user.window.timeline.exporter.export(tmp_path / "van.csv", "CSV")
    user.until(partial(_is_reported, user, "van.csv, only the newest 200,000 fixes"))


@pytest.mark.slow
def test_the_kept_updates_of_a_device_and_new_ones_as_they_come(user: User) -> None:
    at_van(user)
    overlay = user.window.timeline.overlay
    assert [(bar.first, bar.last) for bar in overlay.bars] == [(1, 3)]
    assert [mark.kind for mark in overlay.marks] == ["entry", "exit"]
    click(user, place(user, 2))
    reasons = user.window.reasons
    user.until(lambda: reasons.answered and reasons.subject is not None and reasons.subject.name.startswith("van, "))
    assert user.window.on_map.shown_device == ("van", Point(14.5003, 46.05), 10.0)
    track(user, 14.52)
    drawn(user, 5)
    user.engine.history.clear_test_data("van")
    user.until(lambda: user.window.timeline_panel.note.whole == "No location updates are kept for van.")


@pytest.mark.whole_window
def test_reset_device_and_replay_gives_the_same_events_at_the_same_times(at_timeline: User) -> None:
    user = at_timeline
    played(user)
    first = happened(user)
    assert len(first) == 4
    panel = user.window.simulator
    assert not panel.reset.isVisible()
    play_to_the_end(user)
    user.until(lambda: panel.note.text().startswith("21 fixes are older"))
    assert panel.reset.isVisible()
    user.window.resize(1280, 1000)
    before = numbers(user)
    user.click(panel.reset)
    user.until(lambda: replayed(user, before))
    assert happened(user) == first
    user.until(lambda: not panel.reset.isVisible())
    user.until(lambda: len(user.window.timeline.overlay.marks) == 4)
    again = numbers(user)
    user.click(panel.replay)
    user.until(lambda: replayed(user, again))
    assert happened(user) == first
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: not panel.replay.isEnabled())
    assert not user.window.actions_.replay.isEnabled()


def numbers(user: User) -> set[str]:
    """Return the IDs of all events."""
    return {event.id for some in user.engine.history.all(TEST, EventFilter()) for event in some}


def replayed(user: User, before: set[str]) -> bool:
    """Return whether a replay has finished, as opposed to the previous play, whose end looks the same."""
    if state(user) is not SimulationState.FINISHED:
        return False
    now = numbers(user)
    return len(now) == 4 and now.isdisjoint(before)


def happened(user: User) -> list[tuple[object, ...]]:
    """Return the contents of the events, without their IDs and the time at which the engine received them."""
    found = [event for some in user.engine.history.all(TEST, EventFilter()) for event in some]
    return [
        (event.type, event.created_at, event.geofence and event.geofence.id, event.confidence, event.duration_s)
        for event in found
    ]


@pytest.mark.whole_window
def test_exports_contain_the_shown_data(at_timeline: User, tmp_path: Path) -> None:
    user = at_timeline
    played(user)
    for kind in ("PNG", "SVG", "CSV"):
        user.window.timeline.exporter.export(tmp_path / f"timeline.{kind.lower()}", kind)
        user.until(partial(_is_reported, user, f"timeline.{kind.lower()}"))
    image = QImage(str(tmp_path / "timeline.png"))
    assert image.width() == 2 * graph(user).viewport().width()
    assert len({image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}) > 10
    drawing = ElementTree.parse(tmp_path / "timeline.svg").getroot()
    texts = " ".join(drawing.itertext())
    assert "Distance to the boundary (m)" in texts
    assert "Depot 2" in texts
    rows = list(csv.DictReader((tmp_path / "timeline.csv").read_text().splitlines()))
    assert len(rows) == 21
    assert rows[7]["time"] == "2026-05-12T06:00:07.000Z"
    store = user.window.timeline.timeline.curves[0]
    assert float(rows[7]["distance to Store 1 (m)"]) == pytest.approx(store.distances_m[7], abs=0.001)
    assert rows[12]["events"] == "phone-1 entered Depot 2"


def _is_reported(user: User, text: str) -> bool:
    return text in user.window.message.text.text()
