"""A window that makes its parts on first use, with a map that has no page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from app.desktop.map import MapProfile
from app.desktop.map.values import Position
from app.desktop.model.search.fences import center_of
from app.desktop.panels.layouts import in_column
from app.desktop.window.docks import Docks
from app.desktop.window.main_window import MainWindow
from app.other_workspaces import OtherWorkspaces
from app.session import WorkspaceSession
from engine.domain.geometry import Circle
from engine.domain.ports import Progress
from engine.store.workspace import MEMORY
from tests.desktop.map.hand import metres_between
from tests.desktop.window.small.map import SmallMap
from tests.desktop.window.small.recipes import dock_steps, docked, recipes

_ALWAYS: Final = ("operations", "model", "memory", "files", "actions_", "centre", "map", "message")
"""Parts that most others need."""

_HIDDEN: Final = ("layers", "request", "delivery", "beacon", "whatif")
"""Docks that are hidden at first."""


class SmallWindow(MainWindow):
    """A window with some parts of the main window, under the same names.

    Each part is made as the main window makes it, together with the parts that it needs, and is connected to the parts
    that exist. The only other parts are the map, the docks, which make each dock on first use, and the session, which
    has no server without the part `endpoint`.
    """

    others = OtherWorkspaces()

    def __init__(self, profile: MapProfile, parts: Iterable[str] = ()) -> None:
        QMainWindow.__init__(self)
        self._profile = profile
        self._made: set[str] = set()
        self._connected: set[int] = set()
        self._ending = self._ended = False
        self._complete = False
        for part in (*_ALWAYS, *parts):
            getattr(self, part)
        # Together, in the order of the main window, because some connections must be the last.
        self._complete = True
        self._connect()

    def __getattr__(self, name: str) -> Any:
        recipe = recipes().parts.get(name)
        if recipe is None:
            raise AttributeError(name)
        part = self._own(name) or recipe(self)
        setattr(self, name, part)
        self._made.add(name)
        if name in docked():
            docks = self.docks
            assert isinstance(docks, SmallDocks)
            docks.fill(docked()[name], part)
        if self._complete:
            self._connect()
        return part

    def _own(self, name: str) -> Any:
        match name:
            case "map":
                return self._small_map()
            case "docks":
                return SmallDocks(self)
            case _:
                return None

    def _small_map(self) -> SmallMap:
        made = SmallMap(self._profile)
        made.centres, made.fence_at = self._centres, self._fence_at
        return made

    def _connect(self) -> None:
        """Connect the parts that were just made to the others."""
        for index, connection in enumerate(recipes().connections):
            if index not in self._connected and connection.needs <= self._made:
                self._connected.add(index)
                connection.run(self)

    @staticmethod
    def open_session(folder: Path | str, progress: Progress) -> WorkspaceSession:
        """Open a workspace that other commands and clients do not reach."""
        return WorkspaceSession(folder, port=0, reachable=False, progress=progress)

    def open_temporary(self) -> None:
        """Open a temporary workspace, and start its endpoint if the window has the part that does so."""
        self.model.open(WorkspaceSession(MEMORY, port=0, reachable=False))
        if "endpoint" in self._made:
            self.endpoint.begin(self.map.when_settled)

    def end(self) -> None:
        """Close the window without asking, and delete it."""
        self.finish()
        self.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def finish(self) -> None:
        """Close without asking, and end everything that the window started."""
        if self._ended:
            return
        self._ending = self._ended = True
        self.ending.emit()
        self.hide()
        for ending in recipes().endings:
            if ending.needs <= self._made:
                ending.run(self)
        session = self.model.session
        if session is not None:
            session.engine.stop_work()
        self.operations.close()
        if session is not None:
            session.close()
        self.map.shutdown()
        self.ended.emit()

    def _centres(self, ids: Iterable[str] | None) -> list[Position]:
        """Return the centres of geofences by their IDs, or of all."""
        book = self.model.fences
        fences = book.all() if ids is None else tuple(filter(None, map(book.get, ids)))
        return [(point.longitude, point.latitude) for point in (center_of(fence.geometry) for fence in fences)]

    def _fence_at(self, position: Position) -> str | None:
        """Return the ID of the circle at a position."""
        for fence in self.model.fences.all():
            if isinstance(circle := fence.geometry, Circle):
                centre = circle.center.longitude, circle.center.latitude
                if metres_between(centre, position) <= circle.radius_m:
                    return fence.id
        return None

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Leave the sizes of the parts alone."""

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Leave the place and the theme alone."""

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: N802 (Qt's name)
        """Move the focus as Qt does."""
        return QMainWindow.focusNextPrevChild(self, next)


class SmallDocks(Docks):
    """Docks that are made on first use, and filled once their panel exists."""

    def __init__(self, window: QMainWindow) -> None:
        QObject.__init__(self, window)
        self._window = window
        self._titles = []
        self._before_timeline = None
        self._naming = False
        self._folded = []
        self._strips = {}
        self.content: QWidget

    def __getattr__(self, name: str) -> Any:
        step = dock_steps().get(name)
        if step is None:
            raise AttributeError(name)
        self.content = QWidget()
        in_column(of=self.content, margins=0, spacing=0)
        dock = step(self)
        assert isinstance(dock, QDockWidget)
        setattr(self, name, dock)
        dock.setVisible(name not in _HIDDEN)
        return dock

    def fill(self, name: str, panel: QWidget) -> None:
        """Put a panel into its dock, below any other one that is there."""
        dock: QDockWidget = getattr(self, name)
        column = dock.widget().layout()
        assert column is not None
        column.addWidget(panel)
