"""Options of a heat map: the positions to count and the time range."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct

from app.desktop.language import counted, tr
from engine.tracking.kept.heat import MOST_POSITIONS, HeatSource

SOURCES: Final = ((tr("Fixes"), HeatSource.FIXES), (tr("Events"), HeatSource.EVENTS))
PERIODS: Final[tuple[tuple[str, timedelta | None], ...]] = (
    (tr("Last hour"), timedelta(hours=1)),
    (tr("Last 24 hours"), timedelta(days=1)),
    (tr("Last 7 days"), timedelta(days=7)),
    (tr("Last 30 days"), timedelta(days=30)),
    (tr("All time"), None),
)


class HeatChoice(Struct, frozen=True):
    """Whether fixes or events are counted, and how far back from now. None means no limit."""

    source: HeatSource = HeatSource.FIXES
    period: timedelta | None = None

    def since(self, now: datetime) -> datetime | None:
        """Return the time from which positions are counted, or None for no limit."""
        return None if self.period is None else now - self.period


def heat_text(found: int, source: HeatSource) -> str:
    """Return a short description of the positions shown."""
    of_fixes = source is HeatSource.FIXES
    if not found:
        return tr("No fixes in this time.") if of_fixes else tr("No events in this time.")
    if found >= MOST_POSITIONS:
        return (
            tr("The newest {count:,} fixes.", count=found)
            if of_fixes
            else tr("The newest {count:,} events.", count=found)
        )
    return f"{counted(found, 'fix', 'fixes') if of_fixes else counted(found, 'event')}."
