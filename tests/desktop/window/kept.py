"""A window that is passed from test to test until one leaves a trace in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from time import monotonic

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.map import MapProfile
from app.desktop.map.messages import CameraMoved
from app.desktop.operations import Lane
from app.desktop.panels.geofence.operation import OperationPanel
from app.desktop.relay import Relay
from app.desktop.window.controllers.workspaces import bind
from app.desktop.window.main_window import MainWindow
from app.other_workspaces import OtherWorkspaces
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.simulation.phone import EXACT
from engine.store.workspace import MEMORY
from tests.desktop.conftest import Runner, newly_running, running
from tests.desktop.waiting import let_work
from tests.desktop.window.putting_back import Firsts
from tests.desktop.window.traces import PAGE, TIDY, Traces, differences, traces_of
from tests.desktop.window.user import User
from tests.resident import RESIDENT

_ONCE = Qt.ConnectionType.SingleShotConnection
_PLACE = (14.5, 46.05)
_ZOOM = 15.0
_DEADLINE_S = 60.0
_LOOKS = 5
"""How many times a window is checked, since some changes may arrive a little later."""


def make_window(profile: MapProfile) -> MainWindow:
    """Create a window without a workspace before there is a style sheet, as the program does."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.setStyleSheet("")
    window = MainWindow(bind(WorkspaceSession, "127.0.0.1", 0), profile=profile, others=OtherWorkspaces())
    window.resize(1280, 800)
    show(window)
    return window


def show(window: MainWindow) -> None:
    """Show a window and wait for its map and the focus, regardless of previously shown windows."""
    window.show()
    window.activateWindow()
    wait_until(window.isActiveWindow)
    wait_until(window.map.is_ready)


def close_window(window: MainWindow) -> None:
    """Close a window, if a test has not done so, and leave nothing of it."""
    window.close()
    wait_until(lambda: window._ended)
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def open_temporary(window: MainWindow) -> None:
    """Open a temporary workspace, and show Ljubljana at a high zoom level."""
    before = window.model.session
    # Skip the bundled area, whose streets would otherwise be drawn and shown first.
    window.model.opened.connect(partial(setattr, window.areas, "_fresh", False), _ONCE)
    window.workspaces.open(MEMORY)
    wait_until(lambda: window.model.session is not before)
    wait_until(lambda: window.model.session is not None and window.model.session.url is not None)
    wait_until(lambda: window.operations.under_way == 0)
    window.map.cancel()
    window.map.show_point(*_PLACE, zoom=_ZOOM)


def wait_until(holds: Callable[[], bool]) -> None:
    """Process the window's events until a condition holds."""
    deadline = monotonic() + _DEADLINE_S
    while not holds():
        assert monotonic() < deadline, "the window does not come to it"
        let_work(5)


def all_traces(window: MainWindow) -> Traces:
    """Return the traces of a window and of its page, once the page has processed all requests."""
    places: list[QPoint] = []
    window.map.to_widget_position(*_PLACE, places.append)
    wait_until(lambda: bool(places))
    answers: list[str] = []
    window.map._page.runJavaScript(TIDY + PAGE, 0, answers.append)
    wait_until(lambda: bool(answers))
    return traces_of(window) | {f"page: {path}": value for path, value in json.loads(answers[0]).items()}


class KeptWindow:
    """The window of many tests, which is replaced after a test that left a trace in it."""

    like: Traces | None = None
    """Traces of an unused window, which are always the same."""

    def __init__(self, profile: MapProfile) -> None:
        self._profile = profile
        self._kept: MainWindow | None = None
        self._firsts: Firsts | None = None
        self._running: list[Runner] = []
        self._camera: CameraMoved | None = None
        """Camera of the map when a test got the window."""
        self.made = self.handed_on = 0
        self.left: list[str] = []

    def take(self, qtbot: QtBot, *, hand_on: bool) -> User:
        """Return a user of a window in its initial state, with its own temporary workspace."""
        if not hand_on:
            self.close()
        window, self._kept = self._kept, None
        if window is None:
            window = self._make(hand_on)
        else:
            self.handed_on += 1
            # Other windows, such as the demo's, were active in the meantime.
            window.activateWindow()
            wait_until(window.isActiveWindow)
        self._running = running()
        self._camera = window.map._camera
        return User(qtbot, window)

    def _make(self, hand_on: bool) -> MainWindow:
        self.made += 1
        with _started_here():
            window = make_window(self._profile)
            if hand_on:
                _complete(window)
            open_temporary(window)
            if hand_on:
                window.activateWindow()
                wait_until(window.isActiveWindow)
                self._firsts = Firsts(window)
                KeptWindow.like = KeptWindow.like or _traces_at_rest(window)
        return window

    def give_back(self, window: MainWindow, *, hand_on: bool) -> None:
        """Keep a window for the next test if it can be reset, or else close it."""
        as_new = False
        try:
            as_new = hand_on and self._reset(window)
        finally:
            self._kept = window if as_new else None
            if not as_new:
                _end(window)
            self._running = []

    def close(self) -> None:
        """Close the window that is kept."""
        kept, self._kept = self._kept, None
        if kept is not None:
            _end(kept)

    def _reset(self, window: MainWindow) -> bool:
        """Reset everything that a user can reset, open another workspace, and return whether the window is as new."""
        _take_mouse_away(window)
        for other in _others_than(window):
            other.close()
        if not window.isVisible() or _others_than(window):
            return False
        if window.model.environment is not Environment.TEST:
            window.model.show(Environment.TEST)
        window.resize(1280, 800)
        assert self._firsts is not None
        self._firsts.put_back()
        _take_back_words(window)
        window.form.show_section(0)
        self._firsts.put_back_focus()
        window.panes._last.clear()
        window.list._opened.clear()
        # The ring of a geofence that is no longer in the form.
        window.shaping.rings._marked = None
        _forget_choices(window.shaping.operations.panel)
        # Narrowing the docks counts as a width chosen by the user.
        window.events._by_hand.clear()
        window.simulation.phones._wanted = EXACT
        _forget_typing(window)
        if window.map._camera != self._camera:
            _restart_page(window)
        with _started_here():
            try:
                open_temporary(window)
            except AssertionError:
                return False
            _deliver_updates(window)
        if window.message.isHidden():
            # Otherwise the next test would mistake it for the message that it waits for.
            window.message.text.clear()
        # Needed if a panel with the focus was closed along with the workspace.
        self._firsts.put_back_focus()
        return self._is_as_new(window)

    def _is_as_new(self, window: MainWindow) -> bool:
        assert self.like is not None
        before: list[str] = []
        for _ in range(_LOOKS):
            self.left = differences(self.like, all_traces(window)) + self._left_running()
            if not self.left:
                return True
            if self.left == before:
                # None of these differences is still changing.
                return False
            before = self.left
            if any(each.startswith("page: camera") for each in before):
                # The map was smaller in the meantime, and its page has only panned.
                _restart_page(window)
                window.map.show_point(*_PLACE, zoom=_ZOOM)
            let_work(100)
        return False

    def _left_running(self) -> list[str]:
        """Return the objects that the test has started and that would still run in the next one."""
        return [f"{runner!r} is running" for runner in newly_running(self._running) if runner not in RESIDENT]


def _end(window: MainWindow) -> None:
    """Close a window, and wait until everything that it started has ended."""
    started = list(RESIDENT)
    close_window(window)
    RESIDENT.clear()
    wait_until(lambda: not any(runner is other for runner in started for other in running()))


def _traces_at_rest(window: MainWindow) -> Traces:
    before: Traces = {}
    for _ in range(8):
        # On a busy machine, changes may arrive later than the next check.
        _deliver_updates(window)
        wait_until(lambda: window.operations.under_way == 0)
        now = all_traces(window)
        if not differences(before, now):
            return now
        before = now
        let_work(400)
    return now


def _complete(window: MainWindow) -> None:
    """Make a window create the threads and the dialog that it otherwise creates on first use and then keeps."""
    assert window.project.dialog is not None
    operations = window.operations
    for submit in (operations.change, operations.read, operations.preview, operations.send):
        submit(lambda: None, lambda _: None, lambda _: None)
    operations.long("", lambda _: None, lambda _: None, lambda _: None)
    for lane in Lane:
        operations.aside(lane, "", lambda _: None, lambda _: None, lambda _: None)


def _restart_page(window: MainWindow) -> None:
    """Show the place at another zoom level, where the page starts again. It only pans over short distances."""
    window.map.show_point(*_PLACE, zoom=_ZOOM - 1)


def _take_mouse_away(window: MainWindow) -> None:
    """Move the mouse off the map."""
    if (page := window.map.render_widget()) is not None:
        QCoreApplication.sendEvent(page, QEvent(QEvent.Type.Leave))


def _forget_typing(window: MainWindow) -> None:
    """Clear the undo history of fields, which would handle the key meant for the window."""
    for line in window.findChildren(QLineEdit):
        if line.isUndoAvailable() or line.isRedoAvailable():
            line.setText(line.text())


def _forget_choices(panel: OperationPanel) -> None:
    """Clear the choices of the previous operation, with which the same operation would begin."""
    for box in panel._choices:
        box.clear()
    panel._choices.clear()


def _take_back_words(window: MainWindow) -> None:
    """Clear the search and the filters, and return to the first pages, as a user would."""
    for words in (window.toolbar.search, window.events.head.words, window.users.words):
        if words.text():
            words.clear()
    window.search.close()
    if window.search.recent:
        window.search.clear_recent()
    window.project.dialog.show_page(0)


def _deliver_updates(window: MainWindow) -> None:
    """Deliver all delayed updates, and reset the delay as in a new window."""
    for relay in window.findChildren(Relay):
        relay.deliver()
        relay._since.invalidate()


def _others_than(window: MainWindow) -> list[QWidget]:
    return [other for other in QApplication.topLevelWidgets() if other is not window and other.isVisible()]


@contextmanager
def _started_here() -> Iterator[None]:
    """Let everything that is started in the block outlive the test."""
    before = running()
    yield
    for runner in newly_running(before):
        RESIDENT.add(runner)
