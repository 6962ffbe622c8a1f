"""Simulation of devices beyond recorded tracks: phones with noise, tracks along roads, fleets."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.desktop.map import MapView
from app.desktop.panels.simulator import SimulatorPanel
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.on_map import OnMap
from app.desktop.window.controllers.simulation.fleets import FleetController
from app.desktop.window.controllers.simulation.phones import PhoneController
from app.desktop.window.controllers.simulation.routes import RouteController
from app.desktop.window.controllers.tracks import TrackController
from app.desktop.window.live_confirmation import LiveConfirmation
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel


class SimulationControllers:
    """The controllers of simulated devices."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        map_view: MapView,
        on_map: OnMap,
        panel: SimulatorPanel,
        tracks: TrackController,
        message: MessageLine,
        confirmation: LiveConfirmation,
    ) -> None:
        self.phones = PhoneController(window, model, panel.phone)
        self.routes = RouteController(model, map_view, on_map, tracks)
        self.fleets = FleetController(window, model, message, confirmation)
        panel.route_requested.connect(self.routes.start)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.route_track.triggered.connect(lambda: self.routes.start())
        actions.fleet.triggered.connect(lambda: self.fleets.open())
