"""The curves of a sweep, one above the other: detection rate, delay, false events."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtWidgets import QWidget

from app.desktop.language import tr, translated
from app.desktop.map.values import Theme
from app.desktop.panels.layouts import in_column
from app.desktop.style import colors
from engine.domain.tracking.sweep import CAUGHT, SweepResult

_TITLES = (tr("Detected (%)"), tr("Delay (s)"), tr("False per run"))


class SweepPlot(QWidget):
    """Three curves over the same values. The 99 % line and the value that reaches it are marked."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        # Imported here, since it takes long to load.
        from app.desktop.plotting import LocalAxis, pyqtgraph

        self._pyqtgraph: Any = pyqtgraph
        self._colors = colors(theme)
        self._view = pyqtgraph.GraphicsLayoutWidget()
        self._view.setBackground(self._colors.panel)
        in_column(self._view, of=self, margins=0)
        self._plots = [
            self._view.addPlot(row=row, col=0, axisItems={side: LocalAxis(side) for side in ("left", "bottom")})
            for row in range(len(_TITLES))
        ]
        for plot, title in zip(self._plots, _TITLES, strict=True):
            self._dress(plot, title)
            if plot is not self._plots[0]:
                plot.setXLink(self._plots[0])
        self._curves = [self._curve(plot) for plot in self._plots]
        self._late = self._curve(self._plots[1], dashed=True)
        caught = pyqtgraph.InfiniteLine(100 * CAUGHT, angle=0, pen=self._pen(self._colors.good, dashed=True))
        self._plots[0].addItem(caught)
        self._marks = [pyqtgraph.InfiniteLine(angle=90, pen=self._pen(self._colors.good)) for _ in self._plots]
        for plot, mark in zip(self._plots, self._marks, strict=True):
            plot.addItem(mark)
            mark.hide()

    def show_result(self, result: SweepResult, title: str, *, finished: bool) -> None:
        """Draw the results so far, and mark the value that catches 99 % once the sweep is finished.

        `title` is the name of the parameter, with its unit.
        """
        values = [point.value for point in result.points]
        rates = [None if point.rate is None else 100 * point.rate for point in result.points]
        medians = [point.median_delay_s for point in result.points]
        false_rates: list[float | None] = [point.false_rate for point in result.points]
        for curve, series in zip(self._curves, (rates, medians, false_rates), strict=True):
            curve.setData(*_known(values, series))
        self._late.setData(*_known(values, [point.late_delay_s for point in result.points]))
        ticks = [(value, translated(result.label(value))) for value in values] if result.parameter.unit == "" else None
        self._plots[-1].getAxis("bottom").setTicks(None if ticks is None else [ticks])
        self._plots[-1].setLabel("bottom", title)
        best = result.best if finished else None
        for mark in self._marks:
            mark.setVisible(best is not None)
            if best is not None:
                mark.setValue(best.value)

    def points(self) -> list[tuple[list[float], list[float]]]:
        """Return the points of each curve: the values and the heights."""
        return [tuple(map(list, curve.getData())) for curve in self._curves]  # type: ignore[misc]

    def png(self) -> bytes:
        """Return the plot as a PNG image."""
        content = QByteArray()
        buffer = QBuffer(content)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        self._view.grab().save(buffer, "PNG")
        buffer.close()
        return bytes(content.data())

    def _dress(self, plot: Any, title: str) -> None:
        plot.setLabel("left", title)
        plot.showGrid(x=True, y=True, alpha=0.2)
        plot.setMenuEnabled(False)
        plot.hideButtons()
        for side in ("left", "bottom"):
            axis = plot.getAxis(side)
            axis.setPen(self._colors.control)
            axis.setTextPen(self._colors.muted)
            axis.enableAutoSIPrefix(False)
        plot.getAxis("left").setWidth(56)

    def _curve(self, plot: Any, *, dashed: bool = False) -> Any:
        symbol = None if dashed else "o"
        return plot.plot(
            pen=self._pen(self._colors.accent, dashed=dashed),
            symbol=symbol,
            symbolSize=6,
            symbolBrush=self._colors.accent,
            symbolPen=None,
        )

    def _pen(self, color: str, *, dashed: bool = False) -> Any:
        style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
        return self._pyqtgraph.mkPen(color, width=2, style=style)


def _known(values: list[float], series: list[float | None]) -> tuple[list[float], list[float]]:
    """Return the values with a known height, and these heights."""
    pairs = [(value, height) for value, height in zip(values, series, strict=True) if height is not None]
    return [value for value, _ in pairs], [height for _, height in pairs]
