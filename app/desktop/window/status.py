"""The status line: counts, running tasks, and the endpoint with its keys."""

from __future__ import annotations

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QStatusBar, QWidget

from app.desktop.icons import icon
from app.desktop.language import counted, tr
from app.desktop.map.values import Theme
from app.desktop.model.areas import summary
from app.desktop.model.editing.numbers import spell_number
from app.desktop.model.words import clock_time, full_time, key_name, local_time
from app.desktop.operations import Task
from app.desktop.panels.layouts import in_row
from app.desktop.panels.menus import Menu
from app.desktop.panels.widgets import OneLine, button, button_text, label, restyle, tip_text, tool_button
from app.endpoint import Reach, warning_of
from app.time_left import TimeLeft
from engine.domain.area import Area
from engine.domain.clock import ClockState
from engine.domain.environment import Environment, KeyLevel
from engine.domain.queries import Counts

_WHY_TIP = tr("Show why something happened, or why not")
_WHY_WIDTH = 280
_INDENT = 12
_APART = 8
_COUNTS_LETTERS = 48
_BUTTON_ROOM = 24
_KEYS = tuple((env, level) for env in Environment for level in KeyLevel)


class TaskBar(QWidget):
    """A running task, its progress and a button to cancel it. `changed` is emitted when its content changes."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._tasks: list[Task] = []
        self._left: dict[Task, TimeLeft] = {}
        self.text = label()
        self.bar = QProgressBar()
        self.bar.setAccessibleName(tr("Progress"))
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(160)
        self.left = label()
        self.left.hide()
        self.cancel = button(tr("Cancel"), self._on_cancel)
        in_row(self.text, self.bar, self.left, self.cancel, of=self, margins=(8, 0, 8, 0))
        self.hide()

    def follow(self, task: Task) -> None:
        """Show a task until it ends; a task that starts in the meantime takes its place until that one ends."""
        self._tasks.append(task)
        self._left[task] = TimeLeft()
        task.progressed.connect(lambda done, total: self._on_progress(task, done, total))
        task.ended.connect(lambda: self._on_end(task))
        self._show_last()

    def _show_last(self) -> None:
        if self._tasks:
            task = self._tasks[-1]
            elide, width = Qt.TextElideMode.ElideMiddle, _WHY_WIDTH
            self.text.setText(self.text.fontMetrics().elidedText(task.text, elide, width))
            self.text.setToolTip(tip_text(task.text))
            self.bar.setRange(0, 0)
            self._show_left("")
            self.cancel.setEnabled(not task.cancelled)
        self.setVisible(bool(self._tasks))
        self.changed.emit()

    def _show_left(self, text: str) -> None:
        if text != self.left.text():
            self.left.setText(text)
            self.left.setVisible(bool(text))
            self.changed.emit()

    def _on_progress(self, task: Task, done: int, total: int) -> None:
        left = self._left[task].text(done, total)
        if task in self._tasks[-1:]:
            self.bar.setRange(0, total)
            self.bar.setValue(done)
            self._show_left(left)

    def _on_end(self, task: Task) -> None:
        self._tasks.remove(task)
        del self._left[task]
        self._show_last()

    def _on_cancel(self) -> None:
        for task in self._tasks[-1:]:
            task.cancel()
            self.cancel.setEnabled(False)


class ClockButton(QPushButton):
    """The Test clock: an icon while it follows the system time, otherwise its own time; with a menu."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("ClockButton")
        self.setAccessibleName(tr("Test clock"))
        self.show_state(None, None)

    def show_state(self, state: ClockState | None, zone: ZoneInfo | None) -> tuple[str, ...]:
        """Show the state of the clock and return its texts, from the longest to the shortest."""
        restyle(self, "own", not (state is None or state.system))
        if state is None or state.system:
            self.setToolTip(tr("The Test clock follows the system time"))
            return ("",)
        pace = tr("frozen") if state.frozen else f"×{spell_number(state.scale)}" if state.scale != 1 else tr("running")
        self.setToolTip(tip_text(tr("The Test clock, {pace}: {time}", pace=pace, time=full_time(state.now, zone))))
        whole, time = local_time(state.now, zone), clock_time(state.now, zone)
        return f"{whole} · {pace}", f"{time} · {pace}", time, f"{state.now.astimezone(zone):%H:%M}"


class StatusLine(QStatusBar):
    """Shows the status and emits the requests of its buttons.

    In a narrow window, or with a large font, it abbreviates its texts and shows them in full in the tooltips.
    """

    endpoint_toggled = Signal(bool)
    copy_url_requested = Signal()
    device_requested = Signal()
    copy_key_requested = Signal(object, object)
    rotate_key_requested = Signal(object, object)
    why_requested = Signal()
    pending_requested = Signal()
    faults_requested = Signal()

    _parts: tuple[QWidget, ...] = ()

    def __init__(self) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self._counts = self._areas = self._names = self._key_text = ""
        self._forms: dict[QPushButton | QLabel, tuple[str, ...]] = {}
        self._order: tuple[QPushButton | QLabel, ...] = ()
        self.counts = OneLine()
        self.counts.setIndent(_INDENT)
        self.task = TaskBar()
        self.clock = ClockButton()
        self.why = button("", self.why_requested.emit)
        self.why.setObjectName("WhyButton")
        self.pending = button("", self.pending_requested.emit)
        self.pending.setObjectName("PendingButton")
        self.pending.setToolTip(tr("Show all pending changes"))
        self.faults = button("", self.faults_requested.emit)
        self.faults.setObjectName("FaultsButton")
        self.faults.setToolTip(tr("Faults are injected into Test requests; click to list, add or remove them"))
        self.endpoint = label()
        self.endpoint.setObjectName("Endpoint")
        self.copy_url = tool_button(tr("Copy the endpoint's URL"), self.copy_url_requested.emit, "CopyUrl")
        self.device = tool_button(
            tr("HTTPS, network access and the QR code for devices"), self.device_requested.emit, "Device"
        )
        self.keys = self._make_keys()
        self.toggle = button(tr("Start"), self._on_toggle)
        self.addWidget(self.counts, 1)
        self.addWidget(self.task)
        self.task.changed.connect(self._fit)
        self._parts = (
            self.why,
            self.clock,
            self.pending,
            self.faults,
            self.endpoint,
            self.copy_url,
            self.device,
            self.keys,
            self.toggle,
        )
        for widget in self._parts:
            self.addPermanentWidget(widget)
        # The order in which the parts are abbreviated.
        self._order = (self.why, self.clock, self.why, self.faults, self.endpoint, self.clock, self.keys, self.clock)
        self._running = False
        self._set_forms(self.keys, tr("&Keys"), "")
        self.show_clock(None, None)
        self.show_endpoint(None)
        self.show_why(None)
        self.show_pending(0, live=False, wrong=False)
        self.show_faults(0)

    def set_theme(self, theme: Theme) -> None:
        """Set the theme of the icons."""
        self.copy_url.setIcon(icon("copy", theme))
        self.device.setIcon(icon("qr-code", theme))
        self.keys.setIcon(icon("key", theme))
        self.clock.setIcon(icon("clock", theme))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Fit the texts to the new width."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Fit the texts to the new font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self._parts:
            self._fit()

    def _set_forms(self, widget: QPushButton | QLabel, *forms: str) -> None:
        """Set the forms of a part's text, of which the longest that fits is shown."""
        self._forms[widget] = forms
        self._fit()

    def _fit(self) -> None:
        there = [part for part in self._parts if not part.isHidden()]
        steps, room = dict.fromkeys(self._forms, 0), self._room()
        for widget in self._order:
            if sum(self._width_of(part, steps) + _APART for part in there) <= room:
                break
            if widget in there and widget in steps and steps[widget] + 1 < len(self._forms[widget]):
                steps[widget] += 1
        for widget, step in steps.items():
            text = self._forms[widget][step]
            if widget.text() != text:
                widget.setText(text)

    def _room(self) -> int:
        """Return the width available next to the counts and the running task."""
        letters = self.counts.fontMetrics()
        counts = letters.horizontalAdvance(self.counts.whole) + 2 * _INDENT
        task = 0 if self.task.isHidden() else self.task.sizeHint().width()
        return self.width() - task - min(counts, letters.averageCharWidth() * _COUNTS_LETTERS)

    def _width_of(self, part: QWidget, steps: Mapping[QPushButton | QLabel, int]) -> int:
        """Return the width of a part in its current form."""
        width = max(part.sizeHint().width(), part.minimumWidth())
        if not isinstance(part, QPushButton | QLabel) or part not in steps:
            return width
        letters = part.fontMetrics()
        form = self._forms[part][steps[part]]
        return width + letters.horizontalAdvance(form) - letters.horizontalAdvance(part.text())

    def show_clock(self, state: ClockState | None, zone: ZoneInfo | None) -> None:
        """Show the state of the Test clock."""
        self._set_forms(self.clock, *self.clock.show_state(state, zone))

    def show_counts(self, counts: Counts | None) -> None:
        """Show the numbers of geofences, users and events."""
        self._counts = ""
        if counts is not None:
            parts = (
                counted(counts.geofences, "geofence"),
                counted(counts.users, "user"),
                counted(counts.events, "event"),
            )
            self._counts = " · ".join(parts)
        self._show_texts()

    def show_areas(self, areas: tuple[Area, ...]) -> None:
        """Show the areas in use."""
        self._areas = summary(areas)
        names = ", ".join(area.name for area in areas)
        self._names = tr("Areas in use: {area_names}", area_names=names) if areas else ""
        self._show_texts()

    def _show_texts(self) -> None:
        self.counts.setToolTip(tip_text("\n".join(filter(None, (self._counts, self._names)))))
        self.counts.show_text(self._key_text or " · ".join(filter(None, (self._areas, self._counts))))
        self._fit()

    def show_key_text(self, text: str) -> None:
        """Show the effect of a key on the map in place of the counts; an empty text restores them."""
        self._key_text = text
        self._show_texts()

    def show_why(self, summary: str | None) -> None:
        """Show a summary of the current explanation, or hide the old one if there is none."""
        # A long name is elided, to keep the rest of the line.
        letters, elide = self.why.fontMetrics(), Qt.TextElideMode.ElideRight
        forms = (letters.elidedText(summary or "", elide, width) for width in (_WHY_WIDTH, _WHY_WIDTH // 2))
        self.why.setToolTip(tip_text(f"{summary}\n{_WHY_TIP}" if summary else _WHY_TIP))
        self.why.setVisible(summary is not None)
        self._set_forms(self.why, *(button_text(tr("Why? ▸ {summary}", summary=form)) for form in forms), tr("Why?"))

    def show_pending(self, changes: int, *, live: bool, wrong: bool) -> None:
        """Show the number of changes pending for Live. In Live the button is always shown, at a constant width."""
        self.pending.setText(counted(changes, "pending change") if changes else tr("No pending changes"))
        widest = max(
            map(self.pending.fontMetrics().horizontalAdvance, (tr("No pending changes"), tr("999 pending changes")))
        )
        self.pending.setMinimumWidth(widest + _BUTTON_ROOM)
        self.pending.setEnabled(bool(changes))
        self.pending.setVisible(live or bool(changes))
        restyle(self.pending, "state", "wrong" if wrong else "waiting" if changes else "")
        self._fit()

    def show_faults(self, active: int) -> None:
        """Show the number of active injected faults, or hide it if there are none."""
        self.faults.setVisible(bool(active))
        self._set_forms(
            self.faults, tr("⚡ {faults} active", faults=counted(active, "fault")), tr("⚡ {count:,}", count=active)
        )

    def show_endpoint(self, reach: Reach | None, *, busy: bool = False) -> None:
        """Show the address and whether other machines can reach it, or that the endpoint is stopped."""
        self._running = reach is not None
        self.endpoint.setToolTip(tip_text(_endpoint_tip(reach)))
        state = "" if reach is None else "open" if reach.open_to_network else "here"
        restyle(self.endpoint, "running", state)
        self._set_forms(self.endpoint, *_endpoint_forms(reach))
        self.copy_url.setEnabled(self._running)
        self.toggle.setText(tr("Stop") if reach else tr("Start"))
        self.toggle.setToolTip(tr("Stop the endpoint") if reach else tr("Start the endpoint"))
        self.toggle.setEnabled(not busy)
        self._fit()

    def _make_keys(self) -> QPushButton:
        made = button(tr("Keys"))
        made.setAccessibleName(tr("Keys"))
        made.setToolTip(tr("Copy or rotate an API key"))
        menu = Menu(made)
        for env, level in _KEYS:
            entry = menu.addAction(tr("Copy {key_name} key", key_name=key_name(env, level)))
            entry.triggered.connect(lambda _=False, env=env, level=level: self.copy_key_requested.emit(env, level))
        menu.addSeparator()
        for env, level in _KEYS:
            entry = menu.addAction(tr("Rotate {key_name} key…", key_name=key_name(env, level)))
            entry.triggered.connect(lambda _=False, env=env, level=level: self.rotate_key_requested.emit(env, level))
        made.setMenu(menu)
        return made

    def _on_toggle(self) -> None:
        self.toggle.setEnabled(False)
        self.endpoint_toggled.emit(not self._running)


def _endpoint_forms(reach: Reach | None) -> tuple[str, ...]:
    """Return the status line's texts for the endpoint, from the longest to the shortest."""
    if reach is None:
        return tr("○ Endpoint stopped"), tr("○ Stopped")
    address = reach.device_url.removeprefix("http://")
    port = address.rpartition(":")[2]
    if reach.open_to_network:
        return tr("⚠ {address} · open to the network", address=address), f"⚠ {address}", f"⚠ :{port}"
    return f"● {address}", f"● :{port}"


def _endpoint_tip(reach: Reach | None) -> str:
    if reach is None:
        return ""
    tip = tr("Apps and SDKs send their requests here: {url}", url=reach.device_url)
    warning = warning_of(reach)
    return f"{tip}\n{warning}" if warning else tip
