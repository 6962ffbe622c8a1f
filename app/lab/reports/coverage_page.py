"""The coverage report as a self-contained page: no scripts, no fonts, no network."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

from engine.domain.words import count

_STYLE: Final = Path(__file__).parents[3] / "resources" / "lab" / "coverage.css"
_CARDS: Final = (
    ("rules", "Reasons of rules"),
    ("eventRules", "Reasons of other events"),
    ("eventTypes", "Event types"),
    ("fraudChecks", "Fraud checks"),
    ("geofences", "Geofences with events"),
)

type Row = Sequence[str]


def coverage_page(report: Mapping[str, Any]) -> bytes:
    """Return the report as HTML."""
    body = "\n".join(
        (
            "<h1>Scenario coverage</h1>",
            f"<p>{count(report['scenarios'], 'scenario')}, {count(report['fixes'], 'location update')}</p>",
            *_idle(report["expectingNothing"]),
            _cards(report["summary"]),
            "<h2>Rules</h2>",
            _table(("Rule", "Lets the event pass", "Reason", "#Times"), _rule_rows(report["rules"])),
            "<h2>Rules of trips, beacons, places and regions</h2>",
            _table(("Rule", "Lets the event pass", "Reason", "#Times"), _rule_rows(report["eventRules"])),
            "<h2>Event types</h2>",
            _table(("Type", "#Events"), _counted(report["eventTypes"], "type")),
            "<h2>Fraud checks</h2>",
            _table(("Check", "#Failed"), _counted(report["fraudChecks"], "check")),
            "<h2>Geofences</h2>",
            _table(("Geofence", "Events", "#Scenarios", "#Updates near"), map(_geofence_row, report["geofences"])),
        )
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Scenario coverage</title>\n<style>\n{_style()}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    ).encode()


@cache
def _style() -> str:
    return _STYLE.read_text(encoding="utf-8")


def _idle(names: Sequence[str]) -> Iterable[str]:
    """Yield the list of scenarios that expect nothing, if there are any."""
    if names:
        verb = "expects" if len(names) == 1 else "expect"
        yield f"<p>{count(len(names), 'scenario')} {verb} nothing: {escape(', '.join(names))}</p>"


def _cards(summary: Mapping[str, Mapping[str, int]]) -> str:
    return f'<div class="cards">{"".join(_card(title, summary[name]) for name, title in _CARDS)}</div>'


def _card(title: str, covered: Mapping[str, int]) -> str:
    exercised, everything = covered["exercised"], covered["all"]
    percent = 100 * exercised // everything if everything else 0
    part = "" if exercised == everything else ' class="part"'
    return (
        f'<div class="card"><small>{escape(title)}</small><b>{exercised:,} <span>of {everything:,}</span></b>'
        f'<div class="bar"><i{part} style="width:{percent}%"></i></div></div>'
    )


def _table(heads: Sequence[str], rows: Iterable[Row]) -> str:
    """Return a table. A heading that begins with # is that of a numeric column."""
    head = "".join(f"<th{_class(each)}>{escape(each.lstrip('#'))}</th>" for each in heads)
    lines = ["".join(f"<td{_class(name)}>{cell}</td>" for name, cell in zip(heads, row, strict=True)) for row in rows]
    body = "\n".join(f"<tr>{line}</tr>" for line in lines) or f'<tr><td colspan="{len(heads)}">None.</td></tr>'
    return f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'


def _class(head: str) -> str:
    if head.startswith("#"):
        return ' class="number"'
    return ' class="wide"' if head in ("Reason", "Events") else ""


def _rule_rows(rules: Iterable[Mapping[str, Any]]) -> Iterable[Row]:
    for rule in rules:
        for number, reason in enumerate(rule["reasons"]):
            name = f"<code>{escape(rule['rule'])}</code>" if number == 0 else ""
            passes = "yes" if reason["passes"] else "no"
            yield name, passes, escape(reason["text"]), _mark(reason["count"])


def _counted(items: Iterable[Mapping[str, Any]], name: str) -> Iterable[Row]:
    return ((f"<code>{escape(each[name])}</code>", _mark(each["count"])) for each in items)


def _geofence_row(geofence: Mapping[str, Any]) -> Row:
    events = ", ".join(f"{escape(kind)} <span class='soft'>× {n:,}</span>" for kind, n in geofence["events"].items())
    name = f"<code>{escape(geofence['geofence'])}</code><br><span class='soft'>{escape(geofence['description'])}</span>"
    return name, events or '<span class="mark no">never</span>', f"{geofence['scenarios']:,}", f"{geofence['judged']:,}"


def _mark(number: int) -> str:
    return f'<span class="mark yes">{number:,}</span>' if number else '<span class="mark no">never</span>'
