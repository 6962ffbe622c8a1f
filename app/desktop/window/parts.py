"""The parts of the main window: its map, panels, docks and toolbar."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMainWindow

from app.desktop.map import MapProfile, MapView
from app.desktop.model.inspector.user_rows import UserRows
from app.desktop.model.requests.book import RequestBook
from app.desktop.model.review.findings import FindingBook
from app.desktop.operations import Operations
from app.desktop.panels.beacon.form import BeaconForm
from app.desktop.panels.events.table import EventTable
from app.desktop.panels.fence_table.table import FenceTable
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.panels.geofence.listing import FenceList
from app.desktop.panels.layers import LayersPanel
from app.desktop.panels.request import RequestPage
from app.desktop.panels.requests import RequestsPanel
from app.desktop.panels.review.checks import ChecksPanel
from app.desktop.panels.simulator import SimulatorPanel
from app.desktop.panels.user import UserPanel
from app.desktop.panels.users.table import UserTable
from app.desktop.panels.webhooks.details import DeliveryPage
from app.desktop.panels.webhooks.panel import WebhooksPanel
from app.desktop.panels.whatif.banner import SandboxBanner
from app.desktop.panels.whatif.panel import WhatIfPanel
from app.desktop.panels.why import WhyPanel
from app.desktop.timeline.panel import BelowSimulator, TimelinePanel
from app.desktop.window.actions.actions import Actions
from app.desktop.window.actions.menu_bar import MenuBar
from app.desktop.window.docks import Docks
from app.desktop.window.letters import Letters
from app.desktop.window.message import MessageLine
from app.desktop.window.panes import Panes
from app.desktop.window.status import StatusLine
from app.desktop.window.toolbar import Toolbar
from app.desktop.window.toolbar_layout import ToolbarLayout
from app.desktop.workspace_model import WorkspaceModel


class WindowParts(QMainWindow):
    """The parts of the main window and its model, not yet connected."""

    def __init__(self, profile: MapProfile | None = None, begun: MapView | None = None) -> None:
        super().__init__()
        self.operations = Operations(self)
        self.model = model = WorkspaceModel(self.operations, self)
        self.actions_ = Actions(self)
        self.message = MessageLine()
        self.map = begun or MapView(profile=profile)
        self.list = FenceList(model.fences, self._read_aside)
        self.form = FenceForm()
        self.beacon_form = BeaconForm()
        self.simulator = SimulatorPanel(model.simulation)
        self.timeline_panel = TimelinePanel()
        self.events = EventTable(model.events, model.fences, model.zones.of_event)
        self.user_rows = UserRows()
        self.users = UserTable(self.user_rows, model.now)
        self.request_book = RequestBook()
        self.requests_panel = RequestsPanel(self.request_book, model.zones.of_request)
        self.request_page = RequestPage()
        self.webhooks_panel = WebhooksPanel()
        self.table = FenceTable(model.fences.color, model.fences.locks, model.openings.is_closed, model.now)
        self.whatif_panel = WhatIfPanel()
        self.banner = SandboxBanner()
        self.delivery_page = DeliveryPage()
        self.finding_book = FindingBook()
        self.checks_panel = ChecksPanel(self.finding_book)
        self.layers = LayersPanel()
        self.why = WhyPanel(model.fences)
        self.user = UserPanel(model.users)
        self.status = StatusLine()
        self.docks = Docks(
            self,
            fences=self.list,
            fence=self.form,
            beacon=self.beacon_form,
            why=self.why,
            user=self.user,
            simulator=BelowSimulator(self.simulator, self.timeline_panel),
            events=self.events,
            users=self.users,
            requests=self.requests_panel,
            webhooks=self.webhooks_panel,
            table=self.table,
            whatif=self.whatif_panel,
            request=self.request_page,
            delivery=self.delivery_page,
            checks=self.checks_panel,
            layers=self.layers,
        )
        self.docks.title(self.docks.events).add(self.events.head)
        self.docks.title(self.docks.users).add(self.users.words)
        self.docks.title(self.docks.requests).add(self.requests_panel.head)
        self.docks.title(self.docks.webhooks).add(self.webhooks_panel.head)
        self.docks.title(self.docks.checks).add(self.checks_panel.head)
        self.docks.title(self.docks.table).add(self.table.head)
        self.menus = MenuBar(self.actions_, self.docks.actions)
        self.toolbar = Toolbar(self.actions_, self.menus)
        self.toolbar_layout = ToolbarLayout(self.toolbar, self.actions_)
        self.panes = Panes(self, self.toolbar, self.docks, self.map, self.status)
        self.letters = Letters(self)

    def _read_aside[T](self, work: Callable[[], T], done: Callable[[T], None]) -> None:
        self.operations.read(work, done, self.model.report_error)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: N802 (Qt's names)
        """Move the focus with Tab through the visible controls."""
        return self.panes.step(forward=next) or super().focusNextPrevChild(next)
