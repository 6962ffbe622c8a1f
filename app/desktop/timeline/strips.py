"""The stacked plots of the timeline, each a strip with its own axis at the left."""

from __future__ import annotations

from typing import Any, Final, Protocol

from PySide6.QtCore import QPointF, Qt

from app.desktop.plotting import pyqtgraph as pg
from app.desktop.timeline.axes import NumberAxis
from app.desktop.timeline.items import Caption

_LOW_PX: Final = 44


class Pointed(Protocol):
    """The target of mouse input. Points are in coordinates of the scene."""

    def is_at_playhead(self, scene_pos: QPointF) -> bool:
        """Return whether the playhead can be dragged at a point."""
        ...

    def scrub_to(self, scene_pos: QPointF) -> None:
        """Move the playhead to a point."""
        ...

    def click(self, scene_pos: QPointF) -> None:
        """Choose the item at a point."""
        ...


class TimeBox(pg.ViewBox):  # type: ignore[misc]
    """A view in which dragging pans in time, the wheel zooms, and the line of the playhead can be dragged."""

    def __init__(self, graph: Pointed) -> None:
        super().__init__(enableMenu=False, defaultPadding=0.0)
        self.setMouseEnabled(x=True, y=False)
        self._graph = graph
        self._scrubs = False

    def mouseDragEvent(self, ev: Any, axis: int | None = None) -> None:  # noqa: N802, ARG002 (pyqtgraph's name)
        """Move the playhead if the drag started on it, otherwise pan."""
        if ev.button() != Qt.MouseButton.LeftButton:
            ev.ignore()
            return
        if ev.isStart():
            self._scrubs = self._graph.is_at_playhead(ev.buttonDownScenePos())
        if self._scrubs:
            ev.accept()
            self._graph.scrub_to(ev.scenePos())
        else:
            super().mouseDragEvent(ev, 0)

    def mouseClickEvent(self, ev: Any) -> None:  # noqa: N802 (pyqtgraph's name)
        """Choose the item under the mouse."""
        if ev.button() == Qt.MouseButton.LeftButton:
            ev.accept()
            self._graph.click(ev.scenePos())


class Strip:
    """A plot with its axis at the left, its caption, and the lines of the playhead and the mouse."""

    def __init__(self, graph: Pointed, layout: Any, row: int, caption: str, *, numbers: bool = True) -> None:
        self.box = TimeBox(graph)
        self.axis = NumberAxis(self.box)
        self._numbers = numbers
        layout.addItem(self.axis, row, 0)
        layout.addItem(self.box, row, 1)
        self.caption = Caption(caption, self.box)
        self.playhead = pg.InfiniteLine(0.0, angle=90)
        self.mouse = pg.InfiniteLine(0.0, angle=90)
        for line, height in ((self.mouse, 9), (self.playhead, 10)):
            line.setZValue(height)
            self.box.addItem(line, ignoreBounds=True)
        self.mouse.hide()

    def show(self, row: int, layout: Any, *, on: bool, height: int | None, stretch: int) -> None:
        """Set a fixed height or a share of the remaining height, or hide the strip."""
        self.axis.setVisible(on and self._numbers)
        self.box.setVisible(on)
        grid = layout.layout
        grid.setRowMinimumHeight(row, (height or _LOW_PX) if on else 0)
        grid.setRowMaximumHeight(row, (height or 10_000) if on else 0)
        grid.setRowStretchFactor(row, stretch if on else 0)
