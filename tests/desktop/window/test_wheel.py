"""The mouse wheel scrolls, and changes a field only if it has the focus. This applies to all fields of all dialogs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QCalendarWidget,
    QComboBox,
    QDateTimeEdit,
    QDialog,
    QDockWidget,
    QDoubleSpinBox,
    QScrollArea,
    QScrollBar,
    QStackedWidget,
    QWidget,
)

from app.desktop.demo import demo_file
from app.desktop.dialogs.clear import ClearDialog
from app.desktop.dialogs.timing import TimingDialog
from app.desktop.map import MapView
from app.desktop.model.simulation.sender import Timing
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.settings import Comparison, Condition, SegmentRule, SettingsChange
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.values import replace
from engine.simulation.formats.reading import read_track
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts(
    "availability",
    "clock",
    "fences",
    "isochrones",
    "list",
    "project",
    "selection",
    "shaping",
    "time",
    "tools",
    "tracks",
)

TEST = Environment.TEST
NOTCH = QPoint(0, -120)
type Field = QAbstractSpinBox | QComboBox | QAbstractSlider


def fields_in(window: QWidget) -> Iterator[Field]:
    """Yield every field that the wheel could change. The calendar's year is visible only while it has the focus."""
    for field in window.findChildren(QWidget):
        if not isinstance(field, QAbstractSpinBox | QComboBox | QAbstractSlider) or isinstance(field, QScrollBar):
            continue
        if field.window() is window and not _within(field, QCalendarWidget) and not _is_left_out(field):
            yield field


def _is_left_out(widget: QWidget) -> bool:
    """Return whether a part that does not apply now is hidden in its panel: the window would hide it again."""
    parent = widget.parentWidget()
    if parent is None or isinstance(widget, QDockWidget) or isinstance(parent, MapView):
        return False
    return (widget.isHidden() and not isinstance(parent, QStackedWidget)) or _is_left_out(parent)


def _within(widget: QWidget | None, kind: type[QWidget]) -> bool:
    return widget is not None and (isinstance(widget, kind) or _within(widget.parentWidget(), kind))


def value_of(field: Field) -> object:
    if isinstance(field, QComboBox):
        return field.currentIndex()
    if isinstance(field, QDateTimeEdit):
        return field.dateTime()
    assert isinstance(field, QDoubleSpinBox | QAbstractSlider)
    return field.value()


def bring(field: QWidget) -> None:
    """Bring a field into view, regardless of its page and panel."""
    ancestors = [field]
    while (above := ancestors[-1].parentWidget()) is not None:
        ancestors.append(above)
    for child, parent in reversed(list(pairwise(ancestors))):
        if isinstance(parent, QStackedWidget):
            parent.setCurrentWidget(child)
        child.show()
        if isinstance(child, QDockWidget) or isinstance(parent, MapView):
            # Panels over the map may overlap.
            child.raise_()
    QApplication.processEvents()
    for parent in ancestors:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(field)
    QApplication.processEvents()


def in_front(field: QWidget) -> bool:
    """Return whether a field is visible and nothing covers it."""
    if not field.isVisible():
        return False
    window = field.window()
    under = window.childAt(field.mapTo(window, field.rect().center()))
    return under is not None and (under is field or field.isAncestorOf(under))


def brought(field: QWidget) -> bool:
    """Bring a field into view and return whether it stayed there."""
    bring(field)
    return field.isVisible()


def turn_wheel(user: User, field: QWidget, notch: QPoint = NOTCH) -> None:
    """Turn the wheel over a field, like the window system.

    A pending message of the map may hide the panel at any moment, or show another one above it.
    """
    if not in_front(field):
        user.until(partial(brought, field))
    window = field.window()
    handle = window.windowHandle()
    assert handle is not None
    QTest.wheelEvent(handle, QPointF(field.mapTo(window, field.rect().center())), notch)
    QApplication.processEvents()


def turned(user: User, field: Field) -> bool:
    """Return whether the wheel changes a field that has the focus, in either direction."""
    before = value_of(field)
    for notch in (NOTCH, -NOTCH):
        if not in_front(field):
            user.until(partial(brought, field))
        field.setFocus()
        turn_wheel(user, field, notch)
        if value_of(field) != before:
            return True
    return False


def check(user: User, window: QWidget) -> int:
    """Turn the wheel over every field of a window, with and without the focus, and return their number."""
    found = list(fields_in(window))
    for field in found:
        user.until(partial(brought, field))
        assert field.isEnabled()
        window.setFocus()
        before, focus = value_of(field), QApplication.focusWidget()
        name = f"{type(field).__name__} {field.accessibleName()} of {type(field.parentWidget()).__name__}"
        for notch in (NOTCH, -NOTCH):
            turn_wheel(user, field, notch)
            assert value_of(field) == before, f"{name} was changed"
            assert QApplication.focusWidget() is focus, f"{name} took the keyboard"
        if isinstance(field, QComboBox) and (field.count() < 2 or field.isEditable()):
            continue
        assert turned(user, field), f"{name} has the keyboard and does not turn"
        # The map reports its tool after a change, which hides the panels of other tools.
        settle(user)
    return len(found)


def settle(user: User) -> None:
    """Wait until the map has received everything, and the window what the map reports."""
    settled: list[bool] = []
    user.window.map.when_settled(lambda: settled.append(True))
    user.until(lambda: bool(settled))
    user.idle()


def filled(user: User) -> None:
    """Show everything with fields: a circle with metadata, a user, a track, a segment."""
    fence = user.given()
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(metadata={"floor": 3, "open": True}))
    user.select(fence)
    user.engine.tracking.track(TEST, LocationUpdate("phone", Point(14.5, 46.05), 5.0))
    user.engine.tracking.track(TEST, LocationUpdate("tablet", Point(14.5, 46.05), 5.0))
    user.until(lambda: user.window.user.choice.count() == 2)
    user.until(lambda: user.window.form.basics.metadata.table.rowCount() == 2)
    user.window.tracks.open(demo_file("track.gpx"))
    user.until(lambda: user.window.model.simulation.track is not None)


@pytest.mark.whole_window
def test_every_field_of_the_window(user: User) -> None:
    filled(user)
    settle(user)
    # With its tool, because the panel is hidden when the map reports another one.
    user.tool(user.window.actions_.isochrone)
    user.until(user.window.isochrones.panel.isVisible)
    user.until(lambda: user.window.map.tool == "isochrone")
    user.window.actions_.confidence.trigger()
    user.until(user.window.shaping.confidence.readout.isVisible)
    user.idle()
    assert check(user, user.window) >= 12
    user.idle()


def settings(user: User) -> QDialog:
    rule = SegmentRule("A", "a", (Condition("stopped", Comparison.EQUALS, True),))
    user.engine.settings.change(TEST, SettingsChange(segments=(rule,)))
    user.window.actions_.settings.trigger()
    dialog = user.window.project.dialog
    user.until(lambda: len(dialog.findChildren(QComboBox)) > 3)
    return dialog


def clock(user: User) -> QDialog:
    user.window.actions_.clock.trigger()
    return user.window.clock.dialog


def clear(user: User) -> QDialog:
    dialog = ClearDialog(user.window, ("phone", "tablet"), None, None)
    dialog.open()
    dialog.one.setChecked(True)
    return dialog


def timing(user: User) -> QDialog:
    track = read_track(demo_file("track.gpx"))
    track = replace(track, points=tuple(replace(point, at=None) for point in track.points))
    dialog = TimingDialog(user.window, track, Timing(), datetime(2026, 5, 11, 6, 59, tzinfo=UTC))
    dialog.open()
    dialog.start_at.setChecked(True)
    return dialog


@pytest.mark.parametrize(("make", "least"), [(settings, 9), (clock, 3), (clear, 1), (timing, 1)])
def test_every_field_of_a_dialog(user: User, make: Callable[[User], QDialog], least: int) -> None:
    dialog = make(user)
    user.until(dialog.isActiveWindow)
    assert check(user, dialog) >= least
    user.idle()
    dialog.close()


def test_the_wheel_over_the_form_scrolls_it_and_stores_nothing(user: User) -> None:
    fence = user.given()
    user.select(fence)
    user.click(user.window.form.switch.buttons[2])
    section = user.window.form.rules
    user.window.resize(1280, 600)
    bar = section.verticalScrollBar()
    user.until(lambda: bar.maximum() > 0)
    turn_wheel(user, section.editors["stop_detection"])
    user.until(lambda: bar.value() > 0)
    user.idle()
    assert user.only() == fence
