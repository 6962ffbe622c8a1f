"""The users of the displayed environment in their panel, read once and then followed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.desktop.map import MapView
from app.desktop.model.inspector.user_rows import KEPT, UserRows
from app.desktop.panels.users.table import UserTable
from app.desktop.relay import Relay
from app.desktop.window.controllers.on_map import OnMap
from app.desktop.window.docks import Docks
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.queries import UserQuery
from engine.domain.tracking.updates import User, UserSummary

_READ_EVERY_MS = 2_000


class UsersController(QObject):
    """Fills the list, and shows the chosen user on the map, in the user panel and in the reasons."""

    def __init__(
        self,
        model: WorkspaceModel,
        rows: UserRows,
        panel: UserTable,
        docks: Docks,
        map_view: MapView,
        on_map: OnMap,
        explain: Callable[[UserSummary], None],
    ) -> None:
        super().__init__(model)
        self._model, self._rows, self._panel, self._docks = model, rows, panel, docks
        self._map, self._on_map, self._explain = map_view, on_map, explain
        self._reading = self._is_stale = False
        self._arrived: dict[str, User] = {}
        self._read_soon = Relay(self, interval_ms=_READ_EVERY_MS)
        self._read_soon.rung.connect(self._read)
        model.environment_changed.connect(lambda: rows.replace(()))
        model.users_loaded.connect(lambda _: self._read_soon.ring())
        model.users_moved.connect(self._take)
        model.selection.changed.connect(lambda: panel.show_selected(model.selection.user))
        panel.user_chosen.connect(self._on_chosen)
        panel.note_changed.connect(lambda text: docks.note(docks.users, text))

    def _take(self, users: tuple[User, ...]) -> None:
        if self._reading:
            self._arrived.update((user.id, user) for user in users)
        self._rows.take(users)
        self._panel.came()

    def _read(self) -> None:
        """Read all users. Users seen in the meantime are more recent and take precedence."""
        session, environment = self._model.session, self._model.environment
        if self._reading:
            # The users being read now may be outdated, with users deleted since.
            self._is_stale = True
        if session is None or self._reading:
            return
        engine = session.engine
        self._reading, self._is_stale, self._arrived = True, False, {}

        def read() -> list[User]:
            # If there are too many users, those least recently seen are omitted. They come first here.
            return list(reversed(engine.users.page(environment, UserQuery(limit=KEPT)).items))

        def done(found: list[User]) -> None:
            self._reading = False
            is_shown = self._model.session is session and self._model.environment is environment
            if is_shown:
                self._rows.replace(({user.id: user for user in found} | self._arrived).values())
            if self._is_stale or not is_shown:
                self._read_soon.ring()

        def failed(error: Exception) -> None:
            self._reading = False
            self._model.report_error(error)

        self._model.operations.read(read, done, failed)

    def _on_chosen(self, user: User) -> None:
        self._explain(user.summary)
        self._docks.raise_open(self._docks.user)
        point = user.fix.point
        self._on_map.reveal_point(point.longitude, point.latitude)
        self._map.highlight_point(point.longitude, point.latitude)
