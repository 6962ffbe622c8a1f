"""Checks of geofences: the controller between the panel and the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from app.desktop.language import counted, tr, translated
from app.desktop.map import MapView
from app.desktop.model.editing.changes import FenceEditor, Outcome
from app.desktop.model.fences import FenceDelta
from app.desktop.model.review.findings import FindingBook
from app.desktop.operations import Lane
from app.desktop.panels.review.checks import ChecksPanel
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.fences import FenceController
from app.desktop.window.docks import Docks
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.geofence import Geofence
from engine.domain.ports import Cancelled, Progress
from engine.domain.settings import NO_SETTINGS_CHANGE
from engine.geofences.checks.findings import CheckOptions, CheckReport, Finding
from engine.geofences.checks.service import changes_of

_SELECTED = 1_000
"""Maximum number of geofences of a finding that are selected."""


class CheckController(QObject):
    """Runs checks, shows their findings on the map, and applies safe fixes.

    `settings_wanted` is emitted if a finding concerns the project's settings.
    """

    settings_wanted = Signal()

    def __init__(
        self,
        model: WorkspaceModel,
        book: FindingBook,
        panel: ChecksPanel,
        docks: Docks,
        map_view: MapView,
        fences: FenceController,
        message: MessageLine,
    ) -> None:
        super().__init__(model)
        self._model, self._book, self._panel, self._docks = model, book, panel, docks
        self._map, self._fences, self._message = map_view, fences, message
        self._running, self._changes = False, 0
        panel.check_requested.connect(self.run)
        panel.chosen.connect(self.show)
        panel.opened.connect(self._open)
        panel.fix_requested.connect(self.fix)
        panel.dismiss_requested.connect(lambda findings: self.dismiss(findings, dismissed=True))
        panel.restore_requested.connect(lambda findings: self.dismiss(findings, dismissed=False))
        panel.dismissed_shown.connect(book.show_dismissed)
        panel.severity_chosen.connect(book.show_from)
        book.changed.connect(self._note)
        model.opened.connect(book.forget)
        model.environment_changed.connect(self._on_environment)
        model.fences.changed.connect(self._follow)
        for signal in (model.settings_changed, model.areas_changed):
            signal.connect(self._outdate)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the action."""
        actions.checks.triggered.connect(lambda: self.open())

    def open(self) -> None:
        """Show the panel and run the checks."""
        self._docks.bring(self._docks.checks)
        self.run()

    def run(self) -> None:
        """Check the geofences of the displayed environment."""
        session, environment = self._model.session, self._model.environment
        if session is None or self._running:
            return
        checks, options, before = session.engine.checks, CheckOptions(accuracy_m=self._panel.accuracy_m), self._changes
        self._set_running(True)

        def work(progress: Progress) -> CheckReport:
            return checks.run(environment, options, progress)

        def done(report: CheckReport) -> None:
            self._set_running(False)
            if session is self._model.session:
                self._book.take(environment, report, stale=before != self._changes)

        def failed(error: Exception) -> None:
            self._set_running(False)
            if not isinstance(error, Cancelled):
                self._model.report_error(error)

        self._model.operations.aside(Lane.CHECKING, tr("Checking geofences"), work, done, failed)

    def show(self, finding: Finding) -> None:
        """Select the geofences of a finding and show them on the map."""
        ids = [key for key in finding.geofence_ids if self._model.fences.get(key) is not None][:_SELECTED]
        if ids:
            self._model.selection.select_fences(ids)
            self._map.fit_fences(ids, animate=True)
            if finding.place is not None:
                self._map.highlight_point(finding.place.longitude, finding.place.latitude)

    def fix(self, findings: Sequence[Finding]) -> None:
        """Fix findings as one step."""
        if not findings:
            return
        if self._model.sandbox is not None:
            self._message.complain(tr("Keep or discard the sandbox first."))
            return
        noun = counted(len(findings), "finding")
        question = (
            tr("Fix {findings} in Live?", findings=noun)
            if len(findings) > 1
            else tr("{action} in Live?", action=_fix_text(findings[0]))
        )
        wanted = self._wanted(findings)
        self._fences.change_all(
            question, tr("Fix"), tr("Fixed {findings}.", findings=noun), wanted, lambda _: self.run()
        )

    def dismiss(self, findings: Sequence[Finding], *, dismissed: bool) -> None:
        """Dismiss findings in the workspace, or take that back."""
        session, environment = self._model.session, self._model.environment
        if session is None or not findings:
            return
        checks = session.engine.checks
        store = checks.dismiss if dismissed else checks.restore

        def done(_: None) -> None:
            if session is self._model.session:
                self._book.mark(environment, findings, dismissed=dismissed)

        self._model.operations.change(lambda: store(environment, findings), done, self._model.report_error)

    def _wanted(self, findings: Sequence[Finding]) -> Callable[[FenceEditor], Outcome]:
        """Return a function that applies the fixes of findings to the geofences as currently displayed."""
        session, environment = self._model.session, self._model.environment
        assert session is not None
        geofences, settings_now = session.engine.geofences, self._model.settings
        seen: dict[str, Geofence | None] = {key: self._model.fences.get(key) for key in changes_of(findings)}
        settings = next((each.fix.settings for each in findings if each.fix and each.fix.settings), NO_SETTINGS_CHANGE)
        settings_seen = {} if settings is NO_SETTINGS_CHANGE else {"buffer_exits": settings_now.buffer_exits}

        def work(editor: FenceEditor) -> Outcome:
            wanted: dict[str, Geofence | None] = {}
            for key, changes in changes_of(findings).items():
                if (fence := seen[key]) is None:
                    continue  # reported as changed in the meantime
                for change in changes:
                    fence = geofences.judged_change(environment, fence, change)
                wanted[key] = fence
            text = (
                _fix_text(findings[0])
                if len(findings) == 1
                else tr("Fix {findings}", findings=counted(len(findings), "finding"))
            )
            return editor.keep(seen, wanted, settings, settings_seen, text)

        return work

    def _open(self, finding: Finding) -> None:
        """Show the geofences or settings that a finding concerns."""
        if finding.geofences:
            self.show(finding)
            self._docks.raise_open(self._docks.fence)
        else:
            self.settings_wanted.emit()

    def _set_running(self, running: bool) -> None:
        self._running = running
        self._panel.show_running(running)

    def _note(self) -> None:
        self._docks.note(self._docks.checks, self._book.brief())

    def _follow(self, delta: FenceDelta) -> None:
        self._changes += 1
        self._book.follow(delta)

    def _outdate(self) -> None:
        self._changes += 1
        self._book.outdate(self._model.environment)

    def _on_environment(self) -> None:
        # Changes by others in the environment that is not displayed are not followed.
        self._book.outdate(self._model.environment)
        self._book.show(self._model.environment)


def _fix_text(finding: Finding) -> str:
    assert finding.fix is not None
    return translated(finding.fix.text).partition(";")[0]
