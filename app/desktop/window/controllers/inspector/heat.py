"""The heat map of fixes and events, read in the background and updated with new ones."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from PySide6.QtCore import QObject

from app.desktop.map import MapView
from app.desktop.map.values import Theme
from app.desktop.model.inspector.heat import heat_text
from app.desktop.panels.heat import HeatPanel
from app.desktop.relay import Relay
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.newest import Newest
from app.desktop.workspace_model import WorkspaceModel

_AGAIN_AFTER_MS: Final = 2_000
_STEPS: Final = 60
"""How many times the positions are read again while the chosen period passes on the environment's clock."""


class HeatController(QObject):
    """Shows the density of the chosen positions while the action is checked."""

    def __init__(self, model: WorkspaceModel, map_view: MapView) -> None:
        super().__init__(map_view)
        self._model, self._map = model, map_view
        self._asking = Newest(model.operations.read)
        self._read_at: datetime | None = None
        self.panel = HeatPanel(map_view)
        self.panel.changed.connect(self._read)
        self._news = Relay(self, interval_ms=_AGAIN_AFTER_MS)
        self._news.rung.connect(self._read)
        model.users_moved.connect(lambda _: self._news.ring())
        model.events.replaced.connect(lambda *_: self._news.ring())
        model.events.added.connect(lambda *_: self._news.ring())
        model.environment_changed.connect(self._leave)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        self._action = actions.heat
        self._action.toggled.connect(self._on_toggled)
        self.panel.closed.connect(lambda: self._action.setChecked(False))

    def set_theme(self, theme: Theme) -> None:
        """Colour the icon."""
        self.panel.set_theme(theme)

    @property
    def answered(self) -> bool:
        """Whether the displayed heat map corresponds to the user's choice."""
        return not self._asking.busy

    def look(self, now: datetime) -> None:
        """Read again once enough time has passed that positions have become older than the chosen period."""
        period, read = self.panel.choice.period, self._read_at
        if period is not None and read is not None and abs(now - read) >= period / _STEPS:
            self._read_at = now
            self._news.ring()

    def _on_toggled(self, on: bool) -> None:
        self.panel.setVisible(on)
        if on:
            self.panel.raise_()
            self._read()
        else:
            self._asking.forget()
            self._read_at = None
            self._map.set_heat(b"")

    def _leave(self) -> None:
        """Clear the positions of the previous workspace or environment."""
        self._asking.forget()
        if self.panel.isVisible():
            self._map.set_heat(b"")
            self._news.ring()

    def _read(self) -> None:
        session = self._model.session
        if session is None or not self._action.isChecked():
            return
        choice, environment, heat = self.panel.choice, self._model.environment, session.engine.heat
        self._read_at = now = self._model.now()
        since = choice.since(now)

        def done(found: bytes) -> None:
            if self._action.isChecked() and self._model.session is session:
                self._map.set_heat(found)
                self.panel.show_text(heat_text(len(found) // 16, choice.source))

        self._asking.ask(
            lambda: heat.positions(environment, choice.source, since).tobytes(), done, self._model.report_error
        )
