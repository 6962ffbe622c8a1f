"""Common weekly hours."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from app.desktop.language import tr
from app.desktop.model.editing.week import WORKING_WEEK
from engine.domain.hours import OperatingHours, Span

_DAY_MIN: Final = 24 * 60
_EVERY_DAY: Final = range(7)


def _week(span: Span, days: Collection[int]) -> OperatingHours:
    return OperatingHours(tuple((span,) if day in days else () for day in _EVERY_DAY))


PRESETS: Final[tuple[tuple[str, OperatingHours | None], ...]] = (
    (tr("Always open"), None),
    (tr("Monday to Friday, 09:00–17:00"), WORKING_WEEK),
    (tr("Every day, 08:00–20:00"), _week(Span(8 * 60, 20 * 60), _EVERY_DAY)),
    (tr("Weekends, all day"), _week(Span(0, _DAY_MIN), (5, 6))),
    (tr("Every night, 22:00–06:00"), _week(Span(22 * 60, 6 * 60), _EVERY_DAY)),
    (tr("Closed every day"), OperatingHours(((),) * 7)),
)
"""Names of weekly hours and their values. None means always open."""
