"""The main window, which assembles the parts and closes them in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.files import FileChooser
from app.desktop.icons import application_icon
from app.desktop.language import tr
from app.desktop.map import MapProfile, MapView
from app.desktop.map_export.controller import MapExportController
from app.desktop.memory import Memory
from app.desktop.panels.layouts import in_column
from app.desktop.session import OpenFolder, OtherWorkspaces
from app.desktop.timeline.controller import TimelineController
from app.desktop.window.actions.actions import ActsOnActions
from app.desktop.window.appearance import Appearance
from app.desktop.window.availability import Availability
from app.desktop.window.commands import WindowCommands
from app.desktop.window.controllers.areas import AreaController
from app.desktop.window.controllers.backtests.controller import BacktestController
from app.desktop.window.controllers.beacons import BeaconController
from app.desktop.window.controllers.clock import ClockController, TimeWatch
from app.desktop.window.controllers.fences import FenceController
from app.desktop.window.controllers.help.diagnostics import DiagnosticsController
from app.desktop.window.controllers.help.pages import HelpController
from app.desktop.window.controllers.help.tour import TourController
from app.desktop.window.controllers.importing.imports import ImportController
from app.desktop.window.controllers.inspector.events import EventController
from app.desktop.window.controllers.inspector.faults import FaultController
from app.desktop.window.controllers.inspector.heat import HeatController
from app.desktop.window.controllers.inspector.users import UsersController
from app.desktop.window.controllers.integrations.nightly_sync import NightlySyncController
from app.desktop.window.controllers.isochrones import IsochroneController
from app.desktop.window.controllers.many.controllers import ManyControllers
from app.desktop.window.controllers.map_layers.fences import FenceLayerController
from app.desktop.window.controllers.map_layers.imagery import ImageryController
from app.desktop.window.controllers.network import NetworkController
from app.desktop.window.controllers.on_map import OnMap
from app.desktop.window.controllers.pending import Agreed, PendingController
from app.desktop.window.controllers.project import ProjectController
from app.desktop.window.controllers.requests import RequestController
from app.desktop.window.controllers.review.checks import CheckController
from app.desktop.window.controllers.review.history import HistoryController
from app.desktop.window.controllers.review.promotion import PromotionController
from app.desktop.window.controllers.sdks import SdkController
from app.desktop.window.controllers.search import SearchController
from app.desktop.window.controllers.search_result import SearchResultController
from app.desktop.window.controllers.shaping.controllers import ShapingControllers
from app.desktop.window.controllers.simulation.simulation import SimulationControllers
from app.desktop.window.controllers.track_menu.menu import TrackMenu
from app.desktop.window.controllers.tracks import TrackController
from app.desktop.window.controllers.undoing import UndoController
from app.desktop.window.controllers.watching.lost import LostWorkspace
from app.desktop.window.controllers.webhooks.controller import WebhookController
from app.desktop.window.controllers.whatif.controller import WhatIfController
from app.desktop.window.controllers.whatif.sweep import SweepController
from app.desktop.window.controllers.why import WhyController
from app.desktop.window.controllers.workspaces import EndpointController, WorkspaceController
from app.desktop.window.controllers.world_data import WorldDataController
from app.desktop.window.exporting import RecordExporter
from app.desktop.window.languages import LanguageChoice
from app.desktop.window.layouts import Layouts
from app.desktop.window.live_confirmation import LiveConfirmation
from app.desktop.window.parts import WindowParts
from app.desktop.window.placement import Placement
from app.desktop.window.restoring import Parts, ViewKeeper
from app.desktop.window.selection import SelectionController
from app.desktop.window.tools import MapTools

_FRAME = 3


class MainWindow(WindowParts):
    """The window for one open workspace at a time.

    `ending` is emitted when it starts to close, `ended` when everything it used is closed.
    """

    ended = Signal()
    ending = Signal()

    def __init__(
        self,
        open_session: OpenFolder,
        memory: Memory | None = None,
        *,
        profile: MapProfile | None = None,
        begun: MapView | None = None,
        others: OtherWorkspaces | None = None,
    ) -> None:
        """Create the window with `begun`, a map whose page is already loading, or with a new map in `profile`.

        Back-tests can read `others`.
        """
        super().__init__(profile, begun)
        self.memory = memory or Memory()
        self._ending = self._ended = False
        self.files = FileChooser(self)
        self.layouts = Layouts(self, self.docks, self.memory, self.message)
        self.placement = Placement(self, self.layouts, self.memory)
        confirmation = LiveConfirmation(self, self.model)
        self._make_editors(confirmation)
        self._make_sources(confirmation)
        self._make_inspectors(confirmation, others)
        self._make_workspace(open_session)
        self._arrange()
        self._connect_controllers()
        self._make_commands()
        self.appearance.choose(self.memory.theme)
        # The sizes of the parts depend on the style sheet.
        self.placement.restore()
        self.map.set_online_tiles(self.memory.online_tiles)
        self.availability.show()

    # Construction

    def _make_editors(self, confirmation: LiveConfirmation) -> None:
        """Create the controllers that edit geofences and play tracks on the map."""
        model, files, message = self.model, self.files, self.message
        self.on_map = OnMap(model, self.map)
        self.fence_layers = FenceLayerController(model, self.map, self.on_map.census, self.layers, self.docks, message)
        self.selection = SelectionController(
            model, self.map, self.on_map, self.docks, self.list, self.form, self.events, self.actions_
        )
        self.undoing = UndoController(self, model, lambda: self.form.typing, message, confirmation)
        self.fences = FenceController(self, model, self.map, self.form, self.undoing, message, confirmation)
        panels = self.list, self.table, self.form
        self.many = ManyControllers(
            self, model, self.map, self.docks, self.selection, self.fences, message, self.memory, panels
        )
        self.shaping = ShapingControllers(model, self.map, self.form, self.fences, self.memory, message)
        self.isochrones = IsochroneController(model, self.map, self.form, self.fences)
        self.tracks = TrackController(self, model, self.simulator, files, message, confirmation)
        self.simulation = SimulationControllers(
            self, model, self.map, self.on_map, self.simulator, self.tracks, message, confirmation
        )
        self.track_menu = TrackMenu(self, model, self.tracks, self.simulator, self.map, files, message)
        self.areas = AreaController(self, model, self.map, self.status, files, message)
        self.world_data = WorldDataController(self, model, self.memory, files, message)
        self.beacons = BeaconController(
            self, model, self.map, self.beacon_form, self.docks, self.undoing, message, confirmation
        )

    def _make_sources(self, confirmation: LiveConfirmation) -> None:
        """Create the controllers that import and export data: files, web servers, the endpoint, the search."""
        model, files, message = self.model, self.files, self.message
        self.imports = ImportController(
            self, model, self.tracks, self.areas, files, message, confirmation, self.map, self.memory
        )
        self.imports.began.connect(self.undoing.wait_for)
        self.imports.ended.connect(lambda task, stored: self.undoing.go_on(task, stored=stored))
        self.imagery = ImageryController(self, model, self.map, self.memory, message)
        self.map_export = MapExportController(self, model, self.map, self.on_map, files, message)
        self.exporter = RecordExporter(self, model, self.docks, files, message)
        self.event_controller = EventController(self, model, self.events, self.docks, self.exporter, message)
        self.nightly_sync = NightlySyncController(self, model, message, confirmation)
        self.endpoint = EndpointController(self, model, self.status, message)
        self.network = NetworkController(self, model, self.status, files, message, self.memory)
        self.endpoint.details_requested.connect(self.network.open)
        self.endpoint.shown.connect(self.network.refresh)
        self.sdks = SdkController(self, model, self.endpoint)
        self.search_result = SearchResultController(model, self.map, self.fences, message, self.actions_)
        self.search = SearchController(self, model, self.map, self.toolbar.search, self.memory)

    def _make_inspectors(self, confirmation: LiveConfirmation, others: OtherWorkspaces | None) -> None:
        """Create the controllers that show explanations, past records and What if."""
        model, docks, message = self.model, self.docks, self.message
        self.reasons = WhyController(model, self.why, self.user, docks, self.status)
        choose_event = self.selection.choose_event
        self.timeline = TimelineController(
            model, self.timeline_panel, self.on_map, self.reasons, self.files, message, choose_event
        )
        self.user_list = UsersController(
            model, self.user_rows, self.users, docks, self.map, self.on_map, self.reasons.explain_user
        )
        self.heat = HeatController(model, self.map)
        self.requests = RequestController(
            self, model, self.requests_panel, self.request_page, self.request_book, docks, message, choose_event
        )
        self.webhooks = WebhookController(
            self, model, self.webhooks_panel, self.delivery_page, docks, message, confirmation
        )
        self.faults = FaultController(self, model, self.status)
        self.promotion = PromotionController(self, model, self.map, self.files, message, confirmation)
        self.history = HistoryController(
            self, model, self.map, self.form, self.fences, self.undoing, message, confirmation
        )
        self.checks = CheckController(
            model, self.finding_book, self.checks_panel, docks, self.map, self.fences, message
        )
        self.whatif = WhatIfController(
            self, model, self.whatif_panel, self.banner, self.on_map, self.map, docks, message, confirmation
        )
        self.timeline.show_findings_of(self.whatif.findings)
        self.backtests = BacktestController(
            self, model, self.whatif, self.map, self.on_map, docks, self.files, message, self.memory, others
        )
        self.sweeps = SweepController(self, model, self.whatif_panel, self.files, message)

    def _make_workspace(self, open_session: OpenFolder) -> None:
        """Create the controllers of the workspace as a whole."""
        model, message = self.model, self.message
        self.project = ProjectController(self, model, self.form, self.user, message)
        self.pending = PendingController(self, model, self.form, self.project, self.status, message)
        self.clock = ClockController(self, model, self.status, message)
        self.time = TimeWatch(model, self.clock, self.form, self.on_map)
        self.time.passed.connect(self.heat.look)
        self.views = ViewKeeper(self._kept_parts(), model, self.memory, message)
        self.workspaces = WorkspaceController(
            model, self.files, message, self.memory, open_session, self._leave, self.views
        )
        self.lost = LostWorkspace(model, self.workspaces, message)

    def _kept_parts(self) -> Parts:
        return Parts(
            window=self,
            map=self.map,
            on_map=self.on_map,
            form=self.form,
            table=self.table,
            simulator=self.simulator,
            phones=self.simulation.phones,
            timeline=self.timeline_panel,
            online_map=self.actions_.tiles,
        )

    def _make_commands(self) -> None:
        """Create the commands of the window itself."""
        actions = self.actions_
        self.tools = MapTools(self.map, actions, self.memory, self.list, self.form)
        self.commands = WindowCommands(self, self.centre, actions, self.docks, self.list, self.search, self.status)
        tables = self.events, self.users, self.requests_panel, self.webhooks_panel, self.table, self.checks_panel
        panels = self.form, self.why, self.user, self.simulator, self.timeline_panel, *tables
        controllers = self.search, self.search_result, self.pending, self.sdks, self.sweeps, self.promotion
        others = self.many, self.shaping, self.heat, self.map_export
        around = self.map, self.toolbar, self.status, self.message, self.docks
        self.help = HelpController(self, self.docks, self.map, self.toolbar, self.status)
        self.diagnostics = DiagnosticsController(self, self.model, self.memory, self.imagery, self.files, self.message)
        self.tour = TourController(
            self,
            self.model,
            self.map,
            self.docks,
            self.tracks,
            self.memory,
            actions,
            self.search_result.given_up,
        )
        self.workspaces.opened.connect(self.tour.offer)
        self.workspaces.opened.connect(self.world_data.offer)
        for controller in (self.help, self.diagnostics):
            controller.connect_actions(actions)
        self.appearance = Appearance(self.memory, actions, (*around, *controllers, *others, *panels, self.help))
        self.languages = LanguageChoice(self.menus.languages, self.memory, self.message)

    def _arrange(self) -> None:
        self.setWindowIcon(application_icon())
        self.setObjectName("Frame")
        self.setContentsMargins(_FRAME, _FRAME, _FRAME, _FRAME)
        self.setAcceptDrops(True)
        self.setMenuBar(self.menus)
        self.addToolBar(self.toolbar)
        self.setStatusBar(self.status)
        self.centre = QWidget()
        in_column((self.map, 1), of=self.centre, margins=0, spacing=0)
        self.message.lie_over(self.centre)
        self.banner.lie_over(self.centre)
        self.setCentralWidget(self.centre)
        browser = self.map.findChild(QWebEngineView)
        if browser is not None:
            # The window handles a file dropped on the map; the page would open it.
            browser.setAcceptDrops(False)

    def _connect_controllers(self) -> None:
        """Connect the controllers to the actions and to one another once all of them exist."""
        live = self.form, self.user, self.simulator
        self.availability = Availability(
            self, self.model, self.actions_, self.toolbar, self.toolbar_layout, self.status, self.timeline_panel, live
        )
        self.selection.follow()
        self._connect_model()
        for controller in self._acting():
            controller.connect_actions(self.actions_)
        self._connect_panels()
        self.search_result.follow(self.search, self.centre)
        self.panes.lead(self.toolbar.search, self.search_result.card)
        self.many.follow(self.search_result)
        self.search_result.menu_of_place.connect(self.shaping.rings.fill_menu)
        self.shaping.rings.form_wanted.connect(self.selection.bring_fence)
        self.search_result.fence_shown.connect(lambda _: self.selection.bring_fence())
        self.search_result.destination_found.connect(self.isochrones.start_at)
        self.search_result.beacon_wanted.connect(self.beacons.start_at)
        self.network.dialog.copy_requested.connect(self.endpoint.copy_url)
        self.pending.fence_shown.connect(self.selection.choose_fence)
        self.pending.settings_shown.connect(self.project.open)
        self.checks.settings_wanted.connect(lambda: self.project.open())
        self.selection.fence_shown.connect(self.time.show_now)
        self.fences.created.connect(lambda _: self.selection.bring_fence())
        self.views.follow(self.areas)
        self.workspaces.opened.connect(lambda: self.endpoint.begin(self.map.when_settled))
        self.workspaces.refused.connect(lambda: self.availability.show_workspace(False))

    def _acting(self) -> tuple[ActsOnActions, ...]:
        return (
            *(self.panes, self.undoing, self.fences, self.tracks, self.simulation, self.timeline, self.track_menu),
            *(self.project, self.pending, self.sdks, self.clock, self.faults, self.areas, self.network, self.beacons),
            *(self.nightly_sync, self.isochrones, self.whatif, self.workspaces, self.imports, self.search),
            *(self.checks, self.promotion, self.history, self.many, self.shaping, self.heat, self.map_export),
            *(self.fence_layers, self.imagery, self.world_data, self.backtests, self.layouts),
        )

    def _connect_model(self) -> None:
        self.model.counted.connect(self.status.show_counts)
        self.model.problem.connect(self.message.complain)
        self.model.noted.connect(self.message.show_info)
        self.map.failed.connect(self.message.complain)
        self.map.announced.connect(self.status.show_key_text)
        self.operations.started.connect(self.status.task.follow)

    def _connect_panels(self) -> None:
        """Connect the signals of the panels to the parts that handle them."""
        a = self.actions_
        self.list.note_changed.connect(self.docks.title(self.docks.fences).note.show_text)
        self.list.import_requested.connect(a.import_file.trigger)
        self.events.open_track_requested.connect(a.open_track.trigger)
        self.events.copy_url_requested.connect(self.endpoint.copy_url)
        self.events.connect_requested.connect(a.sdks.trigger)
        self.requests_panel.copy_url_requested.connect(self.endpoint.copy_url)
        self.why.fence_chosen.connect(self.selection.pick_fence)
        self.user.show_requested.connect(lambda: self.selection.show_user(self.user))
        self.user.timeline_requested.connect(self.timeline.show_selected_user)
        self.timeline_panel.open_track_requested.connect(a.open_track.trigger)
        self.layouts.changed.connect(self.toolbar.show_layout)
        self.tracks.taken.connect(lambda: self.docks.bring(self.docks.simulator))
        self.timeline_panel.unfolded.connect(self.docks.make_room_for_timeline)
        self.menus.offer_recent(self.workspaces.recent)
        self.menus.recent_chosen.connect(self.workspaces.open)

    # Dropped files

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 (Qt's name)
        """Accept files while a workspace is open."""
        if self.model.session is not None and _files_of(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 (Qt's name)
        """Import the dropped files."""
        event.acceptProposedAction()
        self.imports.take(_files_of(event.mimeData()))

    def open_files(self, files: Sequence[Path]) -> None:
        """Open files as if they were dropped on the window, once the next workspace is open."""
        if files:
            once = Qt.ConnectionType.SingleShotConnection
            self.workspaces.opened.connect(lambda: self.imports.take(files), once)

    # Closing

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        """Ask about changes pending for Live, then hide immediately, end the background work and close."""
        if self._ended:
            event.accept()
            return
        event.ignore()
        if not self._ending:
            self._leave(tr("close"), lambda _: self.finish())

    def _leave(
        self,
        verb: str,
        leave: Callable[[Agreed], object],
        stay: Callable[[], object] = lambda: None,
        agreed: Agreed = (),
    ) -> None:
        """Call `leave`, which ends the workspace, after asking about unsaved changes; otherwise call `stay`."""
        self.beacons.leave(verb, lambda: self.pending.leave(verb, leave, stay, agreed), stay)

    def finish(self) -> None:
        """Close without asking."""
        if not self._ending:
            self._ending = True
            self.ending.emit()
            self.placement.save()
            self.views.leave()
            self.hide()
            self._end()

    def _end(self) -> None:
        self.time.stop()
        self.endpoint.stop()
        self.lost.close()
        self.timeline.stop()
        self.map_export.stop()
        self.imagery.stop()
        self.requests.close()
        self.webhooks.close()
        self.faults.close()
        self.model.close()
        session = self.model.session
        if session is not None:
            session.engine.stop_work()
        self.operations.finish(session.close if session else _nothing, self._on_end)

    def withdraw_workspace(self) -> None:
        """Withdraw the address of the open workspace because the process is ending. May be called from any thread."""
        session = self.model.session
        if session is not None:
            session.engine.workspace.withdraw()

    def _on_end(self) -> None:
        self.operations.close()
        self.map.shutdown()
        self._ended = True
        self.close()
        self.ended.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show the names of the tools if the window is wide enough, and leave room for the map."""
        super().resizeEvent(event)
        self.toolbar_layout.fit(self.width())
        if event.size().height() < event.oldSize().height():
            self.docks.leave_room_for_map(event.oldSize().height())

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Keep the window on the screen and follow the system's theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            self.placement.fit_once()
        if event.type() == QEvent.Type.ThemeChange:
            self.appearance.follow_system()


def _files_of(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def _nothing() -> None:
    """Do nothing: stands in for closing the session of a window that never had one."""
