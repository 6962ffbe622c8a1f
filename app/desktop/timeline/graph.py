"""Mouse and keyboard input in the timeline: hovering, choosing, scrubbing and zooming."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QWidget

from app.desktop.model.timeline.timeline import Mark
from app.desktop.timeline.plot import TimelinePlot

_GRIP_PX: Final = 6
_NEAR_PX: Final = 8
_ZOOM: Final = 0.6


class Hit(Struct, frozen=True):
    """Target of a click: the fix, and the geofence or the mark that was hit, if any."""

    index: int
    fence_id: str | None = None
    mark: Mark | None = None


class TimelineGraph(TimelinePlot):
    """A graph of a timeline that emits the user's actions as signals.

    `hovered` carries the fix under the mouse or None, `scrubbed` the fix that the playhead was moved to, and `picked` a
    `Hit`.
    """

    hovered = Signal(object)
    scrubbed = Signal(int)
    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._marks.sigClicked.connect(lambda _marks, _points, event: self.click(event.scenePos()))
        self.scene().sigMouseMoved.connect(self._on_mouse)

    def clear(self) -> None:
        """Clear the graph."""
        self._leave()
        super().clear()

    # Mouse

    def is_at_playhead(self, scene_pos: QPointF) -> bool:
        """Return whether a point of the scene is on the playhead."""
        here = self.main.box.mapViewToScene(QPointF(self.main.playhead.value(), 0.0)).x()
        return bool(abs(here - scene_pos.x()) <= _GRIP_PX)

    def index_at(self, scene_pos: QPointF) -> int:
        """Return the fix nearest to a point of the scene."""
        return self._timeline.nearest(float(self.main.box.mapSceneToView(scene_pos).x()))

    def scrub_to(self, scene_pos: QPointF) -> None:
        """Move the playhead to a point of the scene."""
        if len(self._timeline):
            self._scrub(self.index_at(scene_pos))

    def _scrub(self, index: int) -> None:
        if not len(self._timeline):
            return
        index = min(max(index, 0), len(self._timeline) - 1)
        if index != self._playhead:
            self.show_playhead(index)
            self.scrubbed.emit(index)

    def click(self, scene_pos: QPointF) -> None:
        """Emit the target at a point of the scene."""
        if not len(self._timeline):
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        mark = self.mark_at(scene_pos)
        index = self.index_at(scene_pos) if mark is None else mark.at
        self.picked.emit(Hit(index, mark.fence_id if mark else self._fence_at(scene_pos, index), mark))

    def mark_at(self, scene_pos: QPointF) -> Mark | None:
        """Return the mark at a point of the scene."""
        points = self._marks.pointsAt(self._marks.mapFromScene(scene_pos))
        return points[0].data() if len(points) else None

    def _fence_at(self, scene_pos: QPointF, index: int) -> str | None:
        """Return the geofence whose lane or curve is at a point of the scene."""
        if self.lanes.box.isVisible() and self.lanes.box.sceneBoundingRect().contains(scene_pos):
            row = int(self.lanes.box.mapSceneToView(scene_pos).y())
            return self.shown[row] if 0 <= row < len(self.shown) else None
        if not self.main.box.sceneBoundingRect().contains(scene_pos):
            return None
        found = [(self._away_px(fence_id, index, scene_pos), fence_id) for fence_id in self.shown]
        away, fence_id = min(found, default=(np.inf, None))
        return fence_id if away <= _NEAR_PX else None

    def _away_px(self, fence_id: str, index: int, scene_pos: QPointF) -> float:
        curve = self._timeline.curve(fence_id)
        height = np.nan if curve is None else float(curve.distances_m[index])
        if np.isnan(height):
            return float("inf")
        return abs(float(self.main.box.mapViewToScene(QPointF(0.0, height)).y()) - scene_pos.y())

    def _on_mouse(self, scene_pos: QPointF) -> None:
        inside = any(
            strip.box.isVisible() and strip.box.sceneBoundingRect().contains(scene_pos) for strip in self.strips
        )
        if not inside or not len(self._timeline):
            self._leave()
            return
        mark = self.mark_at(scene_pos)
        index = self.index_at(scene_pos) if mark is None else mark.at
        for strip in self.strips:
            strip.mouse.setValue(float(self._timeline.offsets_s[index]))
            strip.mouse.show()
        self.viewport().setCursor(
            Qt.CursorShape.SizeHorCursor if self.is_at_playhead(scene_pos) else Qt.CursorShape.ArrowCursor
        )
        self.hovered.emit(Hit(index, mark.fence_id if mark else None, mark))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Hide the mouse line."""
        super().leaveEvent(event)
        self._leave()

    def _leave(self) -> None:
        if self.main.mouse.isVisible():
            for strip in self.strips:
                strip.mouse.hide()
            self.hovered.emit(None)

    # Keyboard

    def event(self, event: QEvent) -> bool:
        """Claim the graph's keys before the window's shortcuts."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._meaning(event):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Move the playhead or zoom."""
        meaning = self._meaning(event)
        if meaning is None:
            event.ignore()
        else:
            meaning()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Hide the mouse line."""
        super().focusOutEvent(event)
        self._leave()

    def _meaning(self, event: QKeyEvent) -> Callable[[], None] | None:
        stride = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            return None
        return {
            Qt.Key.Key_Left: lambda: self._scrub(self._playhead - stride),
            Qt.Key.Key_Right: lambda: self._scrub(self._playhead + stride),
            Qt.Key.Key_Home: lambda: self._scrub(0),
            Qt.Key.Key_End: lambda: self._scrub(len(self._timeline) - 1),
            Qt.Key.Key_Plus: lambda: self.zoom(_ZOOM),
            Qt.Key.Key_Equal: lambda: self.zoom(_ZOOM),
            Qt.Key.Key_Minus: lambda: self.zoom(1 / _ZOOM),
            Qt.Key.Key_0: self.fit,
        }.get(Qt.Key(event.key()))
