"""``fencewright check``: suspicious geofences of a workspace."""

import sys
from argparse import Namespace
from typing import Any, Final

from app.api.commands import geofences
from app.api.wire.common.encoding import Encoded
from app.api.wire.review.checks import CheckQuery
from app.cli.targets import existing_workspace
from app.cli.terminal.asking import WRONG_USAGE, agreed
from app.cli.terminal.output import end_progress, note, progress_bar, write_json, write_line
from app.cli.terminal.signals import StopRequest, stop_on_signals
from app.cli.workspaces import reach_workspace
from engine.domain.ports import Cancelled
from engine.domain.text import printable
from engine.domain.words import count
from engine.geofences.checks.findings import Check, CheckOptions, Severity

_SHOWN_KEYS: Final = 3
_WIDTH: Final = max(map(len, Check))


def check(arguments: Namespace) -> int:
    """Run the checks and write the findings; return 1 if there are any, or if the user declined fixes in Live."""
    if arguments.fix and arguments.environment.live and not arguments.yes:
        if not sys.stdin.isatty():
            note("check --fix asks for confirmation in Live, but there is no terminal; give --yes")
            return WRONG_USAGE
        if not agreed(f"Apply the safe fixes in Live of {existing_workspace(arguments)}?"):
            note("nothing was changed")
            return 1
    with stop_on_signals() as stop:
        try:
            report = _checked(arguments, stop)
        except Cancelled:
            end_progress()
            note("stopped; nothing is half fixed" if arguments.fix else "stopped")
            return stop.exit_code
    if arguments.json:
        write_json(report, indented=True)
    else:
        _write(report, arguments)
    return 1 if report["findings"] or report["more"] else 0


def _checked(arguments: Namespace, stop: StopRequest) -> Encoded:
    checks = frozenset(arguments.only or Check) - frozenset(arguments.skip)
    options = CheckOptions(checks=checks, accuracy_m=arguments.accuracy, soon_s=arguments.soon)
    query = CheckQuery(options=options, severity=arguments.severity, limit=arguments.limit, fix=arguments.fix)
    with reach_workspace(existing_workspace(arguments), stop) as workspace:
        progress = progress_bar("checking", stop.check)
        return workspace.run(geofences.check, query, arguments.environment, progress=progress)


def _write(report: Encoded, arguments: Namespace) -> None:
    for finding in report.get("fixed", ()):
        write_line(f"fixed    {finding['check']:<{_WIDTH}}  {_about(finding)}{finding['fix']}.")
    for finding in report.get("skipped", ()):
        write_line(f"skipped  {finding['check']:<{_WIDTH}}  {_about(finding)}changed by someone else meanwhile.")
    for finding in report["findings"]:
        write_line(_line(finding))
    if report["more"]:
        write_line(f"… and {count(report['more'], 'more finding', 'more findings')}; --limit N lists more")
    for text in report["notes"]:
        note(text)
    write_line(_summary(report, arguments))


def _line(finding: dict[str, Any]) -> str:
    longitude, latitude = finding.get("coordinates", (None, None))
    place = "" if latitude is None else f"  ({latitude:.5f}, {longitude:.5f})"
    fix = f"  → --fix: {finding['fix']}" if "fix" in finding else ""
    text = printable(finding["text"])
    return f"{finding['severity']:<7}  {finding['check']:<{_WIDTH}}  {_about(finding)}{text}{place}{fix}"


def _about(finding: dict[str, Any]) -> str:
    keys = [f"{each['tag']}/{each['externalId']}" for each in finding["geofences"][:_SHOWN_KEYS]]
    more = finding["count"] - len(keys)
    names = ", ".join(keys) + (f" and {more:,} more" if more else "")
    return f"{printable(names)}: " if names else ""


def _summary(report: Encoded, arguments: Namespace) -> str:
    counts = report["counts"]
    nouns = {
        Severity.ERROR: ("error", "errors"),
        Severity.WARNING: ("warning", "warnings"),
        Severity.INFO: ("info",) * 2,
    }
    listed = ", ".join(count(counts[severity], *nouns[severity]) for severity in reversed(Severity))
    text = f"{count(report['checked'], 'geofence')} checked: {listed}"
    if "fixed" in report:
        text += f"; {report['fixedCount']:,} fixed"
    if report.get("skippedCount"):
        text += f", {report['skippedCount']:,} skipped"
    if report["capped"]:
        text += f" (of {', '.join(report['capped'])} there are more)"
    hidden = [severity for severity in Severity if severity.rank < arguments.severity.rank and counts[severity]]
    return f"{text} (--severity {hidden[0]} lists the others)" if hidden else text
