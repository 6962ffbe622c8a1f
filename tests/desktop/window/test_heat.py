"""The heat map of fixes and events: its shortcut, its panel and its painting."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.tracking.updates import LocationUpdate
from engine.tracking.kept.heat import HeatSource
from tests.desktop.window.user import CENTRE, User

pytestmark = pytest.mark.parts("availability", "heat")

TEST = Environment.TEST


def report(user: User, count: int) -> None:
    """Send fixes from around one place, half of them inside a geofence."""
    for number in range(count):
        place = Point(CENTRE[0] + number % 7 * 0.0002, CENTRE[1] + number % 5 * 0.0002)
        user.engine.tracking.track(TEST, LocationUpdate(device_id=f"d{number % 3}", point=place, accuracy_m=5))


@pytest.mark.whole_window
def test_fixes_and_events_are_painted_at_their_positions(user: User) -> None:
    heat = user.window.heat
    before = user.hand.color_at(CENTRE)
    user.press(Qt.Key.Key_H)
    user.until(lambda: heat.panel.text.text() == "No fixes in this time.")
    report(user, 60)
    user.until(lambda: heat.panel.text.text() == "60 fixes.")
    user.until(lambda: user.hand.color_at(CENTRE).red() > 200 and user.hand.color_at(CENTRE) != before)
    warm = user.hand.color_at(CENTRE)
    assert warm.red() > warm.blue() + 60
    far = (CENTRE[0] + 0.006, CENTRE[1])
    there = user.hand.color_at(far)
    heat.panel.source.setFocus()
    QTest.keyClick(heat.panel.source, Qt.Key.Key_Down)
    user.until(lambda: heat.panel.text.text() == "No events in this time." and heat.answered)
    assert user.hand.color_at(far) == there
    user.click(heat.panel.close_button)
    assert not user.window.actions_.heat.isChecked()
    assert not heat.panel.isVisible()


def test_positions_leave_as_time_passes_without_news(user: User) -> None:
    panel = user.window.heat.panel
    report(user, 5)
    panel.period.setCurrentIndex(0)
    user.press(Qt.Key.Key_H)
    user.until(lambda: panel.text.text() == "5 fixes.")
    user.until(lambda: user.window.heat.answered and user.window.operations.under_way == 0)
    user.engine.set_clock(ClockChange(advance_s=2 * 3_600.0))
    user.until(lambda: panel.text.text() == "No fixes in this time.")
    user.click(panel.close_button)
    panel.period.setCurrentIndex(panel.period.count() - 1)


def test_the_newest_positions_of_a_time_are_read(user: User) -> None:
    report(user, 40)
    heat, now = user.engine.heat, user.window.model.now()
    assert heat.positions(TEST, HeatSource.FIXES).shape == (40, 2)
    assert heat.positions(TEST, HeatSource.FIXES, most=7).shape == (7, 2)
    assert heat.positions(TEST, HeatSource.FIXES, since=now.replace(year=now.year + 1)).shape == (0, 2)
    assert heat.positions(Environment.LIVE, HeatSource.FIXES).shape == (0, 2)
    assert heat.positions(TEST, HeatSource.FIXES, most=1)[0] == pytest.approx(
        [CENTRE[0] + 39 % 7 * 0.0002, CENTRE[1] + 39 % 5 * 0.0002]
    )
