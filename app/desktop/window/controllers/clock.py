"""Time in the window: the user's control over the Test clock, and the effects of passing time."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.clock import ClockDialog
from app.desktop.language import tr
from app.desktop.model.editing.openings import closed_among
from app.desktop.model.words import error_text
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.panels.menus import Menu
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.on_map import OnMap
from app.desktop.window.message import MessageLine
from app.desktop.window.status import StatusLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.clock import ClockChange, ClockState
from engine.domain.errors import InvalidParameter

_LOOKED_EVERY_MS = 500
_STEPS = ((tr("1 minute"), 60.0), (tr("10 minutes"), 600.0), (tr("1 hour"), 3_600.0), (tr("1 day"), 86_400.0))


class ClockController(QObject):
    """Changes the Test clock outside the window's thread and shows it."""

    def __init__(self, window: QWidget, model: WorkspaceModel, status: StatusLine, message: MessageLine) -> None:
        super().__init__(window)
        self._window, self._model, self._status, self._message = window, model, status, message
        self._dialog: ClockDialog | None = None
        self.menu = Menu(status.clock)
        self.freeze = self.menu.addAction(tr("Freeze"))
        self.freeze.triggered.connect(lambda: self.change(ClockChange(frozen=not self._state().frozen)))
        self.menu.addSeparator()
        for text, seconds in _STEPS:
            step = self.menu.addAction(tr("Advance {duration}", duration=text))
            step.triggered.connect(lambda _=False, seconds=seconds: self.change(ClockChange(advance_s=seconds)))
        self.menu.addSeparator()
        self.menu.addAction(tr("Set, advance, speed…")).triggered.connect(self.open)
        self.back = self.menu.addAction(tr("Reset to system time"))
        self.back.triggered.connect(lambda: self.change(ClockChange(system=True)))
        status.clock.setMenu(self.menu)
        self.menu.aboutToShow.connect(self._name_freeze)
        model.environment_changed.connect(self.show)

    @property
    def dialog(self) -> ClockDialog:
        """The dialog, created on first use."""
        if self._dialog is None:
            self._dialog = ClockDialog(self._window)
            self._dialog.changed.connect(self.change)
        return self._dialog

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.clock.triggered.connect(lambda: self.open())
        actions.freeze.triggered.connect(lambda: self.change(ClockChange(frozen=not self._state().frozen)))

    def open(self) -> None:
        """Open the dialog."""
        if self._model.session is not None and not self._model.environment.live:
            self.dialog.show_state(self._state(), self._zone())
            self.dialog.show()
            self.dialog.raise_()
            self.dialog.activateWindow()

    def change(self, change: ClockChange) -> None:
        """Change the clock, and show an error at its field."""
        session = self._model.session
        if session is None:
            return
        engine = session.engine

        def done(_: ClockState) -> None:
            if self._dialog is not None:
                self._dialog.show_error("", "")
            self.show()

        self._model.operations.change(lambda: engine.set_clock(change), done, self._on_failed)

    def show(self) -> None:
        """Show the current state of the clock in Test. Live has no clock of its own."""
        test = self._model.session is not None and not self._model.environment.live
        self._status.clock.setVisible(test)
        if test:
            state = self._state()
            # The outlines of time zones take a tenth of a second and 30 MB to load, so this is done only if the time is
            # shown.
            self._status.show_clock(state, None if state.system else self._zone())
            if self._dialog is not None and self._dialog.isVisible():
                self._dialog.show_state(state, self._zone())
        else:
            self._status.show_clock(None, None)
            if self._dialog is not None:
                self._dialog.close()

    def _state(self) -> ClockState:
        assert self._model.session is not None
        return self._model.session.engine.test_clock.state()

    def _zone(self) -> ZoneInfo:
        """Return the time zone to show: that of the selected geofence or event, else the zone `without_place`."""
        model = self._model
        selected = model.fences.get(model.selection.fence_id)
        if selected is not None:
            return model.fences.zone(selected)
        event = model.selection.event
        return model.zones.without_place if event is None else model.zones.of_event(event)

    def _name_freeze(self) -> None:
        state = self._state()
        self.freeze.setText(tr("Unfreeze") if state.frozen else tr("Freeze"))
        self.back.setEnabled(not state.system)

    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, InvalidParameter) and self._dialog is not None and self._dialog.isVisible():
            self._dialog.show_error(error.param, error_text(error))
        else:
            self._model.report_error(error)


class TimeWatch(QObject):
    """Shows the effects of passing time: the clock, and which geofences are open. Other parts follow `passed`."""

    passed = Signal(object)

    def __init__(self, model: WorkspaceModel, clock: ClockController, form: FenceForm, on_map: OnMap) -> None:
        super().__init__(model)
        self._model, self._clock, self._form, self._on_map = model, clock, form, on_map
        self._looking = False
        self._timer = QTimer(self, interval=_LOOKED_EVERY_MS)
        self._timer.timeout.connect(self.look)
        model.opened.connect(self._timer.start)
        model.selection.changed.connect(self.show_now)
        model.settings_changed.connect(self._on_settings)

    def stop(self) -> None:
        """Stop watching."""
        self._timer.stop()

    def look(self) -> None:
        """Update the clock, and once a minute the open and closed geofences."""
        self._clock.show()
        self.show_now()
        now = self._model.now()
        self.passed.emit(now)
        if not self._looking and self._model.openings.is_due(now):
            self._look_at_fences()

    def show_now(self) -> None:
        """Show whether the geofence in the form is open."""
        fence = self._form.fence
        if fence is not None:
            self._form.show_now(self._model.now(), self._model.fences.zone(fence))

    def _on_settings(self) -> None:
        self._model.openings.forget_look()
        self.show_now()

    def _look_at_fences(self) -> None:
        now, fences, zone = self._model.now(), self._model.openings.with_hours, self._model.fences.zone
        environment, rule = self._model.environment, self._model.settings.operating_hours_rule
        self._model.openings.note_look(now)
        if not fences:
            return
        self._looking = True

        def done(closed: tuple[str, ...]) -> None:
            self._looking = False
            if environment is self._model.environment:
                self._on_map.redraw(self._model.openings.take(closed))

        def failed(error: Exception) -> None:
            self._looking = False
            self._model.report_error(error)

        self._model.operations.read(lambda: closed_among(fences, now, zone, rule), done, failed)
