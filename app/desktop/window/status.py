"""The status line: counts, work under way, and the endpoint with its keys."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QProgressBar, QPushButton, QSizePolicy, QStatusBar, QWidget

from app.desktop.icons import icon
from app.desktop.map.values import Theme
from app.desktop.model.areas import summary
from app.desktop.model.words import count, full_time, key_name, local_time
from app.desktop.operations import Task
from app.desktop.panels.widgets import button, label, restyle, tool_button
from engine.domain.area import Area
from engine.domain.clock import ClockState
from engine.domain.environment import Environment, KeyLevel
from engine.domain.queries import Counts

_WHY_TIP = "Show why something happened, or why not"
_WHY_WIDTH = 280
_KEYS = tuple((env, level) for env in Environment for level in KeyLevel)


class TaskBar(QWidget):
    """A piece of long work: what it is, how far, and a button to end it."""

    def __init__(self) -> None:
        super().__init__()
        self._tasks: list[Task] = []
        self.text = label()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(160)
        self.cancel = button("Cancel", self._on_cancel)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 0, 8, 0)
        for widget in (self.text, self.bar, self.cancel):
            layout.addWidget(widget)
        self.hide()

    def follow(self, task: Task) -> None:
        """Show a task until it ends, or until another one begins; then it is shown again when that one ends."""
        self._tasks.append(task)
        task.progressed.connect(lambda done, total: self._on_progress(task, done, total))
        task.ended.connect(lambda: self._on_end(task))
        self._show_last()

    def _show_last(self) -> None:
        if self._tasks:
            task = self._tasks[-1]
            self.text.setText(task.text)
            self.bar.setRange(0, 0)
            self.cancel.setEnabled(not task.cancelled)
        self.setVisible(bool(self._tasks))

    def _on_progress(self, task: Task, done: int, total: int) -> None:
        if task in self._tasks[-1:]:
            self.bar.setRange(0, total)
            self.bar.setValue(done)

    def _on_end(self, task: Task) -> None:
        self._tasks.remove(task)
        self._show_last()

    def _on_cancel(self) -> None:
        for task in self._tasks[-1:]:
            task.cancel()
            self.cancel.setEnabled(False)


class ClockButton(QPushButton):
    """The Test clock: an icon while it shows the system's time, its own time otherwise; with a menu."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("ClockButton")
        self.setAccessibleName("Test clock")
        self.show_state(None, None)

    def show_state(self, state: ClockState | None, zone: ZoneInfo | None) -> None:
        """Show how the clock goes."""
        if state is None or state.system:
            self.setText("")
            self.setToolTip("The Test clock shows the system's time")
        else:
            pace = "frozen" if state.frozen else f"×{state.scale:g}" if state.scale != 1 else "running"
            self.setText(f"{local_time(state.now, zone)} · {pace}")
            self.setToolTip(f"The Test clock: {full_time(state.now, zone)}")
        restyle(self, "own", not (state is None or state.system))


class StatusLine(QStatusBar):
    """Shows; what the buttons ask for is done elsewhere."""

    endpoint_toggled = Signal(bool)
    copy_url_requested = Signal()
    copy_key_requested = Signal(object, object)
    rotate_key_requested = Signal(object, object)
    why_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self._counts = ""
        self._areas = ""
        self.counts = label()
        self.task = TaskBar()
        self.clock = ClockButton()
        self.why = button("", self.why_requested.emit)
        self.why.setObjectName("WhyButton")
        self.endpoint = label()
        self.endpoint.setObjectName("Endpoint")
        self.copy_url = tool_button("Copy the endpoint's URL", self.copy_url_requested.emit, "CopyUrl")
        self.keys = self._make_keys()
        self.toggle = button("Start", self._on_toggle)
        # In a narrow window what is least needed is cut off; the window is not made wider for it.
        self.counts.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.addWidget(self.counts, 1)
        self.addWidget(self.task)
        for widget in (self.why, self.clock, self.endpoint, self.copy_url, self.keys, self.toggle):
            self.addPermanentWidget(widget)
        self._running = False
        self.show_endpoint(None)
        self.show_why(None)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        self.copy_url.setIcon(icon("copy", theme))
        self.keys.setIcon(icon("key", theme))
        self.clock.setIcon(icon("clock", theme))

    def show_counts(self, counts: Counts | None) -> None:
        """Show how much there is."""
        self._counts = ""
        if counts is not None:
            parts = (count(counts.geofences, "fence"), count(counts.users, "user"), count(counts.events, "event"))
            self._counts = " · ".join(parts)
        self._show_texts()

    def show_areas(self, areas: tuple[Area, ...]) -> None:
        """Show which areas are in use."""
        self._areas = summary(areas)
        self.counts.setToolTip("Areas in use: " + ", ".join(area.name for area in areas) if areas else "")
        self._show_texts()

    def _show_texts(self) -> None:
        self.counts.setText("   " + " · ".join(filter(None, (self._areas, self._counts))))

    def show_why(self, summary: str | None) -> None:
        """Show what the rules said about what is looked at, or nothing."""
        # A name may be long; the rest of the line stays.
        shown = self.why.fontMetrics().elidedText(summary or "", Qt.TextElideMode.ElideRight, _WHY_WIDTH)
        self.why.setText(f"Why? ▸ {shown}")
        self.why.setToolTip(_WHY_TIP if shown == (summary or "") else f"{summary}\n{_WHY_TIP}")
        self.why.setVisible(summary is not None)

    def show_endpoint(self, url: str | None, *, busy: bool = False) -> None:
        """Show the address, or that there is none."""
        self._running = url is not None
        self.endpoint.setText(f"● {url.removeprefix('http://')}" if url else "○ Endpoint stopped")
        self.endpoint.setToolTip("Apps and SDKs send their requests here" if url else "")
        restyle(self.endpoint, "running", self._running)
        self.copy_url.setEnabled(self._running)
        self.toggle.setText("Stop" if url else "Start")
        self.toggle.setToolTip("Stop the endpoint" if url else "Start the endpoint")
        self.toggle.setEnabled(not busy)

    def _make_keys(self) -> QPushButton:
        made = button("Keys")
        made.setToolTip("Copy or rotate an API key")
        menu = QMenu(made)
        for env, level in _KEYS:
            entry = menu.addAction(f"Copy {key_name(env, level)}")
            entry.triggered.connect(lambda _=False, env=env, level=level: self.copy_key_requested.emit(env, level))
        menu.addSeparator()
        for env, level in _KEYS:
            entry = menu.addAction(f"Rotate {key_name(env, level)}…")
            entry.triggered.connect(lambda _=False, env=env, level=level: self.rotate_key_requested.emit(env, level))
        made.setMenu(menu)
        return made

    def _on_toggle(self) -> None:
        self.toggle.setEnabled(False)
        self.endpoint_toggled.emit(not self._running)
