"""The progress of a back-test on one line of the terminal, and its summary."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from app.backtest.formats import PAGE
from app.cli.terminal.output import write_line
from engine.backtest.backtest import Progress
from engine.backtest.results import BacktestReport, Comparison
from engine.domain.words import brief_duration, count

_SHOWN: Final = 5
"""Maximum number of names in a line of the summary."""


def progress_shower() -> Callable[[Progress], None]:
    """Return a function that shows progress by rewriting one line, if standard error is a terminal."""
    longest = 0

    def show(progress: Progress) -> None:
        nonlocal longest
        if sys.stderr.isatty():
            line = progress_text(progress)
            longest = max(longest, len(line))
            sys.stderr.write(f"\r{line:{longest}}")
            sys.stderr.flush()

    return show


def progress_text(progress: Progress) -> str:
    """Return progress as one line: fixes, their rate, events, and the estimated time left."""
    percent = f" ({min(100, 100 * progress.fixes // progress.total)} %)" if progress.total else ""
    parts = [f"{progress.phase}: {progress.fixes:,} of {count(progress.total, 'fix', 'fixes')}{percent}"]
    if progress.seconds > 0 and progress.fixes:
        parts.append(f"{progress.fixes / progress.seconds:,.0f}/s")
    parts.append(count(progress.events, "event"))
    if len(progress.workers) > 1:
        parts.append(count(len(progress.workers), "worker"))
    if progress.left_s is not None:
        parts.append(f"{brief_duration(round(progress.left_s))} left")
    return " · ".join(parts)


def write_summary(report: BacktestReport, output: Path) -> None:
    """Write the main results, and where the report is."""
    for line in summary(report):
        write_line(line)
    write_line(f"report: {output / PAGE}")


def summary(report: BacktestReport) -> Iterator[str]:
    """Yield the main results of a back-test as lines."""
    entries, exits, dwells = (
        sum(getattr(each, name) for each in report.geofences) for name in ("entries", "exits", "dwells")
    )
    fixes, devices = count(report.fixes, "fix", "fixes"), count(report.devices, "device")
    yield f"{fixes} of {devices} in {brief_duration(report.seconds)}"
    yield (
        f"{count(report.events, 'event')}: {count(entries, 'entry', 'entries')}, {count(exits, 'exit')}, "
        f"{count(dwells, 'dwell')}"
    )
    if idle := report.idle_geofences:
        yield (
            f"{count(len(idle), 'geofence')} of {len(report.geofences):,} never fired: "
            f"{_some([each.name for each in idle], len(idle))}"
        )
    if report.devices_without_event:
        yield (
            f"{count(report.devices_without_event, 'device')} without an event: "
            f"{_some(report.idle_devices, report.devices_without_event)}"
        )
    if report.comparison is not None:
        yield _compared(report.comparison, report.against or "", report.fences)


def _some(names: tuple[str, ...] | list[str], total: int) -> str:
    shown = names[:_SHOWN]
    more = f" and {total - len(shown):,} more" if total > len(shown) else ""
    return f"{', '.join(shown)}{more}"


def _compared(found: Comparison, before: str, after: str) -> str:
    most = found.geofences[0] if found.geofences else None
    where = "" if most is None else f"; most in {most.tag}/{most.external_id}"
    return f"from {before} to {after}: {found.gained:,} gained, {found.lost:,} lost, {found.moved:,} moved{where}"
