"""The real window over a real workspace, with a mouse and a keyboard, whole or with some of its parts."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from app.desktop.map import MapProfile
from app.desktop.window.main_window import MainWindow
from engine.geocoding.geocoding import Geocoding
from tests.desktop.conftest import process_kept
from tests.desktop.window.kept import KeptWindow, close_window, make_window
from tests.desktop.window.small.user import SmallUser, small_user
from tests.desktop.window.small.window import SmallWindow
from tests.desktop.window.typist import Book, Typist
from tests.desktop.window.user import User
from tests.distribution import LATER

# Message of the offscreen platform about a popup, since it has no window manager and no keyboard.
_NO_WINDOW_MANAGER = (
    r"^This plugin does not support raise\(\)$",
    "^This plugin does not support grabbing the keyboard$",
)

_HERE = Path(__file__).parent
_KEPT: list[KeptWindow] = []
"""The window that is passed on, if there is one."""

_LOOKER = "looker"
_FAILED = pytest.StashKey[bool]()


def pytest_configure(config: pytest.Config) -> None:
    """Ignore messages about the missing screen, and register the marker of tests that need their own window."""
    config.addinivalue_line("markers", "new_window: a test gets a new window, though the one before may be as new")
    config.addinivalue_line("markers", "parts(*names): a test gets a small window with these parts of the main window")
    config.addinivalue_line("markers", "whole_window: a test gets the whole window, unlike the others in its file")
    for pattern in _NO_WINDOW_MANAGER:
        config.addinivalue_line("qt_log_ignore", pattern)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests of small windows before those of the whole window, which is passed on from file to file.

    A small window closes it, and its style sheet makes each widget of a small window expensive.
    """
    of_window = {path for path in {item.path for item in items} if path.is_relative_to(_HERE)}
    for item in items:
        item.stash[LATER] = item.path in of_window and not (is_small(item) or _LOOKER in names_of(item))
    items.sort(key=lambda item: item.stash[LATER])


def is_small(item: pytest.Item) -> bool:
    """Return whether a test gets a small window."""
    return item.get_closest_marker("parts") is not None and item.get_closest_marker("whole_window") is None


def names_of(item: pytest.Item) -> list[str]:
    """Return the names of a test's fixtures."""
    return item.fixturenames if isinstance(item, pytest.Function) else []


def parts_of(item: pytest.Item) -> list[str]:
    """Return the parts of the small window that a test needs."""
    return [str(name) for mark in item.iter_markers("parts") for name in mark.args]


@pytest.fixture(scope="session")
def _profile(_profile_goes_last: None) -> Iterator[MapProfile]:
    """The profile of all windows."""
    profile = MapProfile()
    yield profile
    profile.handler.close()
    delete(profile)


@pytest.fixture(scope="session")
def map_profile(_profile: MapProfile) -> Iterator[MapProfile]:
    """The profile of all whole windows, whose pages share a process."""
    with process_kept(_profile):
        yield _profile


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Record that a test has failed, so that its window is closed."""
    report = yield
    if report.failed:
        item.stash[_FAILED] = True
    return report


@pytest.fixture(scope="package")
def kept_window(map_profile: MapProfile) -> Iterator[KeptWindow]:
    """The window that is passed from test to test."""
    kept = KeptWindow(map_profile)
    _KEPT.append(kept)
    yield kept
    _KEPT.remove(kept)
    kept.close()


@pytest.fixture
def empty_window(qtbot: QtBot, kept_window: KeptWindow, map_profile: MapProfile) -> Iterator[MainWindow]:
    """A new window without a workspace, and the only window."""
    kept_window.close()
    window = make_window(map_profile)
    yield window
    close_window(window)


@pytest.fixture
def small(
    qtbot: QtBot, qapp: QApplication, _profile: MapProfile, request: pytest.FixtureRequest
) -> Iterator[SmallUser]:
    """A user of a small window with a temporary workspace, and with the parts in the marks of the test."""
    for kept in _KEPT:
        kept.close()
    # Set by whole windows.
    qapp.setStyleSheet("")
    window = SmallWindow(_profile, parts_of(request.node))
    try:
        yield small_user(qtbot, window)
    finally:
        window.end()


@pytest.fixture
def user(request: pytest.FixtureRequest) -> User:
    """A user of a window with a temporary workspace: a small one if the test is marked with its `parts`."""
    name = "small" if is_small(request.node) else "_whole"
    made: User = request.getfixturevalue(name)
    return made


@pytest.fixture
def _whole(qtbot: QtBot, kept_window: KeptWindow, request: pytest.FixtureRequest) -> Iterator[User]:
    """A user of the whole window, which shows Ljubljana at a high zoom level."""
    hand_on = request.node.get_closest_marker("new_window") is None
    made = kept_window.take(qtbot, hand_on=hand_on)
    yield made
    kept_window.give_back(made.window, hand_on=hand_on and _FAILED not in request.node.stash)


@pytest.fixture
def looker(small: SmallUser) -> User:
    """A user of a small window with one geofence who opens a dialog and checks it."""
    small.given()
    return small


@pytest.fixture
def typist(qtbot: QtBot, user: User) -> Typist:
    made = Typist(qtbot, user.window)
    made.hand = user.hand
    return made


@pytest.fixture
def book(typist: Typist, monkeypatch: pytest.MonkeyPatch) -> Book:
    """A geocoder with the same results on every machine."""
    made = Book()
    monkeypatch.setattr(Geocoding, "geocoder", property(lambda _: made))
    monkeypatch.setattr(Geocoding, "places", property(lambda _: made))
    return made
