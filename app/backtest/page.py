"""The report of a back-test as a self-contained page: no scripts, no fonts, no network."""

from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from app.backtest.charts import MAX_PLACES, hours_chart, hours_of, matrix, spark
from app.backtest.comparison import comparison_section
from app.backtest.formats import RECORD
from app.backtest.html import (
    MAX_ROWS,
    card,
    cards,
    chips,
    figure,
    moment,
    numbered,
    paragraphs,
    share,
    stacked,
    table,
)
from app.backtest.picture import map_picture
from engine.backtest.results import BacktestReport, FenceResult
from engine.domain.words import brief_duration, count

_RESOURCES: Final = Path(__file__).parents[2] / "resources" / "lab"
_STYLES: Final = ("coverage.css", "backtest.css")
_TITLE: Final = "Back-test"


def report_page(report: BacktestReport) -> bytes:
    """Return the report as HTML."""
    body = "\n".join(
        (
            f"<h1>{_TITLE}</h1>",
            *_given(report),
            *comparison_section(report),
            *_headline(report),
            *_map(report),
            *_events(report),
            *_devices(report),
            *_travel(report),
            *_history(report),
            *_work(report),
        )
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(f'{_TITLE}: {report.fences}')}</title>\n<style>\n{_style()}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    ).encode()


@cache
def _style() -> str:
    return "".join((_RESOURCES / name).read_text(encoding="utf-8") for name in _STYLES)


def _given(report: BacktestReport) -> Iterator[str]:
    """Yield the input: geofences, history and rules."""
    period = "no location updates"
    if report.first_at is not None:
        period = f"{moment(report.first_at)} to {moment(report.last_at)} UTC"
    against = [] if report.against is None else [("Compared with", report.against)]
    rows = (
        ("Geofences", report.fences),
        *against,
        ("History", ", ".join(report.history)),
        ("Period", period),
        ("Rules", ", ".join(report.rules) or "the defaults"),
    )
    yield f'<dl class="given">{"".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in rows)}</dl>'


def _headline(report: BacktestReport) -> Iterator[str]:
    fired = len(report.geofences) - len(report.idle_geofences)
    with_event = report.devices - report.devices_without_event
    inside_s = sum(each.inside_s for each in report.geofences)
    if report.comparison is not None:
        yield f"<h2>Events with {escape(report.fences)}</h2>"
    yield cards(
        (
            card("Events", f"{report.events:,}"),
            card("Geofences with events", f"{fired:,}", f"of {len(report.geofences):,}"),
            card("Devices with events", f"{with_event:,}", f"of {report.devices:,}"),
            card("Location updates", f"{report.fixes:,}"),
            card("Time inside", brief_duration(inside_s), count(_visits(report), "visit")),
        )
    )


def _visits(report: BacktestReport) -> int:
    return sum(each.visits for each in report.geofences)


def _map(report: BacktestReport) -> Iterator[str]:
    if picture := map_picture(report):
        yield f"<h2>Map</h2>{picture}"


def _events(report: BacktestReport) -> Iterator[str]:
    entries, exits, dwells = (
        sum(getattr(each, name) for each in report.geofences) for name in ("entries", "exits", "dwells")
    )
    types = (("Entries", entries, "entry"), ("Exits", exits, "exit"), ("Dwells", dwells, "dwell"))
    yield "<h2>Events</h2>"
    yield f'<div class="pair">{figure("By type", stacked(types))}{_hours(report)}</div>'
    yield "<h2>Geofences</h2>"
    found = sorted((each for each in report.geofences if each.events or each.visits), key=_first_shown)
    yield table(
        ("Geofence", "#Entries", "#Exits", "#Dwells", "#Visits", "#Time inside", "#Devices", "By hour"),
        map(_geofence_row, found[:MAX_ROWS]),
        len(found),
    )
    if idle := report.idle_geofences:
        yield f"<h3>{numbered(len(idle), 'geofence')} never fired</h3>"
        yield chips([each.name for each in idle])


def _hours(report: BacktestReport) -> str:
    return figure("By hour, in the local time of the geofence", hours_chart(hours_of(report.geofences)))


def _first_shown(geofence: FenceResult) -> tuple[int, float, str]:
    return -geofence.events, -geofence.inside_s, geofence.name


def _geofence_row(geofence: FenceResult) -> Sequence[str]:
    description = f"<br><span class='soft'>{escape(geofence.description)}</span>" if geofence.description else ""
    return (
        f"<code>{escape(geofence.name)}</code>{description}",
        f"{geofence.entries:,}",
        f"{geofence.exits:,}",
        f"{geofence.dwells:,}",
        f"{geofence.visits:,}",
        brief_duration(geofence.inside_s),
        f"{geofence.devices:,}",
        spark(geofence.hours),
    )


def _devices(report: BacktestReport) -> Iterator[str]:
    yield "<h2>Devices</h2>"
    yield table(
        ("Device", "#Events", "#Visits", "#Time inside"),
        (
            (
                f"<code>{escape(each.device_id)}</code>",
                f"{each.events:,}",
                f"{each.visits:,}",
                brief_duration(each.inside_s),
            )
            for each in report.busiest
        ),
    )
    if report.busiest and len(report.busiest) < report.devices:
        yield f'<p class="more">The busiest of {numbered(report.devices, "device")}.</p>'
    if report.devices_without_event:
        yield f"<h3>{numbered(report.devices_without_event, 'device')} without an event</h3>"
        yield chips(report.idle_devices)
        if (more := report.devices_without_event - len(report.idle_devices)) > 0:
            yield f'<p class="more">and {more:,} more</p>'


def _travel(report: BacktestReport) -> Iterator[str]:
    if not report.travels:
        return
    yield "<h2>From one geofence to the next</h2>"
    yield matrix(report)
    places = {place for each in report.travels for place in (each.origin, each.destination)}
    if len(places) > MAX_PLACES:
        yield (
            f'<p class="more">The {MAX_PLACES} of {numbered(len(places), "geofence")} with most travel; '
            f"all {len(report.travels):,} pairs are in {RECORD}.</p>"
        )


def _history(report: BacktestReport) -> Iterator[str]:
    """Yield notes about the history, late updates, and rows and files that could not be read."""
    late = f"{count(report.late, 'update')} taken before one that had already arrived" if report.late else ""
    repeated = (
        f"{count(report.repeated, 'update')} that had arrived before and had no effect" if report.repeated else ""
    )
    notes = [*report.notes, *filter(None, (late, repeated))]
    if not (notes or report.bad_rows or report.bad_files):
        return
    yield "<h2>History</h2>"
    yield from paragraphs(notes)
    if report.bad_files:
        yield f"<h3>{numbered(len(report.bad_files), 'file')} left out</h3>"
        yield table(
            ("File", "Reason"),
            ((f"<code>{escape(each.file)}</code>", escape(each.message)) for each in report.bad_files),
        )
    if report.bad_rows:
        yield f"<h3>{numbered(report.bad_rows, 'row')} could not be read</h3>"
        yield table(
            ("File", "#Row", "Reason"),
            (
                (f"<code>{escape(each.file)}</code>", f"{each.row:,}", escape(each.message))
                for each in report.bad_examples
            ),
        )
        if (more := report.bad_rows - len(report.bad_examples)) > 0:
            yield f'<p class="more">and {more:,} more</p>'


def _work(report: BacktestReport) -> Iterator[str]:
    """Yield how the back-test ran."""
    yield "<h2>How it ran</h2>"
    yield cards(
        (
            card("Time", brief_duration(report.seconds)),
            card("Speed", _rate(report.fixes, report.seconds), "updates per second"),
            card("Decided one by one", f"{report.decided:,}", share(report.decided, report.fixes)),
            card("Workers", f"{len(report.workers):,}"),
        )
    )
    yield table(
        ("Worker", "#Updates", "#Events", "#Time", "#Updates per second"),
        (
            (
                f"<code>{escape(each.name)}</code>",
                f"{each.fixes:,}",
                f"{each.events:,}",
                brief_duration(each.seconds),
                _rate(each.fixes, each.seconds),
            )
            for each in report.workers
        ),
    )


def _rate(number: int, seconds: float) -> str:
    return f"{number / seconds:,.0f}" if seconds > 0 else "-"
