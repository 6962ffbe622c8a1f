"""Tab reaches every control of a window once, in reading order, and then the first one again."""

from __future__ import annotations

from itertools import groupby

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtQuickWidgets import QQuickWidget
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDialog, QTabBar, QTextBrowser, QWidget

from app.desktop.panels.fields.tables import EditTable
from app.desktop.panels.related import focus_proxy_of
from app.desktop.style import apply_theme
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from tests.desktop.window.test_accessibility import MADE, accessible_name_of
from tests.desktop.window.user import User

_TAB = Qt.FocusPolicy.TabFocus.value
_MOST = 400


def taken(window: QWidget, key: Qt.Key = Qt.Key.Key_Tab) -> list[QWidget]:
    """Return the widgets that get the focus as Tab is pressed, until the first one has it again."""
    first = focus()
    order = [first]
    for _ in range(_MOST):
        before = focus()
        QTest.keyClick(before, key)
        now = focus()
        if now is before and isinstance(now, QTextBrowser | QQuickWidget):
            continue  # it moves between links, or between switches of the map, before it leaves
        if now is first:
            return order
        order.append(now)
    raise AssertionError(f"Tab does not come back: {[named(each) for each in order[-5:]]}")


def focus() -> QWidget:
    """Return the focused widget."""
    found = QApplication.focusWidget()
    assert found is not None
    return found


def named(widget: QWidget) -> str:
    """Return the description of a widget in an error message."""
    return f"{type(widget).__name__} {widget.objectName()} {accessible_name_of(widget)}".strip()


def takes(widget: QWidget) -> bool:
    """Whether Tab should reach a widget. One that represents another, such as the line of a box, is skipped."""
    able = widget.isVisible() and widget.isEnabled() and widget.focusPolicy().value & _TAB == _TAB
    return able and focus_proxy_of(widget) is None and not isinstance(widget.parent(), QAbstractItemView)


def check_once(order: list[QWidget], wanted: set[QWidget]) -> None:
    """Check that each control occurs once, and nothing else does."""
    assert [named(each) for each in order if order.count(each) > 1] == []
    assert [named(each) for each in wanted - set(order)] == []
    assert [named(each) for each in set(order) - wanted] == []


def check_reading_order(order: list[QWidget], root: QWidget) -> None:
    """Check that each control, from the first in reading order, is to the right of the previous one, or below it.

    It may also begin another column, to the right of all previous controls.
    """
    order = [each for each in order if not any(each.isAncestorOf(other) for other in order if other is not each)]
    boxes = [QRect(each.mapTo(root, QPoint(0, 0)), each.size()) for each in order]
    first = min(range(len(boxes)), key=lambda at: (boxes[at].y() // 16, boxes[at].x()))
    turned, names = boxes[first:] + boxes[:first], order[first:] + order[:first]
    for at in range(1, len(turned)):
        above, below = turned[at - 1], turned[at]
        beside = abs(above.center().y() - below.center().y()) <= 12
        is_column = below.x() > max(box.right() for box in turned[:at])
        assert is_column or (below.x() > above.x() if beside else below.center().y() > above.center().y()), (
            f"{named(names[at])} {below.getRect()} comes after {named(names[at - 1])} {above.getRect()}"
        )


def seen_panes(user: User) -> list[QWidget]:
    """Return the toolbar, the visible panels, the map with the widgets over it, and the status bar."""
    window = user.window
    return [window.toolbar, *window.docks.seen(), window.centre, window.status]


def test_tab_goes_through_the_window_and_back(user: User) -> None:
    user.given(2, "depot", longitude=14.6)
    fence = user.given()
    user.engine.geofences.update(Environment.TEST, fence.id, GeofenceChange(metadata={"floor": 3, "open": True}))
    user.select(fence)
    user.until(lambda: any(each.rowCount() == 2 for each in user.window.form.findChildren(EditTable)))
    window = user.window
    window.actions_.confidence.trigger()
    window.activateWindow()
    QApplication.processEvents()
    window.toolbar.workspace.setFocus()
    order = taken(window)
    page = window.map.render_widget()
    assert page is not None
    panes = seen_panes(user)
    wanted = {each for pane in panes for each in pane.findChildren(QWidget) if takes(each)}
    bars = {each for each in window.findChildren(QTabBar) if takes(each) and not each.visibleRegion().isEmpty()}
    check_once(order, {page, *wanted, *bars} - set(page.findChildren(QWidget)))
    for pane in panes:
        inside = [each for each in order if pane.isAncestorOf(each) and each is not page]
        if inside:
            check_reading_order(inside, pane)
    of_panes = [next((pane for pane in panes if pane.isAncestorOf(each)), None) for each in order]
    entered = [pane for pane, _ in groupby(each for each in of_panes if each is not None)]
    assert len(entered) == len(set(entered)), "a pane is left for good before the next one"
    assert entered[0] is window.toolbar
    assert entered[-1] is window.status
    back = taken(window, Qt.Key.Key_Backtab)
    assert back[1:] == order[:0:-1]
    window.actions_.confidence.setChecked(False)


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_tab_goes_through_a_dialog_and_back(looker: User, kind: type[QDialog]) -> None:
    # The style decides which buttons Tab reaches.
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application, "light")
    dialog = MADE[kind](looker)
    dialog.open()
    dialog.activateWindow()
    QApplication.processEvents()
    order = taken(dialog)
    wanted = {each for each in dialog.findChildren(QWidget) if each.window() is dialog and takes(each)}
    check_once(order, wanted)
    check_reading_order(order, dialog)
    dialog.close()
    dialog.deleteLater()
