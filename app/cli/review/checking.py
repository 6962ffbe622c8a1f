"""``fencewright check``: suspicious geofences of a workspace."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import convert

from app.api.commands import geofences
from app.api.wire.common.encoding import Encoded
from app.api.wire.review.checks import CheckQuery
from app.cli.targets import existing_workspace
from app.cli.terminal.asking import WRONG_USAGE, agreed
from app.cli.terminal.output import end_progress, note, progress_bar, write_json, write_line
from app.cli.terminal.signals import StopRequest, stop_on_signals
from app.cli.workspaces import reach_workspace
from app.files import check_writable, read_limited, write_file
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled
from engine.domain.text import printable
from engine.domain.words import count
from engine.geofences.checks.baseline import Known, read_baseline, write_baseline
from engine.geofences.checks.findings import Check, CheckOptions, Severity

_SHOWN_KEYS: Final = 3
_WIDTH: Final = max(map(len, Check))


def check(arguments: Namespace) -> int:
    """Run the checks and write the findings; return 1 if there are any, or if the user declined fixes in Live.

    Findings that are saved as a baseline are no failure.
    """
    if arguments.fix and arguments.environment.live and not arguments.yes:
        if not sys.stdin.isatty():
            note("check --fix asks for confirmation in Live, but there is no terminal; give --yes")
            return WRONG_USAGE
        if not agreed(f"Apply the safe fixes in Live of {existing_workspace(arguments)}?"):
            note("nothing was changed")
            return 1
    try:
        baseline = None if arguments.baseline is None else read_baseline(_content(arguments.baseline))
        check_writable(arguments.save_baseline)
    except InvalidParameter as error:
        note(error.message.replace("baseline:", f"--baseline {arguments.baseline}:", 1))
        return WRONG_USAGE
    with stop_on_signals() as stop:
        try:
            report = _checked(arguments, baseline, stop)
        except Cancelled:
            end_progress()
            note("stopped; nothing is half fixed" if arguments.fix else "stopped")
            return stop.exit_code
    saved = report.get("saved")
    report = {name: value for name, value in report.items() if name != "saved"}
    if arguments.json:
        write_json(report, indented=True)
    else:
        _write(report, arguments)
    if saved is None:
        return 1 if report["findings"] or report["more"] else 0
    write_file(arguments.save_baseline, write_baseline(convert(saved, tuple[Known, ...])))
    note(f"{count(len(saved), 'finding')} saved in {arguments.save_baseline}")
    return 0


def _content(file: Path) -> bytes:
    try:
        return read_limited(file)
    except OSError as error:
        raise InvalidParameter("baseline", f"baseline: cannot be read: {error.strerror}.") from None
    except InvalidParameter as error:
        raise InvalidParameter("baseline", f"baseline: {error.message}") from None


def _checked(arguments: Namespace, baseline: tuple[Known, ...] | None, stop: StopRequest) -> Encoded:
    checks = frozenset(arguments.only or Check) - frozenset(arguments.skip)
    options = CheckOptions(checks=checks, accuracy_m=arguments.accuracy, soon_s=arguments.soon)
    query = CheckQuery(
        options=options,
        severity=arguments.severity,
        limit=arguments.limit,
        fix=arguments.fix,
        baseline=baseline,
        saves=arguments.save_baseline is not None,
        dismissed=arguments.dismissed,
    )
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
    resolved = report.get("baseline", {}).get("resolved", ())
    for known in resolved[: arguments.limit]:
        write_line(f"resolved {known['check']:<{_WIDTH}}  {_names(known['geofences'])}{printable(known['text'])}")
    if len(resolved) > arguments.limit:
        more = count(len(resolved) - arguments.limit, "more finding", "more findings")
        write_line(f"… and {more} of the baseline resolved")
    for text in report["notes"]:
        note(text)
    write_line(_summary(report, arguments))


def _line(finding: dict[str, Any]) -> str:
    longitude, latitude = finding.get("coordinates", (None, None))
    place = "" if latitude is None else f"  ({latitude:.5f}, {longitude:.5f})"
    fix = f"  → --fix: {finding['fix']}" if "fix" in finding else ""
    text = printable(finding["text"]) + ("  (dismissed)" if finding.get("dismissed") else "")
    return f"{finding['severity']:<7}  {finding['check']:<{_WIDTH}}  {_about(finding)}{text}{place}{fix}"


def _about(finding: dict[str, Any]) -> str:
    return _names([f"{each['tag']}/{each['externalId']}" for each in finding["geofences"]], finding["count"])


def _names(keys: Sequence[str], number: int | None = None) -> str:
    """Return the names of the first geofences, and how many more of the number of all there are."""
    shown = keys[:_SHOWN_KEYS]
    more = (len(keys) if number is None else number) - len(shown)
    names = ", ".join(shown) + (f" and {more:,} more" if more else "")
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
    if compared := report.get("baseline"):
        text += f"; {compared['known']:,} known from {arguments.baseline}, {len(compared['resolved']):,} resolved"
    if report["dismissed"]:
        text += f"; {report['dismissed']:,} dismissed in the window (--dismissed lists them)"
    hidden = [severity for severity in Severity if severity.rank < arguments.severity.rank and counts[severity]]
    return f"{text} (--severity {hidden[0]} lists the others)" if hidden else text
