"""The first section of the report of a comparison: events that were gained, lost and moved."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape
from typing import Final

from app.backtest.html import MAX_ROWS, card, cards, moment, table
from engine.backtest.results import BacktestReport, Comparison, EventDifference, FenceDifferences
from engine.domain.tracking.whatif import DifferenceKind
from engine.domain.words import brief_duration, count

_SIGNS: Final = {DifferenceKind.GAINED: "+", DifferenceKind.LOST: "−", DifferenceKind.MOVED: "~"}
_ALL: Final = "differences*.parquet"
"""The files with all differences."""


def comparison_section(report: BacktestReport) -> Iterator[str]:
    """Yield the section, if the report has a comparison."""
    found = report.comparison
    if found is None:
        return
    before, after = escape(report.against or ""), escape(report.fences)
    yield f"<h2>Changes from {before} to {after}</h2>"
    yield f"<p>Gained events fire with {after} and not with {before}; lost ones the other way round.</p>"
    yield cards(
        (
            card("Gained", f"+{found.gained:,}", kind="gained"),
            card("Lost", f"−{found.lost:,}", kind="lost"),
            card("Moved in time", f"{found.moved:,}", kind="moved"),
            card("Unchanged", f"{found.unchanged:,}", f"of {count(found.events, 'event')}"),
        )
    )
    if not found.geofences:
        return
    yield "<h3>By geofence</h3>"
    most = max(max(each.gained, each.lost, each.moved) for each in found.geofences) or 1
    yield table(
        ("Geofence", "Lost and gained", "#Gained", "#Lost", "#Moved"),
        (_fence_row(each, most) for each in found.geofences[:MAX_ROWS]),
        len(found.geofences),
    )
    yield from _examples(found, report.against or "", report.fences)


def _fence_row(differences: FenceDifferences, most: int) -> Sequence[str]:
    return (
        f"<code>{escape(f'{differences.tag}/{differences.external_id}')}</code>",
        _bars(differences, most),
        f"{differences.gained:,}",
        f"{differences.lost:,}",
        f"{differences.moved:,}",
    )


def _bars(differences: FenceDifferences, most: int) -> str:
    """Return a bar to the left for lost events, one to the right for gained ones, and a thin one for moved ones."""
    lost, gained, moved = (100 * each / most for each in (differences.lost, differences.gained, differences.moved))
    return (
        f'<div class="both"><div><i class="lost" style="width:{lost:.1f}%"></i></div><div>'
        f'<i class="gained" style="width:{gained:.1f}%"></i><i class="moved" style="width:{moved:.1f}%"></i>'
        "</div></div>"
    )


def _examples(found: Comparison, before: str, after: str) -> Iterator[str]:
    if not found.examples:
        return
    yield "<h3>Examples</h3>"
    shown = found.examples[:MAX_ROWS]
    yield table(
        ("", "Event", "Geofence", "Device and user", f"With {before}", f"With {after}", "#Moved by"),
        map(_example_row, shown),
    )
    if (more := found.gained + found.lost + found.moved - len(shown)) > 0:
        yield f'<p class="more">and {more:,} more: see {_ALL}. Times are in UTC.</p>'
    else:
        yield '<p class="more">Times are in UTC.</p>'


def _example_row(example: EventDifference) -> Sequence[str]:
    kind = DifferenceKind(example.kind)
    return (
        f'<span class="mark {kind}" title="{kind}">{_SIGNS[kind]}</span>',
        f"<code>{escape(example.type)}</code>",
        f"<code>{escape(f'{example.tag}/{example.external_id}')}</code>",
        f"<code>{escape(example.device_id)}</code>{_user(example)}",
        _time(example.before),
        _time(example.after),
        _moved_by(example),
    )


def _user(example: EventDifference) -> str:
    return f'<br><span class="soft">{escape(example.user_id)}</span>' if example.user_id else ""


def _time(at: datetime | None) -> str:
    return "" if at is None else f'<span class="time">{moment(at)}</span>'


def _moved_by(example: EventDifference) -> str:
    if example.before is None or example.after is None:
        return ""
    seconds = (example.after - example.before).total_seconds()
    return f"{brief_duration(abs(seconds))} {'later' if seconds > 0 else 'earlier'}"
