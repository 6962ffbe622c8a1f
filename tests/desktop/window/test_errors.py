"""Errors are shown at the field, and nothing below the mouse moves when they appear or disappear."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from app.desktop.dialogs.timing import TimingDialog
from app.desktop.model.simulation.sender import Timing
from app.desktop.panels.widgets import Field
from engine.domain.geometry import Point
from engine.domain.settings import Comparison, Condition, SegmentRule, SettingsChange
from engine.domain.tracking.tracks import Track, TrackPoint
from tests.desktop.waiting import let_work
from tests.desktop.window.user import LEFT, NO_KEYS, User

pytestmark = pytest.mark.parts(
    "areas", "clock", "fences", "form", "isochrones", "list", "project", "selection", "tools"
)

LONG = "Radius: " + "the radius of a circle must be between 10 and 10000 metres, and is not. " * 2


def places(window: QWidget) -> dict[int, tuple[str, QRect]]:
    """Return the positions of everything visible in a window, except for the errors of fields."""
    QApplication.processEvents()
    return {
        id(each): (f"{type(each).__name__} {each.objectName()}", QRect(each.mapTo(window, QPoint()), each.size()))
        for each in window.findChildren(QWidget)
        if each.isVisible() and each.objectName() != "Bubble" and each.window() is window
    }


def settled(window: QWidget) -> dict[int, tuple[str, QRect]]:
    """Return all positions once they no longer change, for instance because the local time has arrived."""
    before: dict[int, tuple[str, QRect]] = {}
    now = places(window)
    while now != before:
        let_work(100)
        before, now = now, places(window)
    return now


def moved(before: dict[int, tuple[str, QRect]], after: dict[int, tuple[str, QRect]]) -> list[str]:
    return [name for key, (name, rect) in before.items() if after.get(key, (name, rect))[1] != rect]


def rect_of(widget: QWidget) -> QRect:
    return QRect(widget.mapTo(widget.window(), QPoint()), widget.size())


def fields(window: QWidget) -> Iterator[Field]:
    return (field for field in window.findChildren(Field) if field.isVisible())


def check(window: QWidget) -> int:
    """Show a long error at every visible field. Nothing else may move. Returns the number of fields."""
    before, count = settled(window), 0
    for field in fields(window):
        field.show_error(LONG)
        assert moved(before, places(window)) == []
        assert field.error.isVisible()
        assert field.error.text() == LONG
        layer = field.error.parentWidget()
        assert layer is not None
        assert layer.rect().contains(field.error.geometry())
        if field.editor.height() < window.height() // 3:
            assert not rect_of(field.error).intersects(rect_of(field.editor)), "it covers the field that it is about"
        field.show_error(None)
        assert not field.error.isVisible()
        assert moved(before, places(window)) == []
        count += 1
    return count


def test_nothing_moves_in_the_form_when_an_error_comes_and_goes(user: User) -> None:
    form = user.window.form
    user.select(user.given())
    seen = 0
    for number in range(3):
        user.click(form.switch.buttons[number])
        seen += check(user.window)
    assert seen >= 12


def test_nothing_moves_in_the_dialogs(user: User) -> None:
    window = user.window
    rule = SegmentRule("Odd", "odd", (Condition("deviceId", Comparison.EQUALS, "x"),))
    user.engine.settings.change(window.model.environment, SettingsChange(segments=(rule,)))
    window.project.open()
    dialog = window.project.dialog
    user.until(lambda: dialog.entry("segments").editor.list.count() == 1)  # type: ignore[attr-defined]
    for number in range(len(dialog.pages)):
        dialog.show_page(number)
        assert check(dialog)
    dialog.close()
    window.clock.open()
    assert check(window.clock.dialog) == 3
    window.clock.dialog.close()
    window.areas.open()
    assert check(window.areas.dialog) == 4
    window.areas.dialog.close()
    track = Track("walk", (TrackPoint(Point(14.49, 46.05)), TrackPoint(Point(14.5, 46.05))))
    timing = TimingDialog(window, track, Timing(), window.model.now())
    timing.show()
    assert check(timing) == 2
    timing.close()


def test_nothing_moves_in_the_panel_of_isochrones(user: User) -> None:
    user.tool(user.window.actions_.isochrone)
    panel = user.window.isochrones.panel
    user.until(panel.isVisible)
    before = places(user.window)
    panel.show_error("coordinates", LONG)
    assert moved(before, places(user.window)) == []
    assert panel.fields["coordinates"].error.isVisible()
    user.window.map.cancel()
    user.until(lambda: not panel.isVisible())
    assert not panel.fields["coordinates"].error.isVisible()


@pytest.mark.whole_window
def test_a_click_meets_the_widget_below_the_mouse(user: User) -> None:
    """The click also arrives if an error is shown over the control in the meantime."""
    form = user.window.form
    fence = user.given()
    user.select(fence)
    box = form.basics.enabled
    user.type(form.basics.radius.number, "9", enter=False)
    QApplication.processEvents()
    position = box.mapTo(user.window, QPoint(8, box.height() // 2))
    user.press(Qt.Key.Key_Return, on=form.basics.radius.number.lineEdit())
    error = form.field("size").error
    user.until(error.isVisible)
    assert "between 10 and 10000" in error.text()
    assert user.window.childAt(position) is box
    QTest.mouseClick(user.window.windowHandle(), LEFT, NO_KEYS, position)
    user.until(lambda: not user.only().enabled)


def test_the_field_with_the_keyboard_is_never_covered(user: User) -> None:
    form = user.window.form
    user.select(user.given())
    for number, first in ((0, form.basics.description), (2, form.rules.editors["stop_detection"])):
        user.click(form.switch.buttons[number])
        for field in tuple(fields(form)):
            first.setFocus()
            for _ in range(12):
                # A field that is left unchanged is valid again.
                field.show_error(LONG)
                QApplication.processEvents()
                focus = QApplication.focusWidget()
                assert focus is not None
                if form.isAncestorOf(focus):
                    assert not rect_of(field.error).intersects(rect_of(focus)), type(focus).__name__
                QTest.keyClick(focus, Qt.Key.Key_Tab)
            field.show_error(None)


def written_out(label: QLabel) -> bool:
    return label.height() > 1.5 * label.fontMetrics().height()


def test_of_several_errors_the_one_that_is_looked_at_is_written_out(user: User) -> None:
    form = user.window.form
    user.select(user.given())
    tag, key = form.field("tag"), form.field("external_id")
    form.show_errors({"tag": LONG, "external_id": LONG.replace("Radius", "External ID")})
    assert tag.error.isVisible()
    assert key.error.isVisible()
    for one, other in ((tag, key), (key, tag)):
        QTest.mouseMove(one, one.rect().center())
        user.until(lambda one=one: written_out(one.error))  # type: ignore[misc]
        assert not written_out(other.error)
        assert not other.error.geometry().intersects(one.error.geometry())
    QTest.mouseMove(user.window.map)
    form.basics.tag.setFocus()
    user.until(lambda: written_out(tag.error))
    assert not written_out(key.error)


@pytest.mark.whole_window
@pytest.mark.parametrize("text", ["Tag: must not be empty.", LONG])
def test_an_error_follows_its_field(user: User, text: str) -> None:
    form = user.window.form
    user.select(user.given())
    form.field("size").show_error(text)
    below = rect_of(form.field("size").error).top() - rect_of(form.field("size").editor).bottom()
    user.window.resize(1200, 900)
    user.until(lambda: user.window.height() == 900)
    assert rect_of(form.field("size").error).top() - rect_of(form.field("size").editor).bottom() == below
    user.click(form.switch.buttons[1])
    assert not form.field("size").error.isVisible()
    user.click(form.switch.buttons[0])
    assert form.field("size").error.isVisible()
    user.window.resize(1280, 800)
