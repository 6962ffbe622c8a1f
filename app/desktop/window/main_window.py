"""The main window: puts the parts together and closes them in order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent, QShortcut
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication, QMainWindow, QVBoxLayout, QWidget

from app.desktop.dialogs.about import AboutDialog
from app.desktop.dialogs.files import FileChooser
from app.desktop.dialogs.palette import CommandPalette
from app.desktop.dialogs.shortcuts import ShortcutsDialog
from app.desktop.icons import application_icon
from app.desktop.map import MapProfile, MapView
from app.desktop.map.values import Theme
from app.desktop.memory import Memory
from app.desktop.model.editing.pending_words import NO_FENCE_WAITS, waiting_of_fence
from app.desktop.model.inspector.user_rows import UserRows
from app.desktop.model.requests.book import RequestBook
from app.desktop.model.words import fence_name
from app.desktop.operations import Operations
from app.desktop.panels.beacon.form import BeaconForm
from app.desktop.panels.events.table import EventTable
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.panels.geofence.listing import FenceList
from app.desktop.panels.request import RequestPage
from app.desktop.panels.requests import RequestsPanel
from app.desktop.panels.simulator import SimulatorPanel
from app.desktop.panels.user import UserPanel
from app.desktop.panels.users.table import UserTable
from app.desktop.panels.webhooks.details import DeliveryPage
from app.desktop.panels.webhooks.panel import WebhooksPanel
from app.desktop.panels.whatif.banner import SandboxBanner
from app.desktop.panels.whatif.panel import WhatIfPanel
from app.desktop.panels.why import WhyPanel
from app.desktop.panels.widgets import EmptyState, restyle
from app.desktop.session import Session
from app.desktop.style import ThemeChoice, apply_theme, resolve
from app.desktop.timeline.controller import TimelineController
from app.desktop.timeline.panel import BelowSimulator, TimelinePanel
from app.desktop.window.actions import Actions
from app.desktop.window.controllers.areas import AreaController
from app.desktop.window.controllers.beacons import BeaconController
from app.desktop.window.controllers.clock import ClockController, TimeWatch
from app.desktop.window.controllers.fences import FenceController
from app.desktop.window.controllers.importing.imports import ImportController
from app.desktop.window.controllers.inspector.events import EventController
from app.desktop.window.controllers.inspector.faults import FaultController
from app.desktop.window.controllers.inspector.users import UsersController
from app.desktop.window.controllers.integrations.nightly_sync import NightlySyncController
from app.desktop.window.controllers.isochrones import IsochroneController
from app.desktop.window.controllers.network import NetworkController
from app.desktop.window.controllers.on_map import OnMap
from app.desktop.window.controllers.pending import Agreed, PendingController
from app.desktop.window.controllers.project import ProjectController
from app.desktop.window.controllers.requests import RequestController
from app.desktop.window.controllers.sdks import SdkController
from app.desktop.window.controllers.search import SearchController
from app.desktop.window.controllers.search_result import SearchResultController
from app.desktop.window.controllers.simulation.simulation import SimulationControllers
from app.desktop.window.controllers.track_menu.menu import TrackMenu
from app.desktop.window.controllers.tracks import TrackController
from app.desktop.window.controllers.webhooks.controller import WebhookController
from app.desktop.window.controllers.whatif.controller import WhatIfController
from app.desktop.window.controllers.whatif.sweep import SweepController
from app.desktop.window.controllers.why import WhyController
from app.desktop.window.controllers.workspaces import EndpointController, WorkspaceController
from app.desktop.window.docks import Docks
from app.desktop.window.exporting import RecordExporter
from app.desktop.window.live_confirmation import LiveConfirmation
from app.desktop.window.message import MessageLine
from app.desktop.window.status import StatusLine
from app.desktop.window.toolbar import Toolbar
from app.desktop.window.toolbar_layout import ToolbarLayout, first_size, fit_screen
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.environment import Environment
from engine.domain.tracking.updates import Event

_FRAME = 3


class MainWindow(QMainWindow):
    """The window over one open workspace at a time. `ended` comes when everything it held is closed."""

    ended = Signal()

    def __init__(
        self,
        open_session: Callable[[Path | str], Session],
        memory: Memory | None = None,
        *,
        profile: MapProfile | None = None,
    ) -> None:
        super().__init__()
        self.memory = memory or Memory()
        self.theme: Theme = "light"
        self._ending = False
        self._ended = False
        self._given: QSize | None = None
        self.operations = Operations(self)
        self.model = WorkspaceModel(self.operations, self)
        self.files = FileChooser(self)
        self.actions_ = Actions(self)
        self._make_parts(profile)
        self._make_controllers(open_session)
        self._arrange()
        self._connect_model()
        self._connect_actions()
        self.set_theme(self.memory.theme)
        # How large its parts are follows from the style sheet.
        self._place()
        self.map.set_online_tiles(self.memory.online_tiles)
        self._on_environment()
        self._on_opened()
        self._show_workspace(None)

    # How it is made

    def _make_parts(self, profile: MapProfile | None) -> None:
        model = self.model
        self.message = MessageLine()
        self.map = MapView(profile=profile)
        self.list = FenceList(model.fences)
        self.form = FenceForm()
        self.beacon_form = BeaconForm()
        self.simulator = SimulatorPanel(model.simulation)
        self.timeline_panel = TimelinePanel()
        self.events = EventTable(model.events, model.fences, model.zone_of_event)
        self.user_rows = UserRows()
        self.users = UserTable(self.user_rows, model.now)
        self.request_book = RequestBook()
        self.requests_panel = RequestsPanel(self.request_book)
        self.request_page = RequestPage()
        self.webhooks_panel = WebhooksPanel()
        self.whatif_panel = WhatIfPanel()
        self.banner = SandboxBanner()
        self.delivery_page = DeliveryPage()
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
            whatif=self.whatif_panel,
            request=self.request_page,
            delivery=self.delivery_page,
        )
        self.docks.title(self.docks.events).add(self.events.head)
        self.docks.title(self.docks.users).add(self.users.words)
        self.docks.title(self.docks.requests).add(self.requests_panel.head)
        self.docks.title(self.docks.webhooks).add(self.webhooks_panel.head)
        self.toolbar = Toolbar(self.actions_, self.docks.actions)
        self.toolbar_layout = ToolbarLayout(self.toolbar, self.actions_)

    def _make_controllers(self, open_session: Callable[[Path | str], Session]) -> None:
        model, files, message = self.model, self.files, self.message
        confirmation = LiveConfirmation(self, model)
        self.on_map = OnMap(model, self.map)
        self.fences = FenceController(self, model, self.map, self.form, message, confirmation)
        self.isochrones = IsochroneController(model, self.map, self.form, self.fences)
        self.tracks = TrackController(self, model, self.simulator, files, message, confirmation)
        self.simulation = SimulationControllers(
            self, model, self.map, self.on_map, self.simulator, self.tracks, message, confirmation
        )
        self.track_menu = TrackMenu(self, model, self.tracks, self.simulator, self.map, files, message)
        self.areas = AreaController(self, model, self.map, self.status, files, message)
        self.beacons = BeaconController(
            self, model, self.map, self.beacon_form, self.docks, self.fences, message, confirmation
        )
        self.imports = ImportController(
            self, model, self.tracks, self.areas, files, message, confirmation, self.map, self.memory
        )
        self.exporter = RecordExporter(self, model, self.docks, files, message)
        self.event_controller = EventController(self, model, self.events, self.exporter, message)
        self.nightly_sync = NightlySyncController(self, model, message, confirmation)
        self.endpoint = EndpointController(self, model, self.status, message)
        self.network = NetworkController(self, model, self.status, files, message, self.memory)
        self.endpoint.details_requested.connect(self.network.open)
        self.endpoint.shown.connect(self.network.refresh)
        self.sdks = SdkController(self, model, self.endpoint)
        self.search_result = SearchResultController(model, self.map, self.fences, message, self.actions_)
        self.search = SearchController(self, model, self.map, self.toolbar.search, self.memory)
        self.reasons = WhyController(model, self.why, self.user, self.docks, self.status)
        self.timeline = TimelineController(
            model, self.timeline_panel, self.on_map, self.reasons, files, message, self._on_event_chosen
        )
        self.user_list = UsersController(
            model, self.user_rows, self.users, self.docks, self.map, self.on_map, self.reasons.explain_user
        )
        self.requests = RequestController(
            self,
            model,
            self.requests_panel,
            self.request_page,
            self.request_book,
            self.docks,
            message,
            self._on_event_chosen,
        )
        self.webhooks = WebhookController(
            self, model, self.webhooks_panel, self.delivery_page, self.docks, message, confirmation
        )
        self.faults = FaultController(self, model, self.status)
        self.whatif = WhatIfController(
            self, model, self.whatif_panel, self.banner, self.on_map, self.map, self.docks, message, confirmation
        )
        self.timeline.show_findings_of(self.whatif.findings)
        self.sweeps = SweepController(self, model, self.whatif_panel, files, message)
        self.project = ProjectController(self, model, self.form, self.user, message)
        self.pending = PendingController(self, model, self.form, self.project, self.status, message)
        self.clock = ClockController(self, model, self.status, message)
        self.time = TimeWatch(model, self.clock, self.form, self.on_map)
        self.workspaces = WorkspaceController(model, files, message, self.memory, open_session, self._leave)

    def _arrange(self) -> None:
        self.setWindowIcon(application_icon())
        self.setObjectName("Frame")
        self.setContentsMargins(_FRAME, _FRAME, _FRAME, _FRAME)
        self.setAcceptDrops(True)
        self.addToolBar(self.toolbar)
        self.setStatusBar(self.status)
        self.centre = QWidget()
        layout = QVBoxLayout(self.centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.map, 1)
        self.message.lie_over(self.centre)
        self.banner.lie_over(self.centre)
        self.setCentralWidget(self.centre)
        browser = self.map.findChild(QWebEngineView)
        if browser is not None:
            # A file dropped on the map is for the window; the page would open it.
            browser.setAcceptDrops(False)

    def _place(self) -> None:
        """Take the place on the screen that the window had, or a first one."""
        least, first = first_size(self)
        self.setMinimumSize(least)
        self.resize(first)
        self.docks.arrange()
        place = self.memory.place()
        if place is not None:
            self.restoreGeometry(place[0])
            self.restoreState(place[1])
        self._given = self.size()

    def _connect_model(self) -> None:
        model = self.model
        model.opened.connect(self._on_opened)
        model.environment_changed.connect(self._on_environment)
        model.counted.connect(self.status.show_counts)
        model.problem.connect(self.message.complain)
        model.noted.connect(self.message.say)
        model.selection.changed.connect(self._on_selection)
        model.fences.changed.connect(lambda _: self._show_fence())
        model.pending.changed.connect(self._show_fence)
        self.form.let_go.connect(self._show_fence)
        self.pending.fence_shown.connect(self._on_fence_chosen)
        self.pending.settings_shown.connect(self.project.open)
        model.events.replaced.connect(self._on_events_replaced)
        self.events.shown_changed.connect(self._note_events)
        self.map.failed.connect(self.message.complain)
        self.operations.started.connect(self.status.task.follow)
        self.workspaces.opened.connect(lambda: self.endpoint.toggle(True))
        self.workspaces.refused.connect(lambda: self._show_workspace(False))
        self.list.fence_chosen.connect(self._on_fence_chosen)
        self.list.note_changed.connect(self.docks.title(self.docks.fences).note.show_text)
        self.events.event_chosen.connect(self._on_event_chosen)
        self.why.fence_chosen.connect(self._on_fence_picked)
        self.user.show_requested.connect(self._on_show_user)
        self.user.timeline_requested.connect(self.timeline.show_selected_user)
        self.timeline_panel.open_track_requested.connect(self.actions_.open_track.trigger)
        self.timeline_panel.unfolded.connect(self.docks.make_room_for_timeline)
        drawn = self.map.circle_drawn, self.map.polygon_drawn
        for shape in (self.map.fence_clicked, *drawn, self.fences.created, self.search_result.fence_shown):
            shape.connect(lambda *_: self.docks.raise_open(self.docks.fence))
        self.form.zoom_requested.connect(lambda fence_id: self.map.fit_fences([fence_id]))

    def _connect_actions(self) -> None:
        a = self.actions_
        self.fences.connect_actions(a)
        self.tracks.connect_actions(a)
        self.simulation.connect_actions(a)
        self.timeline.connect_actions(a)
        self.track_menu.connect_actions(a)
        self.project.connect_actions(a)
        self.pending.connect_actions(a)
        self.sdks.connect_actions(a)
        self.clock.connect_actions(a)
        self.faults.connect_actions(a)
        self.areas.connect_actions(a)
        self.network.connect_actions(a, self.endpoint.copy_url)
        self.beacons.connect_actions(a)
        self.nightly_sync.connect_actions(a)
        self.isochrones.connect_actions(a)
        self.whatif.connect_actions(a)
        self._connect_tools()
        a.new.triggered.connect(lambda: self.workspaces.choose_new())
        a.open.triggered.connect(lambda: self.workspaces.choose())
        a.copy.triggered.connect(lambda: self.workspaces.choose_copy())
        self.imports.connect_actions(a)
        a.fit.triggered.connect(lambda: self.map.fit_fences())
        a.tiles.toggled.connect(self._on_tiles)
        for action, choice in ((a.light, "light"), (a.dark, "dark"), (a.system, "system")):
            action.triggered.connect(lambda _=False, choice=choice: self.set_theme(choice))
        a.why.triggered.connect(lambda: self.docks.bring(self.docks.why))
        a.user.triggered.connect(lambda: self.docks.bring(self.docks.user))
        a.users.triggered.connect(lambda: self.docks.bring(self.docks.users))
        a.requests.triggered.connect(lambda: self.docks.bring(self.docks.requests))
        a.webhooks.triggered.connect(lambda: self.docks.bring(self.docks.webhooks))
        a.filter.triggered.connect(self._on_filter)
        a.commands.triggered.connect(self._on_commands)
        a.shortcuts.triggered.connect(lambda: ShortcutsDialog(self, a.all()).open())
        a.about.triggered.connect(lambda: AboutDialog(self).open())
        a.quit.triggered.connect(lambda: self.close())
        # Tables and lists use these keys too: they act only where they can mean nothing else.
        for widget, action in (
            (self.centre, a.step),
            (self.docks.simulator, a.step),
            (self.centre, a.back),
            (self.docks.simulator, a.back),
            (self.centre, a.delete),
            (self.docks.fences, a.delete),
        ):
            widget.addAction(action)
        self.list.import_requested.connect(a.import_file.trigger)
        self.events.open_track_requested.connect(a.open_track.trigger)
        self.events.copy_url_requested.connect(self.endpoint.copy_url)
        self.requests_panel.copy_url_requested.connect(self.endpoint.copy_url)
        self.events.connect_requested.connect(a.sdks.trigger)
        self.toolbar.environments.chosen.connect(self._on_environment_chosen)
        self.toolbar.offer_recent(self.workspaces.recent)
        self.toolbar.recent_chosen.connect(self.workspaces.open)
        self.search.connect_actions(a)
        self.search.all_fences.connect(self._on_all_fences)
        self.search_result.follow(self.search)
        give_up = QShortcut(Qt.Key.Key_Escape, self.centre, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        give_up.activated.connect(self.search_result.dismiss)
        self.search_result.destination_found.connect(self.isochrones.start_at)
        self.search_result.beacon_wanted.connect(self.beacons.start_at)

    def _connect_tools(self) -> None:
        a = self.actions_
        a.select.triggered.connect(lambda: self.map.select_tool())
        a.circle.triggered.connect(lambda: self.map.start_drawing_circle())
        a.polygon.triggered.connect(lambda: self.map.start_drawing_polygon())
        a.move.triggered.connect(lambda: self.map.edit_tool())
        tools = {"circle": a.circle, "polygon": a.polygon, "isochrone": a.isochrone, "beacon": a.beacon, "edit": a.move}
        tools["track"] = a.draw_track
        self.map.tool_changed.connect(lambda tool: tools.get(tool, a.select).setChecked(True))
        self.map.online_tiles_changed.connect(a.tiles.setChecked)
        a.select.setChecked(True)
        self.list.draw_requested.connect(a.circle.trigger)
        self.form.draw_circle_requested.connect(a.circle.trigger)
        self.form.draw_polygon_requested.connect(a.polygon.trigger)

    # What it shows

    def set_theme(self, choice: ThemeChoice) -> None:
        """Look light, dark, or as the system."""
        self.memory.theme = choice
        a = self.actions_
        {"light": a.light, "dark": a.dark, "system": a.system}[choice].setChecked(True)
        self.theme = resolve(choice)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply_theme(application, self.theme)
        self.map.set_theme(self.theme)
        tables = self.events, self.users, self.requests_panel, self.webhooks_panel
        panels = (self.form, self.why, self.user, self.simulator, self.timeline_panel, *tables)
        controllers = (self.search, self.search_result, self.pending, self.sdks, self.sweeps)
        for part in (a, self.toolbar, self.status, self.message, self.docks, *controllers, *panels):
            part.set_theme(self.theme)

    def _on_opened(self) -> None:
        session = self.model.session
        for action in self.actions_.of_workspace():
            action.setEnabled(session is not None)
        self._enable_test()
        self.toolbar.environments.setEnabled(session is not None)
        self.status.toggle.setEnabled(session is not None)
        self.status.keys.setEnabled(session is not None)
        self.status.device.setEnabled(session is not None)
        self.status.clock.setEnabled(session is not None)
        self.toolbar.search.setEnabled(session is not None)
        self._show_workspace(session is not None)
        name = session.engine.workspace.name if session else "No workspace"
        self.toolbar_layout.show_workspace(name)
        # Qt takes "[*]" for the place of a mark.
        self.setWindowTitle(f"{name.replace('[*]', '[*][*]')} – Fencewright")
        self._show_fence()

    def _show_workspace(self, is_open: bool | None) -> None:
        """Let empty panels offer what can be done."""
        for empty in self.findChildren(EmptyState):
            empty.show_workspace(is_open)
        self.timeline_panel.setEnabled(bool(is_open))

    def _on_environment(self) -> None:
        environment = self.model.environment
        self.toolbar.environments.show_environment(environment)
        restyle(self, "environment", environment.value)
        self.form.set_live(environment.live)
        self.user.set_live(environment.live)
        self.simulator.set_live(environment.live)
        self._enable_test()
        self.status.show_counts(None)

    def _enable_test(self) -> None:
        for action in self.actions_.of_test():
            action.setEnabled(self.model.session is not None and not self.model.environment.live)

    def _on_environment_chosen(self, environment: Environment) -> None:
        if environment is not self.model.environment:
            self.model.show(environment)

    def _on_selection(self) -> None:
        selection = self.model.selection
        self.list.show_selected(selection.fence_id)
        self.events.show_selected(selection.event)
        self._show_fence()

    def _show_fence(self) -> None:
        fence = self.model.fences.get(self.model.selection.fence_id)
        shown = fence or self.form.lost
        waits = waiting_of_fence(self.model.pending, shown.id) if shown and shown.environment.live else NO_FENCE_WAITS
        self.form.show_fence(fence, self.model.fences.color(fence.tag) if fence else "", waits)
        self.form.set_tags(self.model.fences.tags())
        self.time.show_now()
        self.list.show_selected(self.model.selection.fence_id)
        self.docks.note(self.docks.fence, fence_name(fence) if fence else "")
        self.actions_.delete.setEnabled(fence is not None or self.model.selection.beacon_id is not None)

    def _on_events_replaced(self) -> None:
        self.events.show_selected(self.model.selection.event)

    def _note_events(self) -> None:
        events, shown = len(self.model.events), len(self.events.shown)
        text = f"{shown:,} of {events:,}" if self.events.is_filtered else f"{events:,} shown, newest first"
        self.docks.note(self.docks.events, text if events else "")

    # What the user does

    def _on_fence_chosen(self, fence_id: str) -> None:
        self.model.selection.select_fence(fence_id)
        self.docks.raise_open(self.docks.fence)
        self.map.reveal_fence(fence_id)

    def _on_fence_picked(self, fence_id: str) -> None:
        """Of the geofences that are explained: the reasons stay in front."""
        self.model.selection.select_fence(fence_id)
        self.map.reveal_fence(fence_id)

    def _on_event_chosen(self, event: Event) -> None:
        self.model.selection.select_event(event)
        self.docks.raise_open(self.docks.why)
        if event.point is not None:
            self.on_map.reveal_point(event.point.longitude, event.point.latitude)

    def _on_show_user(self) -> None:
        if self.user.user is not None:
            point = self.user.user.fix.point
            self.map.show_point(point.longitude, point.latitude)
            self.map.highlight_point(point.longitude, point.latitude)

    def _on_all_fences(self, text: str) -> None:
        self.docks.fences.show()
        self.list.filter(text)

    def _on_filter(self) -> None:
        self.docks.bring(self.docks.fences)
        self.list.words.setFocus()
        self.list.words.selectAll()

    def _on_commands(self) -> None:
        keys = self.status.keys
        of_keys = keys.menu().actions() if keys.isEnabled() else ()
        CommandPalette(self, (*self.actions_.all(), *of_keys), self.search.start_with).open()

    def _on_tiles(self, on: bool) -> None:
        self.memory.online_tiles = on
        self.map.set_online_tiles(on)

    # Files dropped on it

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 (Qt's name)
        """Accept files while a workspace is open."""
        if self.model.session is not None and _files_of(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 (Qt's name)
        """Take the files."""
        event.acceptProposedAction()
        self.imports.take(_files_of(event.mimeData()))

    # Its end

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        """Ask where something waits for Live; then hide at once, end everything in the background, and be closed."""
        if self._ended:
            event.accept()
            return
        event.ignore()
        if not self._ending:
            self._leave("close", lambda _: self.finish())

    def _leave(
        self,
        verb: str,
        leave: Callable[[Agreed], object],
        stay: Callable[[], object] = lambda: None,
        agreed: Agreed = (),
    ) -> None:
        """Do `leave`, which ends the workspace, after a yes where something is not stored yet; else do `stay`."""
        self.beacons.leave(verb, lambda: self.pending.leave(verb, leave, stay, agreed), stay)

    def finish(self) -> None:
        """Close without a question."""
        if not self._ending:
            self._ending = True
            self.memory.save_place(self.saveGeometry(), self.saveState())
            self.hide()
            self._end()

    def _end(self) -> None:
        self.time.stop()
        self.timeline.stop()
        self.requests.close()
        self.webhooks.close()
        self.faults.close()
        self.model.close()
        session = self.model.session
        self.operations.finish(session.close if session else _nothing, self._on_end)

    def _on_end(self) -> None:
        self.operations.close()
        self.map.shutdown()
        self._ended = True
        self.close()
        self.ended.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Name the tools where there is room, and leave some to the map."""
        super().resizeEvent(event)
        self.toolbar_layout.fit(self.width())
        if event.size().height() < event.oldSize().height():
            self.docks.leave_room_for_map(event.oldSize().height())

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Stay within the screen, and follow the system's theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self._given is not None:
            # Only now is it known what the window manager has put around it.
            given, self._given = self._given, None
            if self.size() == given:
                fit_screen(self)
        if event.type() == QEvent.Type.ThemeChange and self.memory.theme == "system":
            self.set_theme("system")


def _files_of(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def _nothing() -> None:
    """End a window that never had a workspace."""
