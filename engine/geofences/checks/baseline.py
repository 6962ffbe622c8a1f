"""Baselines of checks: files with known findings, which do not fail a build."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

import orjson
from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.geofences.checks.findings import Check, CheckOptions, CheckReport, Finding, Severity

VERSION: Final = 1


class Known(Struct, frozen=True):
    """A known finding. `geofences` are ``tag/externalId``, sorted; identifiers differ between workspaces.

    `text` helps readers of the file, and is not compared.
    """

    check: Check
    severity: Severity
    geofences: tuple[str, ...]
    text: str = ""

    @property
    def key(self) -> tuple[Check, tuple[str, ...]]:
        """The check and the geofences, which identify the finding."""
        return self.check, self.geofences


class Compared(Struct, frozen=True):
    """Findings compared with a baseline: the new ones, the number of known ones, and those that are resolved."""

    new: tuple[Finding, ...]
    known: int
    resolved: tuple[Known, ...]


def baseline_of(findings: Iterable[Finding]) -> tuple[Known, ...]:
    """Return the baseline of findings, in a stable order."""
    return tuple(sorted((_known(each) for each in findings), key=lambda each: (*each.key, each.severity, each.text)))


def compared(report: CheckReport, baseline: Sequence[Known], options: CheckOptions) -> Compared:
    """Compare a report with a baseline. A finding that has become graver is new.

    Findings of checks that were not made, or not to their end, are not resolved.
    """
    gravest: dict[tuple[Check, tuple[str, ...]], int] = {}
    for each in baseline:
        gravest[each.key] = max(gravest.get(each.key, 0), each.severity.rank)
    new = [each for each in report.findings if gravest.get(_known(each).key, -1) < each.severity.rank]
    here = {_known(each).key for each in (*report.findings, *report.dismissed)}
    made = options.checks - report.capped - report.unmade
    resolved = [each for each in baseline if each.key not in here and each.check in made]
    return Compared(tuple(new), len(report.findings) - len(new), tuple(resolved))


def _known(finding: Finding) -> Known:
    names = sorted(f"{geofence.tag}/{geofence.external_id}" for geofence in finding.geofences)
    return Known(finding.check, finding.severity, tuple(names), finding.text)


def write_baseline(baseline: Sequence[Known]) -> bytes:
    """Return a baseline as JSON with a line for each finding, so that differences of two versions can be read."""
    items = ",".join(f"\n    {_line(each)}" for each in baseline)
    return f'{{\n  "version": {VERSION},\n  "findings": [{items}{"\n  " if items else ""}]\n}}\n'.encode()


def _line(known: Known) -> str:
    content = {"check": known.check, "severity": known.severity, "geofences": known.geofences, "text": known.text}
    return json.dumps(content, ensure_ascii=False)


def read_baseline(data: bytes) -> tuple[Known, ...]:
    """Return the baseline in a file. Raises `InvalidParameter` for ``baseline`` that says what is wrong."""
    try:
        content = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise _refused(f"is not JSON: {error}") from None
    if not isinstance(content, dict) or not isinstance(content.get("findings"), list):
        raise _refused("is not a baseline; fencewright check --save-baseline writes one")
    if content.get("version") != VERSION:
        raise _refused(f"has version {content.get('version')!r}; this program reads version {VERSION}")
    return tuple(_read(number, item) for number, item in enumerate(content["findings"], 1))


def _read(number: int, item: Any) -> Known:
    names = item.get("geofences") if isinstance(item, dict) else None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _refused(f"finding {number} needs check, severity and geofences, a list of tag/externalId")
    try:
        return Known(
            Check(item.get("check")), Severity(item.get("severity")), tuple(sorted(names)), str(item.get("text", ""))
        )
    except ValueError as error:
        raise _refused(f"finding {number}: {error}") from None


def _refused(reason: str) -> InvalidParameter:
    return InvalidParameter("baseline", f"baseline: {reason}.")
