"""The choice of a heat map: what it counts, and how far back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.desktop.model.words import count
from engine.tracking.kept.heat import MOST_POSITIONS, HeatSource

SOURCES: Final = (("Fixes", HeatSource.FIXES), ("Events", HeatSource.EVENTS))
PERIODS: Final[tuple[tuple[str, timedelta | None], ...]] = (
    ("Last hour", timedelta(hours=1)),
    ("Last 24 hours", timedelta(days=1)),
    ("Last 7 days", timedelta(days=7)),
    ("Last 30 days", timedelta(days=30)),
    ("All time", None),
)


@dataclass(frozen=True, slots=True)
class HeatChoice:
    """Whether fixes or events are counted, and for how long back from now; None is without an end."""

    source: HeatSource = HeatSource.FIXES
    period: timedelta | None = None

    def since(self, now: datetime) -> datetime | None:
        """Return from when on positions are counted."""
        return None if self.period is None else now - self.period


def heat_text(found: int, source: HeatSource) -> str:
    """Return what is shown, in a few words."""
    of_fixes = source is HeatSource.FIXES
    if not found:
        return "No fixes in this time." if of_fixes else "No events in this time."
    if found >= MOST_POSITIONS:
        return f"The newest {found:,} fixes." if of_fixes else f"The newest {found:,} events."
    return f"{count(found, 'fix', 'fixes') if of_fixes else count(found, 'event')}."
