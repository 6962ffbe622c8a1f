"""Controller of What if: opens, replays, keeps and discards a sandbox."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.language import counted, tr
from app.desktop.map import MapEvent, MapView
from app.desktop.model.editing.changes import Outcome
from app.desktop.model.editing.pending import fence_with
from app.desktop.model.whatif.findings import Finding, Findings
from app.desktop.model.words import error_text
from app.desktop.operations import Lane, Task
from app.desktop.panels.whatif.banner import SandboxBanner
from app.desktop.panels.whatif.panel import WhatIfPanel
from app.desktop.panels.widgets import key_text
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.on_map import OnMap
from app.desktop.window.docks import Docks
from app.desktop.window.live_confirmation import LiveConfirmation
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled
from engine.domain.settings import NO_SETTINGS_CHANGE, SettingsChange
from engine.domain.tracking.explaining import ReplayFences, ReplayQuery, ReplayReport
from engine.domain.tracking.whatif import FenceEdits
from engine.domain.values import replace


class WhatIfController(QObject):
    """Connects the panel, the banner, the map and the engine."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        panel: WhatIfPanel,
        banner: SandboxBanner,
        on_map: OnMap,
        map_view: MapView,
        docks: Docks,
        message: MessageLine,
        confirmation: LiveConfirmation,
    ) -> None:
        super().__init__(window)
        self._model, self._panel, self._banner = model, panel, banner
        self._on_map, self._docks, self._message = on_map, docks, message
        self._confirmation = confirmation
        self._task: Task | None = None
        self.findings = Findings()
        """Findings of the last replay, shared with other views."""
        for part in (panel, banner):
            part.replay_requested.connect(self.replay)
            part.keep_requested.connect(self.keep)
            part.discard_requested.connect(self.discard)
        panel.sandbox_requested.connect(self.open_sandbox)
        panel.finding_chosen.connect(self.findings.select)
        map_view.event_clicked.connect(lambda mark: self.findings.select(self.findings.by_mark(mark)))
        model.sandbox_changed.connect(self._show_sandbox)
        model.history_changed.connect(self._show_sandbox)
        model.environment_changed.connect(self._reset)
        model.settings_changed.connect(self._show_settings)
        model.users_loaded.connect(lambda _: self._show_devices())
        model.users_moved.connect(lambda users: panel.device_list.add_devices(user.device_id for user in users))
        self.findings.changed.connect(self._show_findings)
        self.findings.selected.connect(self._show_selected)
        self._show_sandbox()
        self._show_findings()

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        actions.what_if.triggered.connect(lambda: self._docks.bring(self._docks.whatif))

    # Acting

    def open_sandbox(self) -> None:
        """Start editing geofences in a sandbox."""
        if self._model.session is not None and not self._model.environment.live:
            self._model.open_sandbox()

    def replay(self) -> None:
        """Replay updates in the sandbox, cancelling a replay in progress."""
        session, environment = self._model.session, self._model.environment
        if session is None:
            return
        if self._task is not None:
            self._task.cancel()
        try:
            query = self._query()
        except InvalidParameter as error:
            self._message.complain(error_text(error))
            return
        engine = session.engine

        def done(report: ReplayReport) -> None:
            end()
            if environment is self._model.environment and session is self._model.session:
                self.findings.show(report)
                self._docks.bring(self._docks.whatif)

        def failed(error: Exception) -> None:
            end()
            if not isinstance(error, Cancelled):
                self._message.complain(error_text(error))

        def end() -> None:
            if self._task is task:  # another replay may have started in the meantime
                self._task = None

        task = self._task = self._model.operations.aside(
            Lane.REPLAYING,
            tr("Replaying"),
            lambda progress: engine.tracking.replay(environment, query, progress),
            done,
            failed,
        )

    def keep(self) -> None:
        """Store the changes of the sandbox in one undoable step."""
        try:
            names = self._panel.changes()
        except InvalidParameter as error:
            self._message.complain(error_text(error))
            return
        sandbox = self._model.sandbox
        edited = sandbox.edits if sandbox else FenceEdits()
        if not names and not edited:
            self._message.show_info(tr("Nothing to keep: no settings or geofences were changed."))
            return
        seen = {name: getattr(self._model.settings, name) for name in names}
        change = replace(NO_SETTINGS_CHANGE, **names)  # type: ignore[arg-type]
        text = _changes_text(len(edited.touched), len(names))
        self._confirmation.confirm(
            tr("Keep {changes} in Live?", changes=text), tr("Keep"), lambda: self._keep(change, seen, text)
        )

    def _keep(self, change: SettingsChange, seen: dict[str, object], text: str) -> None:
        def done(_: Outcome) -> None:
            self.findings.show(None)
            self._show_settings()
            self._message.show_info(
                tr("Kept {changes}. {shortcut} undoes it.", changes=text, shortcut=key_text("Ctrl+Z"))
            )

        self._model.keep_sandbox(change, seen, done, lambda error: self._message.complain(error_text(error)))

    def discard(self) -> None:
        """Discard the changes and show the stored state."""
        self.findings.show(None)
        self._model.close_sandbox()
        self._show_settings()

    # Querying

    def _query(self) -> ReplayQuery:
        query = ReplayQuery(
            change=replace(NO_SETTINGS_CHANGE, **self._panel.changes()),  # type: ignore[arg-type]
            edits=self.edits(),
        )
        if not self._panel.of_track:
            devices = self._panel.device_list.chosen()
            if not devices:
                raise InvalidParameter("device", tr("Choose at least one device to replay."))
            return replace(query, device_ids=devices, fences=ReplayFences.THEN)
        simulation = self._model.simulation
        if simulation.track is None:
            raise InvalidParameter("track", tr("Open a track first ({shortcut}).", shortcut=key_text("Ctrl+T")))
        return replace(query, updates=simulation.sender.updates(simulation.fixes, simulation.phone))

    def edits(self) -> FenceEdits:
        """Return the edits of the sandbox, or the pending changes in Live."""
        if self._model.sandbox is not None:
            return self._model.sandbox.edits
        if not self._model.environment.live:
            return FenceEdits()
        pending = self._model.pending
        owners = [owner for owner in pending.owners() if owner is not None and not pending.is_deleted(owner)]
        return FenceEdits(tuple(fence_with(pending.fence(each), pending.change_of_fence(each)) for each in owners))

    # Showing

    def _reset(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self.findings.show(None)
        self._panel.device_list.show_devices(())

    def _show_sandbox(self) -> None:
        sandbox, session = self._model.sandbox, self._model.session
        self._panel.show_sandbox(
            is_open=sandbox is not None, allowed=session is not None and not self._model.environment.live
        )
        text = (
            None
            if sandbox is None
            else tr("{geofences} edited", geofences=counted(len(sandbox.edits.touched), "geofence"))
        )
        self._banner.show_sandbox(text)

    def _show_settings(self) -> None:
        self._panel.show_settings(self._model.settings)

    def _show_devices(self) -> None:
        self._panel.device_list.show_devices(user.device_id for user in self._model.users.all())

    def _show_findings(self) -> None:
        self._panel.show_findings(self.findings)
        if self.findings.are_shown:
            self._on_map.show_instead([mark for mark in map(_mark, self.findings.all) if mark is not None])
        else:
            self._on_map.show_instead(None)

    def _show_selected(self) -> None:
        finding = self.findings.current
        self._panel.select(finding)
        point = finding.event.point if finding is not None else None
        if finding is not None and point is not None:
            self._on_map.reveal_point(point.longitude, point.latitude)
            self._on_map.select_mark(finding.mark_id)


def _mark(finding: Finding) -> MapEvent | None:
    point = finding.event.point
    if point is None:
        return None
    return MapEvent(finding.mark_id, point.longitude, point.latitude, finding.kind.value, finding.label)


def _changes_text(fences: int, settings: int) -> str:
    parts = [counted(fences, "geofence")] if fences else []
    return tr(" and ").join([*parts, counted(settings, "setting")] if settings else parts)
