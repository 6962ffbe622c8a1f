"""Widths of panels: their contents fit, on every page and at every possible width."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QDockWidget, QScrollArea, QStackedWidget, QWidget

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Point, Position
from engine.domain.hours import parse_hours
from engine.domain.metadata import Metadata
from engine.domain.settings import SettingsChange
from engine.domain.tracking.updates import LocationUpdate
from tests.desktop.window.test_looks import letters as letters
from tests.desktop.window.user import User

TEST = Environment.TEST
SIZES = ((1280, 800), (1920, 1080), (960, 600))
PLACES = (
    ("Los Angeles", -118.24, 34.05),
    ("Beulah, North Dakota", -101.78, 47.26),
    ("Comodoro Rivadavia", -67.5, -45.86),
    ("Knox, Indiana", -86.62, 41.29),
)
"""Places whose time zones have long names."""

_HOURS = parse_hours({"Mon": [["00:00", "08:00"], ["18:00", "24:00"]], "Sat": [["22:00", "06:00"]]})
_LONG = "a-name-without-a-space-that-is-longer-than-any-panel-is-wide-and-goes-on-for-quite-a-while"
_METADATA: Metadata = {"floor": 12.5, "opens-on-holidays": True, "manager": "somebody with quite a long name indeed"}


def scrolled(root: QWidget) -> Iterator[QScrollArea]:
    """Yield areas that scroll only vertically, in which wider contents could not be reached."""
    never = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    for area in root.findChildren(QScrollArea):
        if area.isVisible() and area.horizontalScrollBarPolicy() is never:
            yield area


def too_wide(root: QWidget) -> list[str]:
    """Return the contents wider than the visible part of a panel, with the widget that needs this width."""
    QApplication.processEvents()
    found = []
    for area in scrolled(root):
        body, room = area.widget(), area.viewport().width()
        if body is not None and body.width() > room:
            shown = [each for each in body.findChildren(QWidget) if each.isVisible()]
            widest = max(shown, key=lambda each: each.minimumSizeHint().width())
            found.append(f"{type(area).__name__}: {body.width()} > {room}; {_named(widest)}")
    return found + [f"{_named(each)} is beyond the edge" for each in beyond(root)]


def beyond(root: QWidget) -> Iterator[QWidget]:
    """Yield the widgets of a panel beyond its right edge, except the ones in a view of their own."""
    for widget in root.findChildren(QWidget):
        if widget.isVisible() and not _is_within_view(widget, root):
            right = widget.mapTo(root, widget.rect().topRight()).x()
            if right >= root.width():
                yield widget


def _is_within_view(widget: QWidget, root: QWidget) -> bool:
    each = widget.parentWidget()
    while each is not None and each is not root:
        if isinstance(each, QAbstractScrollArea):
            return True
        each = each.parentWidget()
    return False


def _named(widget: QWidget) -> str:
    text = getattr(widget, "text", str)
    return f"{type(widget).__name__} {widget.objectName()} {text()}".strip()


def pages(root: QWidget) -> Iterator[str]:
    """Show every page of a panel in turn."""
    stacks = [each for each in root.findChildren(QStackedWidget) if each.isVisible() and each.count() > 1]
    yield ""
    for stack in stacks:
        before = stack.currentIndex()
        for number in range(stack.count()):
            stack.setCurrentIndex(number)
            yield f"{type(stack.widget(number)).__name__} {number}"
        stack.setCurrentIndex(before)


def widths_of(dock: QDockWidget) -> tuple[int, ...]:
    """Return the widths to test: the smallest, the usual one, and one in between."""
    least = max(dock.minimumSizeHint().width(), dock.minimumWidth())
    return least, least + 25, max(dock.width(), 304)


def check_dock(user: User, dock: QDockWidget) -> list[str]:
    """Return the contents that are wider than a panel at any of its widths."""
    user.window.docks.bring(dock)
    user.until(dock.isVisible)
    found = []
    for width in widths_of(dock):
        user.window.resizeDocks([dock], [width], Qt.Orientation.Horizontal)
        QApplication.processEvents()
        for page in pages(dock):
            found += [f"{dock.objectName()} {dock.width()} {page}: {each}" for each in too_wide(dock)]
    return found


def _square(west: float, south: float, size: float) -> tuple[Position, ...]:
    east, north = west + size, south + size
    return ((west, south), (east, south), (east, north), (west, north), (west, south))


_IN_PARTS: Final = GeofenceChange(
    tag="park",
    external_id="1",
    description="A park with a lake, and another part",
    type="polygon",
    coordinates=((_square(9.5, 47.1, 0.02), _square(9.505, 47.105, 0.01)), (_square(9.53, 47.1, 0.01),)),
)


def placed(user: User) -> list[Geofence]:
    """Create geofences with all possible properties, in places whose zones have long names."""
    made = []
    for number, (name, longitude, latitude) in enumerate(PLACES):
        change = GeofenceChange(
            tag="a-tag-that-is-rather-long",
            external_id=f"{_LONG}-{number}",
            description=f"{name} {_LONG}",
            type="circle",
            coordinates=(longitude, latitude),
            size=1234.5,
            operating_hours=_HOURS,
            metadata=_METADATA,
            user_ids=(_LONG,),
        )
        made.append(user.engine.geofences.create(TEST, change))
    made.append(user.engine.geofences.create(TEST, _IN_PARTS))
    user.until(lambda: len(user.window.model.fences) == len(made))
    return made


def check_form(user: User) -> list[str]:
    """Return the contents that are wider than the form of a geofence, on each of its pages."""
    form = user.window.form
    found = []
    for fence in placed(user):
        user.select(fence)
        for section in form.sections:
            form.switch.buttons[form.sections.index(section)].click()
            user.until(section.isVisible)
            found += [f"{section.title}: {each}" for each in check_dock(user, user.window.docks.fence)]
    return found


def check_docks(user: User) -> list[str]:
    """Return the contents that are wider than any panel of the window."""
    user.engine.settings.change(TEST, SettingsChange(rate_limit=False))
    user.engine.tracking.track(TEST, LocationUpdate(_LONG, Point(-101.78, 47.26), 10.0, user_id="ann"))
    user.until(lambda: len(user.window.model.users) == 1)
    user.window.model.selection.select_user(user.window.model.users.all()[0].summary)
    user.idle()
    docks = user.window.findChildren(QDockWidget)
    assert len(docks) > 5
    return [each for dock in docks for each in check_dock(user, dock)]


@pytest.mark.slow
@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("size", SIZES)
def test_the_form_of_a_geofence_is_as_wide_as_its_panel(user: User, size: tuple[int, int]) -> None:
    user.window.resize(*size)
    user.window.docks.arrange()
    assert "\n".join(check_form(user)) == ""


@pytest.mark.slow
@pytest.mark.usefixtures("letters")
def test_no_page_is_wider_than_its_panel(user: User) -> None:
    user.window.resize(1280, 800)
    user.window.docks.arrange()
    assert "\n".join(check_docks(user)) == ""


def check_below(user: User, *sizes: tuple[int, int]) -> list[str]:
    """Return the panels below the map that overlap, at some sizes of the window."""
    docks, found = user.window.docks, []
    for size in sizes:
        user.window.resize(*size)
        docks.arrange()
        user.until(lambda: user.window.toolbar.width() >= user.window.width() - 10)
        QApplication.processEvents()
        left, right = docks.simulator.geometry(), docks.events.geometry()
        if left.right() >= right.left() or right.right() >= user.window.width():
            found.append(f"{size}: {left.getRect()}, {right.getRect()}")
    return found


@pytest.mark.slow
def test_panels_below_the_map_are_beside_each_other(letters: float, user: User) -> None:
    smallest = (960, 600) if letters == 1.0 else (1061, 700)
    assert check_below(user, (1280, 800), (1061, 700), smallest) == []
