"""Availability of actions and parts, depending on the workspace and the environment."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from app.desktop.dialogs.palette import NEEDS
from app.desktop.language import tr
from app.desktop.model.words import workspace_name
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.panels.simulator import SimulatorPanel
from app.desktop.panels.user import UserPanel
from app.desktop.panels.widgets import EmptyState, restyle
from app.desktop.timeline.panel import TimelinePanel
from app.desktop.window.actions.actions import Actions
from app.desktop.window.status import StatusLine
from app.desktop.window.toolbar import Toolbar
from app.desktop.window.toolbar_layout import ToolbarLayout
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.environment import Environment


class Availability(QObject):
    """Enables the actions and parts that need a workspace or Test, and marks the window as Test or Live."""

    def __init__(
        self,
        window: QMainWindow,
        model: WorkspaceModel,
        actions: Actions,
        toolbar: Toolbar,
        toolbar_layout: ToolbarLayout,
        status: StatusLine,
        timeline: TimelinePanel,
        panels: tuple[FenceForm, UserPanel, SimulatorPanel],
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._actions = window, model, actions
        self._toolbar, self._toolbar_layout, self._status = toolbar, toolbar_layout, status
        self._timeline, self._panels = timeline, panels
        model.opened.connect(self._on_opened)
        model.environment_changed.connect(self._on_environment)
        toolbar.environments.chosen.connect(self._on_chosen)

    def show(self) -> None:
        """Show the state before a workspace opens."""
        self._on_environment()
        self._on_opened()
        self.show_workspace(None)

    def show_workspace(self, is_open: bool | None) -> None:
        """Show the hints of empty panels, or no hints while it is unknown whether a workspace opens (None)."""
        for empty in self._window.findChildren(EmptyState):
            empty.show_workspace(is_open)
        self._timeline.setEnabled(bool(is_open))

    def _on_opened(self) -> None:
        session, status = self._model.session, self._status
        is_open = session is not None
        for action in self._actions.of_workspace():
            action.setEnabled(is_open)
        self._enable_test()
        for part in (self._toolbar.environments, status.toggle, status.keys, status.device, status.clock):
            part.setEnabled(is_open)
        self._toolbar.search.setEnabled(is_open)
        self.show_workspace(is_open)
        name = workspace_name(session.engine.workspace) if session else tr("No workspace")
        self._toolbar_layout.show_workspace(name)
        # Qt replaces "[*]" with the modification mark.
        self._window.setWindowTitle(f"{name.replace('[*]', '[*][*]')} – Fencewright")

    def _on_environment(self) -> None:
        environment = self._model.environment
        self._toolbar.environments.show_environment(environment)
        restyle(self._window, "environment", environment.value)
        for panel in self._panels:
            panel.set_live(environment.live)
        self._enable_test()
        self._status.show_counts(None)

    def _enable_test(self) -> None:
        needs = tr("Open a workspace.") if self._model.session is None else tr("Switch to Test.")
        for action in self._actions.of_test():
            action.setEnabled(self._model.session is not None and not self._model.environment.live)
            action.setProperty(NEEDS, needs)

    def _on_chosen(self, environment: Environment) -> None:
        if environment is not self._model.environment:
            self._model.show(environment)
