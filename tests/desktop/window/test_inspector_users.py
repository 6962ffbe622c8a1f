"""The list of users with their location and last update: sorted, filtered, and live."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from time import perf_counter

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.desktop.model.inspector.user_rows import UserColumn
from app.desktop.panels.users.table import UserTable
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.queries import UserFilter
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.values import replace
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("reasons", "user", "user_list", "user_rows", "users")

TEST = Environment.TEST
INSIDE, OUTSIDE = 14.5, 14.6


def sent(user: User, device: str, longitude: float, *, accuracy_m: float = 10.0, user_id: str | None = None) -> None:
    user.engine.tracking.track(TEST, LocationUpdate(device, Point(longitude, 46.05), accuracy_m, user_id=user_id))


def table(user: User) -> UserTable:
    user.window.docks.bring(user.window.docks.users)
    return user.window.users


def column(user: User, number: int) -> list[str]:
    model = user.window.users.model
    return [str(model.index(row, number).data()) for row in range(model.rowCount())]


def sort_by(user: User, number: UserColumn) -> None:
    header = user.window.users.view.horizontalHeader()
    at = QPoint(header.sectionViewportPosition(number) + 20, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_users_are_listed_with_presence_and_last_fix(user: User) -> None:
    user.given(12)
    sent(user, "d2", INSIDE, user_id="ann")
    sent(user, "d10", OUTSIDE, accuracy_m=75)
    table(user)
    user.until(lambda: column(user, UserColumn.NAME) == ["ann on d2", "d10"])
    assert column(user, UserColumn.INSIDE) == ["Store 12", ""]
    assert column(user, UserColumn.ACCURACY) == ["10 m", "75 m"]
    assert all(text.endswith("s ago") for text in column(user, UserColumn.SEEN))
    sent(user, "d2", OUTSIDE, user_id="ann")
    user.until(lambda: column(user, UserColumn.INSIDE) == ["", ""])


def test_they_are_sorted_and_filtered(user: User) -> None:
    user.given(12)
    for number, device in enumerate(("d10", "d9", "e1")):
        sent(user, device, INSIDE if number else OUTSIDE, accuracy_m=10.0 + number)
    panel = table(user)
    user.until(lambda: column(user, UserColumn.NAME) == ["d9", "d10", "e1"])
    sort_by(user, UserColumn.SEEN)
    user.until(lambda: column(user, UserColumn.NAME) == ["d10", "d9", "e1"])
    sort_by(user, UserColumn.SEEN)
    user.until(lambda: column(user, UserColumn.NAME) == ["e1", "d9", "d10"])
    user.type(panel.words, "store/12 STORE", enter=False)
    user.until(lambda: column(user, UserColumn.NAME) == ["e1", "d9"])
    assert user.window.docks.title(user.window.docks.users).note.whole == "2 of 3"
    user.type(panel.words, " nobody", enter=False)
    user.until(lambda: panel._stack.currentIndex() == 2)
    user.press(Qt.Key.Key_Escape, on=panel.words)
    user.until(lambda: len(column(user, UserColumn.NAME)) == 3)


def test_a_chosen_user_is_shown_everywhere(user: User) -> None:
    user.given()
    sent(user, "d1", INSIDE)
    sent(user, "d2", OUTSIDE)
    panel = table(user)
    user.until(lambda: len(column(user, UserColumn.NAME)) == 2)
    # The map has moved to the geofence, so that the user outside of it is out of view.
    user.until(lambda: not _holds(user.window.map.bounds(), OUTSIDE, 46.05))
    user.click_in(panel.view, panel.view.visualRect(panel.model.index(1, 0)).center())
    shown = user.window.user
    user.until(lambda: shown.user is not None and shown.user.device_id == "d2")
    user.until(lambda: user.window.reasons.answered)
    user.until(lambda: _holds(user.window.map.bounds(), OUTSIDE, 46.05))
    assert user.window.model.selection.user is not None
    # A new row in front, and changes by others, do not affect the selection.
    sent(user, "c1", INSIDE)
    user.until(lambda: column(user, UserColumn.NAME) == ["c1", "d1", "d2"])
    assert panel.view.currentIndex().row() == 2
    assert shown.user is not None
    assert shown.user.device_id == "d2"


def _holds(bounds: Sequence[float], longitude: float, latitude: float) -> bool:
    west, south, east, north = bounds
    return west <= longitude <= east and south <= latitude <= north


def test_the_row_in_view_stays_while_users_move(user: User) -> None:
    for number in range(80):
        sent(user, f"d{number}", OUTSIDE)
    panel = table(user)
    user.until(lambda: len(column(user, UserColumn.NAME)) == 80)
    panel.view.verticalScrollBar().setValue(30)
    top = panel.model.user_at(panel.view.rowAt(0)).device_id
    for number in range(20):
        sent(user, f"a{number}", OUTSIDE)
    user.until(lambda: panel.model.rowCount() == 100)
    assert panel.model.user_at(panel.view.rowAt(0)).device_id == top


def test_of_too_many_users_those_seen_last_are_listed(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.desktop.window.controllers.inspector.users.KEPT", 3)
    for number in range(6):
        sent(user, f"d{number}", OUTSIDE)
    sent(user, "d0", OUTSIDE)
    table(user)
    user.until(lambda: len(column(user, UserColumn.NAME)) == 6)
    user.window.user_list._read_soon.ring()
    user.window.user_list._read_soon.deliver()
    user.until(lambda: column(user, UserColumn.NAME) == ["d0", "d4", "d5"])


@pytest.mark.second_try("measures how long 10,000 users are sorted and drawn")
def test_ten_thousand_users_stay_smooth(user: User) -> None:
    """The bounds are generous. The test checks that nothing is quadratic, and that no frame waits for all users."""
    sent(user, "d1", OUTSIDE)
    panel, rows = table(user), user.window.user_rows
    user.until(lambda: len(rows) == 1)
    user.window.user_list._read_soon.deliver()
    (first,) = user.engine.users.all(TEST, UserFilter())
    at = datetime(2026, 5, 1, tzinfo=UTC)
    many = [
        replace(first[0], id=f"u{number:05}", device_id=f"d{number}", updated_at=at + timedelta(seconds=number))
        for number in range(10_000)
    ]
    rows.replace(many)
    assert panel.model.rowCount() == 10_000
    began = perf_counter()
    rows.sort(UserColumn.SEEN, descending=True)
    rows.filter("d99")
    rows.filter("")
    assert perf_counter() - began < 5
    began = perf_counter()
    for start in range(0, 10_000, 1_000):
        rows.take(many[start : start + 1_000])
        panel.view.viewport().repaint()
    assert perf_counter() - began < 5
