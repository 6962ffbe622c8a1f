"""Legibility: in light and dark, at the usual font size and at one and a half times that size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QCalendarWidget,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QRadioButton,
    QScrollArea,
    QSlider,
    QTableView,
    QToolButton,
    QWidget,
)

from app.desktop.dialogs.timing import TimingDialog
from app.desktop.model.simulation.sender import Timing
from app.desktop.model.simulation.status import SimulationState
from app.desktop.style import ThemeChoice
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.settings import SettingsChange
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.domain.tracking.updates import LocationUpdate
from tests.desktop.window.user import LEFT, NO_KEYS, User

pytestmark = pytest.mark.slow

TEST = Environment.TEST
_READABLE = 4.5
"""The minimum contrast of text required by WCAG."""


@pytest.fixture(params=[1.0, pytest.param(1.5, marks=pytest.mark.new_window)], ids=["100%", "150%"])
def letters(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[float]:
    """The relative font size of the desktop."""
    before = qapp.font()
    larger = qapp.font()
    larger.setPointSizeF(before.pointSizeF() * request.param)
    qapp.setFont(larger)
    yield request.param
    qapp.setFont(before)


def picture(widget: QWidget, rect: QRect | None = None) -> QImage:
    """Return the visible part of a widget as a picture."""
    return widget.grab(rect or widget.rect()).toImage()


def luminance(color: QColor) -> float:
    parts = (color.redF(), color.greenF(), color.blueF())
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(image: QImage) -> float:
    """Return the highest contrast between the background of a picture and any other colour in it."""
    pixels = Counter(image.pixel(x, y) for x in range(image.width()) for y in range(image.height()))
    ground = luminance(QColor(pixels.most_common(1)[0][0]))
    ratios = []
    for pixel in pixels:
        other = luminance(QColor(pixel))
        ratios.append((max(ground, other) + 0.05) / (min(ground, other) + 0.05))
    return max(ratios)


def check_month(calendar: QCalendarWidget) -> None:
    """Check that every day and weekday has a distinct and legible text."""
    calendar.setCurrentPage(2026, 3)
    view = calendar.findChild(QTableView, "qt_calendar_calendarview")
    assert view is not None
    model = view.model()
    cells: dict[str, QImage] = {}
    for row in range(model.rowCount()):
        for column in range(7):
            index = model.index(row, column)
            rect = view.visualRect(index)
            # March of 2026 begins on a Sunday. The surrounding days of other months have the same numbers.
            if str(index.data()) not in cells:
                cells[str(index.data())] = picture(view.viewport(), rect.adjusted(3, 3, -3, -3))
    assert len(cells) == 31 + 7
    texts, images = list(cells), list(cells.values())
    for number, image in enumerate(images):
        same = [texts[other] for other in range(number) if images[other] == image]
        assert not same, f"{texts[number]} looks like {same}"
        of_other_month = int(texts[number]) > 20 if texts[number].isdecimal() else False
        assert contrast(image) >= (2.5 if of_other_month else _READABLE), texts[number]
    for name, least in (("monthbutton", _READABLE), ("yearbutton", _READABLE), ("prevmonth", 3.0), ("nextmonth", 3.0)):
        button = calendar.findChild(QToolButton, f"qt_calendar_{name}")
        assert button is not None
        seen = picture(calendar, QRect(button.mapTo(calendar, QPoint()), button.size()))
        assert contrast(seen) >= least, name


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_calendar_of_a_date_is_read(user: User, letters: float, theme: ThemeChoice) -> None:
    user.window.appearance.choose(theme)
    user.select(user.given())
    user.click(user.window.form.switch.buttons[2])
    moment = user.window.form.rules.editors["disable_after"]
    user.click(moment.open)
    user.until(moment.menu.isVisible)
    check_month(moment.calendar)
    moment.menu.close()
    user.window.appearance.choose("light")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_calendar_of_a_start_is_read(user: User, letters: float, theme: ThemeChoice) -> None:
    user.window.appearance.choose(theme)
    track = Track("walk", (TrackPoint(Point(14.49, 46.05)), TrackPoint(Point(14.5, 46.05))))
    dialog = TimingDialog(user.window, track, Timing(), user.window.model.now())
    dialog.show()
    user.click(dialog.start_at)
    QTest.mouseClick(dialog.start, LEFT, NO_KEYS, QPoint(dialog.start.width() - 10, dialog.start.height() // 2))
    user.until(lambda: dialog.start.calendarWidget().isVisible())
    check_month(dialog.start.calendarWidget())
    dialog.start.calendarWidget().window().close()
    dialog.close()
    user.window.appearance.choose("light")


def cut_off(panel: QWidget, *but: QWidget) -> list[str]:
    """Return the controls of a panel that are partly hidden, except for those in certain parts."""
    QApplication.processEvents()
    kinds = (QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox, QSlider, QLabel)
    return [
        f"{type(each).__name__} {each.geometry().getRect()}"
        for each in panel.findChildren(QWidget)
        if isinstance(each, kinds)
        and each.isVisible()
        and not any(each is part or part.isAncestorOf(each) for part in but)
        if each.visibleRegion().boundingRect() != each.rect()
        or each.height() < min(each.minimumSizeHint().height(), 28)
    ]


@pytest.mark.parametrize("size", [(1280, 800), (960, 600)])
def test_everything_of_the_simulator_is_seen_with_its_notice(
    letters: float, user: User, tmp_path: Path, size: tuple[int, int]
) -> None:
    window, panel = user.window, user.window.simulator
    window.resize(*size)
    window.docks.arrange()
    track = tmp_path / "a walk with quite a long name, from the station to the very last stop.csv"
    rows = (f"2026-05-12T06:{n:02}:00Z,46.05,{14.49 + n / 1000:.4f}" for n in range(21))
    track.write_text("time,lat,lon\n" + "\n".join(rows) + "\n")
    window.tracks.open(track)
    user.until(lambda: window.model.simulation.track is not None)
    panel.speed.setCurrentIndex(panel.speed.count() - 1)
    places = {}
    for times in range(2):
        user.click(panel.play)
        user.until(lambda: window.model.simulation.status.state is SimulationState.FINISHED)
        user.idle()
        window.model.simulation_progressed.emit()
        assert panel.note.isVisible() is (times == 1)
        if letters == 1.0 or size == (1280, 800):
            # At the smallest size, the noise and the last switch are below the rest, which scrolls.
            below = (panel.phone,) if size == (1280, 800) else (panel.trip, panel.phone)
            scroll = panel.findChild(QScrollArea)
            assert isinstance(scroll, QScrollArea)
            assert cut_off(panel, *below) == []
            scroll.ensureWidgetVisible(panel.phone, 0, 8)
            assert cut_off(panel.phone) == []
            assert cut_off(panel.trip) == []
            scroll.verticalScrollBar().setValue(0)
        places[times] = [each.geometry() for each in (panel.device, panel.speed, panel.foreground, panel.play)]
        user.click(panel.stop)
        user.until(lambda: window.model.simulation.status.position == 0)
    assert places[0] == places[1]
    user.type(panel.device, " ")
    assert panel._fields["device_id"].error.isVisible()
    assert not panel.note.isVisible()
    assert panel.foreground.geometry() == places[0][2]


def test_everything_of_a_user_is_seen(letters: float, user: User) -> None:
    window = user.window
    window.resize(1280, 800)
    window.docks.arrange()
    user.engine.tracking.track(TEST, LocationUpdate("d1", Point(14.5, 46.05), 10.0, user_id="ann"))
    user.until(lambda: len(window.model.users) == 1)
    window.model.selection.select_user(window.model.users.all()[0].summary)
    window.docks.bring(window.docks.user)
    user.until(window.user.clear.isVisible)
    scroll = window.user.findChild(QScrollArea)
    assert isinstance(scroll, QScrollArea)
    body = scroll.widget()
    assert body is not None
    assert body.width() <= scroll.viewport().width()
    scroll.ensureWidgetVisible(window.user.clear)
    assert not [each for each in cut_off(window.user) if "Button" in each or "Box" in each]


PLACES = (
    ("Ljubljana", 14.5, 46.05),
    ("Kathmandu", 85.32, 27.71),
    ("Perth", 115.86, -31.95),
    ("Chatham", -176.5, -43.95),
)


def elided(view: QTableView, column: int) -> list[str]:
    """Return the texts of a column that end in "…"."""
    model, width = view.model(), view.columnWidth(column)
    rows = (model.index(row, column) for row in range(model.rowCount()))
    return [str(index.data()) for index in rows if view.sizeHintForIndex(index).width() > width]


@pytest.mark.parametrize("size", [(1280, 800), (960, 600)])
def test_the_times_of_events_are_read_to_their_end(letters: float, user: User, size: tuple[int, int]) -> None:
    user.window.resize(*size)
    engine, view = user.engine, user.window.events.view
    engine.settings.change(TEST, SettingsChange(rate_limit=False))
    for number, (name, longitude, latitude) in enumerate(PLACES):
        change = GeofenceChange(
            tag="place",
            external_id=str(number),
            description=name,
            type="circle",
            coordinates=(longitude, latitude),
            size=500.0,
        )
        engine.geofences.create(TEST, change)
        for day in (datetime(2019, 12, 30, 22, 58, 58, tzinfo=UTC), datetime.now(UTC)):
            engine.tracking.track(
                TEST, LocationUpdate(f"phone-{number}-{day.year}", Point(longitude, latitude), 10.0, at=day)
            )
    user.until(lambda: user.window.events.model.rowCount() == 2 * len(PLACES))
    QApplication.processEvents()
    times = [str(view.model().index(row, 0).data()) for row in range(2 * len(PLACES))]
    assert any("2019" in time and "UTC+" in time for time in times), times
    assert elided(view, 0) == []
    assert elided(view, 1) == []
    if letters == 1.0 and size[0] == 1280:
        # There is enough room for a name, and nothing extends beyond the edge.
        assert view.columnWidth(2) >= view.fontMetrics().averageCharWidth() * 10
        assert view.horizontalScrollBar().maximum() == 0


def test_a_column_stays_as_wide_as_the_user_has_made_it(user: User) -> None:
    user.given()
    header = user.window.events.view.horizontalHeader()
    user.engine.tracking.track(TEST, LocationUpdate("phone-1", Point(14.5, 46.05), 10.0))
    user.until(lambda: user.window.events.model.rowCount() == 1)
    before = header.sectionSize(0)
    edge = QPoint(header.sectionViewportPosition(0) + before - 1, header.height() // 2)
    QTest.mousePress(header.viewport(), LEFT, NO_KEYS, edge)
    QTest.mouseMove(header.viewport(), edge + QPoint(20, 0))
    QTest.mouseMove(header.viewport(), edge + QPoint(40, 0))
    QTest.mouseRelease(header.viewport(), LEFT, NO_KEYS, edge + QPoint(40, 0))
    wide = header.sectionSize(0)
    assert wide > before + 20
    user.engine.tracking.track(TEST, LocationUpdate("phone-2", Point(14.5, 46.05), 10.0))
    user.until(lambda: user.window.events.model.rowCount() == 2)
    assert header.sectionSize(0) == wide


def changed(before: QImage, after: QImage, contrast: float) -> int:
    """Return the number of pixels that have changed by this contrast."""
    count = 0
    for x in range(before.width()):
        for y in range(before.height()):
            one, other = luminance(before.pixelColor(x, y)), luminance(after.pixelColor(x, y))
            count += (max(one, other) + 0.05) / (min(one, other) + 0.05) >= contrast
    return count


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_keyboard_focus_is_visible(user: User, theme: ThemeChoice) -> None:
    window = user.window
    window.appearance.choose(theme)
    user.select(user.given())
    window.clock.open()
    track = Track("walk", (TrackPoint(Point(14.49, 46.05)), TrackPoint(Point(14.5, 46.05))))
    timing = TimingDialog(window, track, Timing(), window.model.now())
    timing.show()
    timing.speed.setText("5")
    basics = window.form.basics
    assert basics.enabled.isChecked()
    assert timing.assumed.isChecked()
    cases: tuple[tuple[QAbstractButton, QWidget], ...] = (
        (basics.enabled, basics.description),
        (timing.assumed, timing.speed),
        (timing.start_at, timing.speed),
        (timing.ok, timing.speed),
        (window.clock.dialog.frozen, window.clock.dialog.now),
        (window.toolbar.environments.test, basics.description),
        (window.toolbar.environments.live, basics.description),
    )
    for button, elsewhere in cases:
        button.window().activateWindow()
        elsewhere.setFocus()
        QApplication.processEvents()
        around = QRect(button.mapTo(button.window(), QPoint()), button.size())
        before = picture(button.window(), around)
        button.setFocus(Qt.FocusReason.TabFocusReason)
        QApplication.processEvents()
        assert button.hasFocus()
        # Buttons with the accent colour as fill have a ring in the text colour, which contrasts with the surroundings.
        least = 3.0 if isinstance(button, QCheckBox | QRadioButton) else 2.0
        assert changed(before, picture(button.window(), around), least) >= 40, button.text()
    timing.close()
    window.clock.dialog.close()
    window.appearance.choose("light")


@pytest.mark.parametrize("width", [1280, 1024, 960])
def test_the_status_line_and_the_toolbar_have_room_for_everything(letters: float, user: User, width: int) -> None:
    window, status = user.window, user.window.status
    window.setMinimumSize(0, 0)
    window.resize(width, 700)
    user.given()
    user.engine.tracking.track(TEST, LocationUpdate("phone-1", Point(14.5, 46.05), 10.0))
    user.until(lambda: user.window.events.model.rowCount() == 1)
    window.model.selection.select_event(window.model.events.all()[0])
    window.clock.change(ClockChange(frozen=True))
    user.until(lambda: status.why.isVisible() and status.clock.property("own") is True)
    user.until(lambda: "1 event" in status.counts.whole)
    released, name = Event(), "Importing a table of quite a number of geofences.csv"
    window.operations.long(name, lambda _: released.wait(60), lambda _: None, window.model.report_error)
    for busy in (True, False):
        QApplication.processEvents()
        assert status.task.isVisible() is busy
        parts = [*status.findChildren(QAbstractButton), status.endpoint, status.task.text]
        for part in (each for each in parts if each.isVisible()):
            assert part.visibleRegion().boundingRect() == part.rect(), part
            assert part.width() >= part.minimumSizeHint().width(), part
            assert status.rect().contains(QRect(part.mapTo(status, QPoint()), part.size())), part
        released.set()
        user.idle()
        user.until(lambda: not status.task.isVisible())
    if letters == 1.0 and width == 1280:
        assert "frozen" in status.clock.text()
        assert status.endpoint.text().startswith("● 127.0.0.1:")
        assert status.why.text() != "Why?"
        assert status.counts.text() == status.counts.whole
    assert "frozen" in status.clock.toolTip()
    assert user.session.url is not None
    assert user.session.url in status.endpoint.toolTip()
    box = window.toolbar.search
    assert box.isVisible()
    assert window.toolbar.rect().contains(box.geometry())
    assert box.width() >= 160


def test_the_toolbar_names_its_tools_if_there_is_room(letters: float, user: User) -> None:
    window = user.window
    for width in (1280, 1100, 1280, 1900):
        window.resize(width, 800)
        QApplication.processEvents()
        circle = window.toolbar.widgetForAction(window.actions_.circle)
        assert isinstance(circle, QToolButton)
        assert window.toolbar.rect().contains(window.toolbar.search.geometry()), width
        named = circle.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        assert named is (width == 1900 or (width == 1280 and letters == 1.0)), width
    window.resize(1280, 800)


def test_typing_in_the_search_takes_no_room_from_the_name_of_the_workspace(user: User) -> None:
    window = user.window
    before = window.toolbar.sizeHint(), window.toolbar.workspace.text()
    window.toolbar.search.setText("shop")
    layout = window.toolbar.layout()
    assert layout is not None
    layout.invalidate()
    window.toolbar_layout.measure()
    assert (window.toolbar.sizeHint(), window.toolbar.workspace.text()) == before
