"""The plots of the timeline with a common time axis: presences, distances, speed and accuracy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QGraphicsView, QSizePolicy, QWidget

from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.timeline.reduce import Columns, columns_of, extremes, polyline
from app.desktop.model.timeline.timeline import Mark, Overlay, Timeline
from app.desktop.model.words import fence_name
from app.desktop.plotting import pyqtgraph as pg
from app.desktop.style import Colors, colors
from app.desktop.timeline.axes import WIDTH, TimeAxis
from app.desktop.timeline.items import Caption, CurveItem, Lane, Lanes, line_style, mark_color, mark_symbol
from app.desktop.timeline.strips import Strip
from engine.geo.earth import Floats

_LANE_PX: Final = 15
_NAME_ALPHA: Final = 90
_LEAST_SPAN_S: Final = 0.05
_LEAST_HIGH_M: Final = 60.0
_BAND_PX: Final = 3


class TimelinePlot(pg.GraphicsView):  # type: ignore[misc]
    """A plot of a timeline without mouse and keyboard input, which `TimelineGraph` adds."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, background=None)
        self.setAccessibleName(tr("Timeline"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._timeline, self._overlay = Timeline(), Overlay()
        self._items: dict[str, CurveItem] = {}
        self._colors: Mapping[str, str] = {}
        self._selected: str | None = None
        self._chosen: Mark | None = None
        self._playhead = 0
        self._theme: Colors = colors("light")
        self._names: list[Caption] = []
        self._make_strips()
        self.main.box.sigXRangeChanged.connect(self._on_range)
        self.set_theme("light")

    def _make_strips(self) -> None:
        self.grid = pg.GraphicsLayout()
        self.grid.setContentsMargins(2, 2, 8, 2)
        self.grid.setSpacing(0)
        self.setCentralItem(self.grid)
        self.lanes = Strip(self, self.grid, 0, "", numbers=False)
        self.main = Strip(self, self.grid, 1, tr("Distance to the boundary (m), inside below 0"))
        self.speed = Strip(self, self.grid, 2, tr("Speed (km/h)"))
        self.accuracy = Strip(self, self.grid, 3, tr("Accuracy (m)"))
        self.strips = self.lanes, self.main, self.speed, self.accuracy
        self.times = TimeAxis(self.main.box)
        self.grid.addItem(self.times, 4, 1)
        self.grid.layout.setColumnFixedWidth(0, WIDTH)
        for strip in (self.lanes, self.speed, self.accuracy):
            strip.box.setXLink(self.main.box)
        self.lanes.box.invertY(True)
        self._bars = Lanes()
        self.lanes.box.addItem(self._bars, ignoreBounds=True)
        self._boundary = pg.InfiniteLine(0.0, angle=0)
        self.main.box.addItem(self._boundary, ignoreBounds=True)
        self._lines = {strip: pg.PlotCurveItem(connect="finite") for strip in (self.speed, self.accuracy)}
        for strip, line in self._lines.items():
            strip.box.addItem(line, ignoreBounds=True)
        self._marks = pg.ScatterPlotItem(pxMode=True)
        self._marks.setZValue(8)
        self.main.box.addItem(self._marks, ignoreBounds=True)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size with room for all plots."""
        return QSize(480, 260)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size with room for the distances."""
        return QSize(200, 90)

    # Display

    @property
    def shown(self) -> tuple[str, ...]:
        """IDs of the geofences whose curves are drawn."""
        return tuple(self._items)

    def clear(self) -> None:
        """Clear the plots."""
        self.show_timeline(Timeline(), Overlay(), fit=False)
        self.show_fences((), {})
        self._fill_marks()

    def show_timeline(self, timeline: Timeline, overlay: Overlay, *, fit: bool) -> None:
        """Show another or an extended timeline and replace the overlay, which may refer to other fixes."""
        self._timeline, self._overlay = timeline, overlay
        length = float(timeline.offsets_s[-1]) if len(timeline) else 1.0
        room = max(length * 0.02, 0.5)
        self.times.show_times(timeline.start_s, timeline.zone)
        for strip in self.strips:
            strip.box.setLimits(xMin=-room, xMax=length + room, minXRange=_LEAST_SPAN_S, maxXRange=length + 2 * room)
        self.setAccessibleDescription(timeline.name)
        if fit:
            self.fit()

    def show_fences(self, fence_ids: Sequence[str], tag_colors: Mapping[str, str]) -> None:
        """Draw the curves of these geofences in the colours of their tags."""
        self._colors = tag_colors
        for removed in self._items.keys() - set(fence_ids):
            self._items.pop(removed).remove()
        before, self._items = self._items, {}
        for fence_id in fence_ids:
            if self._timeline.curve(fence_id) is not None:
                self._items[fence_id] = before.get(fence_id) or CurveItem(self.main.box)
        self._restyle()
        self._fill_lanes()
        self.draw()

    def show_overlay(self, overlay: Overlay) -> None:
        """Show these bars and marks."""
        self._overlay = overlay
        self._fill_lanes()
        self._fill_marks()

    def show_selected(self, fence_id: str | None, mark: Mark | None) -> None:
        """Highlight a geofence and an event."""
        if (fence_id, mark) != (self._selected, self._chosen):
            self._selected, self._chosen = fence_id, mark
            self._restyle()
            self._fill_marks()

    def show_playhead(self, index: int) -> None:
        """Move the playhead to a fix."""
        self._playhead = index
        if len(self._timeline):
            at = float(self._timeline.offsets_s[min(max(index, 0), len(self._timeline) - 1)])
            for strip in self.strips:
                strip.playhead.setValue(at)

    def follow_playhead(self) -> None:
        """Scroll to the playhead if it has left the view."""
        (low, high), at = self.main.box.viewRange()[0], self.main.playhead.value()
        if not low <= at <= high:
            span = high - low
            self.main.box.setXRange(at - 0.1 * span, at + 0.9 * span, padding=0)

    def fit(self) -> None:
        """Show the whole timeline."""
        if len(self._timeline):
            length = max(float(self._timeline.offsets_s[-1]), _LEAST_SPAN_S)
            self.main.box.setXRange(-length * 0.01, length * 1.01, padding=0)
            self.draw()

    def zoom(self, factor: float) -> None:
        """Zoom around the playhead if it is visible, otherwise around the middle."""
        (low, high), at = self.main.box.viewRange()[0], self.main.playhead.value()
        middle = at if low <= at <= high else (low + high) / 2
        self.main.box.setXRange(middle - (middle - low) * factor, middle + (high - middle) * factor, padding=0)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        c = self._theme = colors(theme)
        self.setBackground(QColor(c.panel))
        axes: list[Any] = [*(strip.axis for strip in self.strips), self.times]
        for axis in axes:
            axis.setPen(QColor(c.border))
            axis.setTextPen(QColor(c.muted))
        for strip in self.strips:
            strip.box.setBorder(QColor(c.border))
            strip.caption.set_colors(c.muted, c.panel)
            strip.playhead.setPen(_pen(c.accent, 2))
            strip.playhead.setHoverPen(_pen(c.accent, 3))
            strip.mouse.setPen(_pen(c.faint, 1, Qt.PenStyle.DashLine))
        self.times.zone_name.set_colors(c.muted, c.panel)
        self._boundary.setPen(_pen(c.control, 1))
        self._bars.set_colors(c)
        for line in self._lines.values():
            line.setPen(_pen(c.muted, 1))
        self._restyle()
        self._fill_lanes()
        self._fill_marks()

    # Drawing

    def draw(self) -> None:
        """Draw the visible part with as many points as there are columns of pixels."""
        if not len(self._timeline):
            return
        low, high = self.main.box.viewRange()[0]
        width = max(int(self.main.box.width()), 50)
        offsets, accuracies = self._timeline.offsets_s, self._timeline.way.accuracies_m
        columns = columns_of(offsets, low, high, width)
        limits = self._scale(columns)
        wide = columns_of(offsets, low, high, max(width // _BAND_PX, 20))
        widest = extremes(wide, accuracies)[1]
        for item, distances in self._drawn():
            item.draw(columns, limits)
            item.draw_band(wide, distances, widest, limits)
        for strip, values in ((self.speed, self._timeline.speeds_kmh), (self.accuracy, accuracies)):
            self._draw_line(strip, columns, values)

    def _drawn(self) -> Iterator[tuple[CurveItem, Floats]]:
        for fence_id, item in self._items.items():
            if (curve := self._timeline.curve(fence_id)) is not None:
                yield item, curve.distances_m

    def _scale(self, columns: Columns) -> tuple[float, float]:
        """Scale the view to nearby distances and return the limits beyond which drawing is unnecessary.

        Distant geofences would otherwise compress the boundary into a line.
        """
        for item, distances in self._drawn():
            item.measure(columns, distances)
        least = [item.least for item in self._items.values() if not np.isnan(item.least)]
        greatest = [item.greatest for item in self._items.values() if not np.isnan(item.greatest)]
        visible = self._timeline.way.accuracies_m[columns.first : columns.last]
        reach = float(visible.max()) if len(visible) else 0.0
        bottom = min([0.0, *least])
        enough = max(4 * -bottom, 6 * reach, _LEAST_HIGH_M, 3 * max(min(least, default=0.0), 0.0))
        top = min(max([0.0, *greatest]), enough)
        span = max(top - bottom, 1.0)
        self.main.box.setYRange(bottom - 0.08 * span, top + 0.18 * span, padding=0)
        return bottom - 2 * span, top + 2 * span

    def _draw_line(self, strip: Strip, columns: Columns, values: Any) -> None:
        if not strip.box.isVisible():
            return
        least, greatest = extremes(columns, values)
        self._lines[strip].setData(*polyline(columns, least, greatest))
        known = greatest[~np.isnan(greatest)]
        strip.box.setYRange(0.0, max(float(known.max()) if len(known) else 0.0, 1.0) * 1.25, padding=0)

    def _restyle(self) -> None:
        used: dict[str, int] = {}
        for fence_id, item in self._items.items():
            color = self._colors.get(fence_id, self._theme.muted)
            number = used[color] = used.get(color, -1) + 1
            item.set_look(color, line_style(number), selected=fence_id == self._selected)

    def _fill_lanes(self) -> None:
        offsets = self._timeline.offsets_s
        end = float(offsets[-1]) if len(offsets) else 0.0
        self._bars.set_lanes([self._lane(fence_id) for fence_id in self._items], end)
        self._name_lanes()
        self.lanes.box.setYRange(0, max(len(self._items), 1), padding=0)
        self._lay_out()

    def _lane(self, fence_id: str) -> Lane:
        offsets, start = self._timeline.offsets_s, self._timeline.start_s
        bars = tuple(
            (
                float(offsets[bar.first]),
                float(offsets[bar.last]),
                None if bar.dwelled is None else float(offsets[bar.dwelled]),
            )
            for bar in self._overlay.bars
            if bar.fence_id == fence_id
        )
        curve = self._timeline.curve(fence_id)
        closed = tuple((since - start, until - start) for since, until in curve.closed) if curve is not None else ()
        return Lane(self._colors.get(fence_id, self._theme.muted), bars, closed)

    def _name_lanes(self) -> None:
        while len(self._names) < len(self._items):
            self._names.append(Caption("", self.lanes.box))
        curves = [self._timeline.curve(fence_id) for fence_id in self._items]
        names = [fence_name(curve.geofence) for curve in curves if curve is not None]
        for number, caption in enumerate(self._names):
            caption.setVisible(number < len(names))
            if number < len(names):
                caption.setText(names[number])
                caption.set_colors(self._theme.text, self._theme.panel, _NAME_ALPHA)
                middle = (number + 0.5) * _lanes_px(len(names)) / len(names)
                caption.setPos(3, middle - caption.boundingRect().height() / 2)

    def _fill_marks(self) -> None:
        spots = [spot for mark in self._overlay.marks if (spot := self._spot(mark)) is not None]
        self._marks.setData(spots)

    def _spot(self, mark: Mark) -> dict[str, Any] | None:
        if mark.at >= len(self._timeline):
            return None
        at, curve = float(self._timeline.offsets_s[mark.at]), self._timeline.curve(mark.fence_id)
        shown = curve is not None and mark.fence_id in self._items
        if mark.fence_id is not None and not shown:
            return None
        height = float(curve.distances_m[mark.at]) if curve is not None else 0.0
        color, chosen = mark_color(mark.kind), mark == self._chosen
        edge = self._theme.text if chosen else self._theme.panel if mark.is_solid else color
        return {
            "pos": (at, 0.0 if np.isnan(height) else height),
            "data": mark,
            "symbol": mark_symbol(mark.kind),
            "size": 17 if chosen else 11,
            "pen": _pen(edge, 2 if chosen else 1),
            "brush": QColor(color) if mark.is_solid else QColor(self._theme.panel),
        }

    def _on_range(self, *_: object) -> None:
        self.draw()

    def _lay_out(self) -> None:
        """Distribute the height by importance: distances, then presences, then speed and accuracy."""
        height, rows = self.height(), len(self._items)
        lanes = _lanes_px(rows)
        self.lanes.show(0, self.grid, on=rows > 0 and height >= 110 + lanes, height=lanes, stretch=0)
        self.main.show(1, self.grid, on=True, height=None, stretch=4)
        self.speed.show(2, self.grid, on=height >= 190 + lanes, height=None, stretch=1)
        self.accuracy.show(3, self.grid, on=height >= 240 + lanes, height=None, stretch=1)

    def resizeEvent(self, event: QResizeEvent | None) -> None:  # noqa: N802 (Qt's name)
        """Draw as many points as there are columns of pixels now."""
        super().resizeEvent(event)
        if event is not None and hasattr(self, "_names"):
            self._lay_out()
            self.draw()

    # Closing and files

    def close(self) -> bool:
        """Close like any widget, without clearing the scene first as pyqtgraph does."""
        return QGraphicsView.close(self)

    def paint_to(self, painter: QPainter, target: QRectF) -> None:
        """Paint the visible part."""
        painter.fillRect(target, QColor(self._theme.panel))
        self.scene().prepareForPaint()
        self.scene().render(painter, target, QRectF(self.viewport().rect()))


def _lanes_px(rows: int) -> int:
    """Return the height of this many rows of presences."""
    return rows * _LANE_PX + 2


def _pen(color: str, width: int, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    made = QPen(QColor(color), width, style)
    made.setCosmetic(True)
    return made
