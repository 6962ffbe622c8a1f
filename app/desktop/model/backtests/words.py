"""Progress and results of back-tests in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from app.desktop.language import counted, tr, translated
from app.desktop.model.words import duration

if TYPE_CHECKING:
    from engine.backtest.backtest import Progress
    from engine.backtest.results import BacktestReport, Comparison

PHASES: Final = {"sorting": tr("Sorting"), "deciding": tr("Deciding"), "writing": tr("Writing")}

FIELD_TITLES: Final = {
    "device": tr("Device"),
    "user": tr("User"),
    "time": tr("Time of the fix"),
    "received": tr("Time of arrival"),
    "longitude": tr("Longitude"),
    "latitude": tr("Latitude"),
    "accuracy": tr("Accuracy"),
    "stopped": tr("Stopped"),
    "foreground": tr("Foreground"),
    "ip": tr("IP address"),
}
"""Fields of a history, as the window names them."""

_FIELD: Final = "|".join(FIELD_TITLES)
_COLUMNS: Final = re.compile(rf"Columns of ([\d,]+) files?: ((?:{_FIELD}) from .*?)(?:\. Not used: (.*))?\.")
_USED: Final = re.compile(rf", (?=(?:{_FIELD}) from )")


def note_text(note: str) -> str:
    """Return a note of the engine about a history, with the fields as the window names them."""
    found = _COLUMNS.fullmatch(note)
    if found is None:
        return translated(note)
    files, used, unused = found.groups()
    columns = ", ".join(_source_text(*each.split(" from ", 1)) for each in _USED.split(used))
    of = counted(int(files.replace(",", "")), "file", "files")
    text = tr("Columns of {files}: {columns}.", files=of, columns=columns)
    return text if unused is None else f"{text} {tr('Not used: {columns}.', columns=unused)}"


def _source_text(field: str, source: str) -> str:
    title = FIELD_TITLES[field]
    if source == "the folders":
        return tr("{field} from the folders", field=title)
    return tr("{field} from {column}", field=title, column=source)


def progress_text(progress: Progress) -> str:
    """Return the phase and its fixes, such as ``Deciding · 400,000 of 1,000,000 fixes``."""
    done = tr("{done:,} of {fixes}", done=progress.fixes, fixes=counted(progress.total, "fix", "fixes"))
    return f"{PHASES[progress.phase]} · {done}"


def pace_text(progress: Progress) -> str:
    """Return the rate, the events so far and the time left."""
    parts = []
    if progress.fixes and progress.seconds > 0:
        per_second = progress.fixes / progress.seconds
        parts.append(tr("{fixes_per_second:,.0f} fixes/s", fixes_per_second=per_second))
    parts.append(counted(progress.events, "event"))
    if progress.left_s is not None:
        parts.append(tr("{time} left", time=duration(progress.left_s)))
    return " · ".join(parts)


def headlines(report: BacktestReport) -> Iterator[str]:
    """Yield the main results as sentences."""
    parts = counted(report.fixes, "fix", "fixes"), counted(report.devices, "device"), duration(report.seconds)
    yield " · ".join(parts)
    events = (
        counted(sum(each.entries for each in report.geofences), "entry", "entries"),
        counted(sum(each.exits for each in report.geofences), "exit"),
        counted(sum(each.dwells for each in report.geofences), "dwell"),
    )
    yield f"{counted(report.events, 'event')}: {', '.join(events)}"
    idle = len(report.idle_geofences)
    geofences = counted(len(report.geofences), "geofence")
    never = tr("{never_fired:,} of {geofences} never fired", never_fired=idle, geofences=geofences)
    yield f"{never} · {tr('{devices} without an event', devices=counted(report.devices_without_event, 'device'))}"
    if report.comparison is not None:
        yield compared_text(report.comparison, report.against or "", report.fences)


def compared_text(found: Comparison, before: str, after: str) -> str:
    """Return the differences as a sentence."""
    return tr(
        "From {before} to {after}: {gained:,} gained, {lost:,} lost, {moved:,} moved",
        before=before,
        after=after,
        gained=found.gained,
        lost=found.lost,
        moved=found.moved,
    )


def examples_text(found: Comparison) -> str:
    """Return the differences as a sentence, and how many of them are listed."""
    text = tr(
        "Back-test: {gained:,} gained, {lost:,} lost, {moved:,} moved.",
        gained=found.gained,
        lost=found.lost,
        moved=found.moved,
    )
    total, listed = found.gained + found.lost + found.moved, len(found.examples)
    return text if listed >= total else f"{text} {tr('The first {count:,} are listed.', count=listed)}"


def notes_text(report: BacktestReport) -> str:
    """Return a sentence about the rows and files that cannot be read, or "" if all can."""
    parts = []
    if report.bad_files:
        first = report.bad_files[0]
        parts.append(f"{counted(len(report.bad_files), 'file')}: {first.file}: {first.message}")
    if report.bad_rows:
        text = tr("{rows} could not be read.", rows=counted(report.bad_rows, "row"))
        examples = report.bad_examples[:1]
        parts.append(" ".join((text, *(f"{each.file}, {each.row:,}: {each.message}" for each in examples))))
    return " ".join(parts)
