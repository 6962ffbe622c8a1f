"""The tour at the first start: five steps in the user's own workspace, each completed by the user's action."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import timedelta

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, QTimer, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication, QKeyEvent, Qt
from PySide6.QtWidgets import QMainWindow, QWidget

from app.desktop.language import tr
from app.desktop.map import MapView
from app.desktop.memory import Memory
from app.desktop.model.fences import FenceDelta
from app.desktop.panels.tour import TourCard, TourFrame
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.tracks import TrackController
from app.desktop.window.docks import Docks
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.geo.shapes import shape_of

_FOLLOWED_EVERY_MS = 200
_FIXES = 25
_FIX_S = 5
_METRES_PER_DEGREE = 111_320
_UNSEEN = ("offscreen", "minimal")


class Step(Struct, frozen=True):
    """A step with its instructions, the control to frame, and an action that the card can perform for the user."""

    title: str
    text: str
    target: Callable[[], QWidget | None]
    begin: Callable[[], object] = lambda: None
    help_text: str = ""
    help: Callable[[], object] = lambda: None


def is_automated(environment: Mapping[str, str]) -> bool:
    """Return whether the window is unattended: in CI, or on a platform without a screen."""
    return bool(environment.get("CI")) or QGuiApplication.platformName() in _UNSEEN


class TourController(QObject):
    """Shows the steps of the tour.

    The tour is offered once, in a first workspace without geofences. The Help menu can repeat it.
    """

    ended = Signal()

    def __init__(
        self,
        window: QMainWindow,
        model: WorkspaceModel,
        map_view: MapView,
        docks: Docks,
        tracks: TrackController,
        memory: Memory,
        actions: Actions,
        given_up: SignalInstance,
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._map = window, model, map_view
        self._docks, self._tracks, self._memory, self._actions = docks, tracks, memory, actions
        self.automated = is_automated(os.environ)
        self.card: TourCard | None = None
        self.frame: TourFrame | None = None
        self._at: int | None = None
        self._fence_id: str | None = None
        self._follow = QTimer(self, interval=_FOLLOWED_EVERY_MS)
        self._follow.timeout.connect(self._point)
        model.fences.changed.connect(self._on_fences)
        model.events_arrived.connect(lambda _: self._done(2))
        model.selection.changed.connect(self._on_selection)
        model.opened.connect(self.end)
        given_up.connect(self.end)
        window.installEventFilter(self)
        actions.tour.triggered.connect(lambda: self.start())
        actions.sdks.triggered.connect(lambda: self._done(4))

    @property
    def step(self) -> int | None:
        """Number of the current step, counted from 0, or None if there is no tour."""
        return self._at

    def offer(self) -> None:
        """Start the tour in a workspace without geofences, if the user has never seen it."""
        session = self._model.session
        if session is None or self.automated or not self._memory.remembers or self._memory.tour_seen:
            return
        if not any(session.engine.geofences.count(environment) for environment in Environment):
            self.start()

    def start(self) -> None:
        """Start with the first step, in Test."""
        if self._model.session is None:
            return
        if self._model.environment.live:
            self._model.show(Environment.TEST)
        self._memory.tour_seen = True
        if self.card is None:
            self.card, self.frame = TourCard(self._map), TourFrame(self._window)
            self.card.skipped.connect(self.end)
            self.card.helped.connect(self._help)
        self._fence_id = None
        self._show(0)
        self._follow.start()

    def end(self) -> None:
        """End the tour."""
        if self._at is None or self.card is None or self.frame is None:
            return
        self._at = None
        self._follow.stop()
        self.card.hide()
        self.frame.hide()
        self.ended.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """End the tour when Esc reaches the window because no other part has handled it."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            self.end()
        return super().eventFilter(watched, event)

    # Steps

    def _steps(self) -> tuple[Step, ...]:
        docks, toolbar = self._docks, self._window.findChild(QWidget, "Toolbar")
        circle = None if toolbar is None else toolbar.widgetForAction(self._actions.circle)  # type: ignore[attr-defined]
        return (
            Step(
                tr("Draw a circle"),
                tr(
                    "Press C or click Circle, then click its centre on the map and a second time for its "
                    "edge. It is stored immediately, in Test."
                ),
                lambda: circle,
                lambda: self._map.select_tool(),
            ),
            Step(
                tr("Set its hours"),
                tr(
                    "On the page Hours of the form, set when the geofence is open: add hours to a day. "
                    "Events can be restricted to them in the project settings."
                ),
                lambda: docks.fence,
                self._show_hours,
            ),
            Step(
                tr("Simulate a track"),
                tr(
                    "Play a track as a device through the geofence: load one, then press Space. You can also "
                    "open your own or draw one on the map."
                ),
                lambda: docks.simulator,
                lambda: docks.bring(docks.simulator),
                tr("Load a sample track"),
                self._load_track,
            ),
            Step(
                tr("See why"),
                tr(
                    "Events have arrived. Click one in the table: Why? lists the rules that let it fire, or "
                    "withheld it."
                ),
                lambda: docks.events,
                self._show_events,
            ),
            Step(
                tr("Point your SDK here"),
                tr(
                    "The endpoint at this address speaks the same API as the platform. Connect an SDK… has "
                    "the code for yours."
                ),
                lambda: self._window.findChild(QWidget, "Endpoint"),
                lambda: None,
                tr("Connect an SDK…"),
                self._actions.sdks.trigger,
            ),
        )

    def _show(self, number: int) -> None:
        self._at = number
        steps = self._steps()
        step = steps[number]
        step.begin()
        if self.card is not None:
            last = number == len(steps) - 1
            progress = tr("Step {number} of {count}", number=number + 1, count=len(steps))
            self.card.show_step(progress, step.title, step.text, step.help_text, last=last)
        self._point()

    def _help(self) -> None:
        if self._at is not None:
            self._steps()[self._at].help()

    def _point(self) -> None:
        if self.frame is not None and self._at is not None:
            self.frame.surround(self._steps()[self._at].target())

    def _done(self, number: int) -> None:
        """Continue with the next step, if this is the current one."""
        if self._at != number:
            return
        if number + 1 < len(self._steps()):
            self._show(number + 1)
        else:
            self.end()

    def _on_fences(self, delta: FenceDelta) -> None:
        if self._at is None or delta.reset or not delta.upserted:
            return
        if self._at == 0:
            self._fence_id = delta.upserted[-1].id
            self._done(0)
        elif self._at == 1 and any(fence.rules.operating_hours is not None for fence in delta.upserted):
            self._done(1)

    def _on_selection(self) -> None:
        if self._model.selection.event is not None:
            self._done(3)

    def _show_hours(self) -> None:
        self._docks.bring(self._docks.fence)

    def _show_events(self) -> None:
        self._docks.why.show()
        self._docks.bring(self._docks.events)

    def _load_track(self) -> None:
        """Load a track that starts now and crosses the geofence from west to east."""
        fence = self._model.fences.get(self._fence_id) or self._model.fences.first()
        if fence is None:
            return
        shape = shape_of(fence.geometry)
        west, south, east, north = shape.bounds
        middle, reach = (south + north) / 2, max(east - west, 100 / _METRES_PER_DEGREE)
        begin, now = west - reach, self._model.now()
        points = (
            TrackPoint(
                Point(begin + 3 * reach * number / (_FIXES - 1), middle), now + timedelta(seconds=_FIX_S * number), 10.0
            )
            for number in range(_FIXES)
        )
        self._tracks.load(Track(tr("Sample track"), tuple(points)))
