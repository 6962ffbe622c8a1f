"""The axes of the timeline: times in a time zone, and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any, Final

from app.desktop.language import number_text, tr
from app.desktop.model.words import zone_name
from app.desktop.plotting import pyqtgraph as pg
from app.desktop.timeline.items import Caption

WIDTH: Final = 46
_STEPS_S: Final = (
    *(0.001, 0.01, 0.1, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200),
    *(86_400, 2 * 86_400, 7 * 86_400, 30 * 86_400, 90 * 86_400, 365 * 86_400),
)
_LABEL_PX: Final = 74


class NumberAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis for numbers at the left, as wide as the axes above and below it."""

    def __init__(self, view: Any) -> None:
        super().__init__("left")
        self.setWidth(WIDTH)
        self.setStyle(tickLength=4, autoExpandTextSpace=False, hideOverlappingLabels=True)
        self.enableAutoSIPrefix(False)
        self.linkToView(view)

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:  # noqa: N802
        """Return numbers in the format of the window's language, with long distances in kilometres."""
        if spacing >= 1_000:
            return [_shown(f"{value * scale / 1_000:g}k") if value else "0" for value in values]
        digits = 0 if spacing >= 1 else 1
        return [_shown(f"{value * scale:.{digits}f}") for value in values]


def _shown(number: str) -> str:
    return number_text(number).replace("-", "−")


class TimeAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis for times at the bottom: seconds since a start, displayed in a time zone."""

    def __init__(self, view: Any) -> None:
        super().__init__("bottom")
        self.setStyle(tickLength=4, autoExpandTextSpace=False, hideOverlappingLabels=True)
        self.enableAutoSIPrefix(False)
        self.linkToView(view)
        self._start_s: float = 0.0
        self._zone: tzinfo = UTC
        self.zone_name = Caption("", self)
        self.zone_name.setPos(2 - WIDTH, 3)

    def show_times(self, start_s: float, zone: tzinfo) -> None:
        """Set the start in seconds since 1970 and the time zone of the displayed times."""
        self._start_s, self._zone = start_s, zone
        self.zone_name.setText(zone_name(self._moment(0.0), zone))
        self.picture = None
        self.update()

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:  # noqa: N802
        """Return round times, as many as fit."""
        wanted = (high - low) * _LABEL_PX / max(size, 1.0)
        step = next((each for each in _STEPS_S if each >= wanted), _STEPS_S[-1])
        shift = self._start_s + self._offset_s(low)
        first = -((low + shift) // -step) * step - shift
        count = int((high - first) // step) + 1 if high >= first else 0
        return [(step, [first + number * step for number in range(min(count, 1_000))])]

    def tickStrings(self, values: Sequence[float], _scale: float, spacing: float) -> list[str]:  # noqa: N802
        """Return times of day, or dates if the ticks are days apart."""
        return [self._text(value, spacing) for value in values]

    def _text(self, value: float, spacing: float) -> str:
        local = self._moment(value).astimezone(self._zone)
        if spacing < 1:
            return f"{local:%H:%M:%S}.{local.microsecond // 1000:03}"
        if spacing < 60:
            return f"{local:%H:%M:%S}"
        if spacing >= 86_400 or (local.hour, local.minute) == (0, 0):
            return tr("{day} {date:%b}", day=local.day, date=local)
        return f"{local:%H:%M}"

    def _offset_s(self, value: float) -> float:
        offset = self._moment(value).astimezone(self._zone).utcoffset()
        return 0.0 if offset is None else offset.total_seconds()

    def _moment(self, value: float) -> datetime:
        # Times outside the calendar are clamped. They are visible only after zooming far out.
        return datetime.fromtimestamp(min(max(self._start_s + value, -6e10), 2.5e11), UTC)
