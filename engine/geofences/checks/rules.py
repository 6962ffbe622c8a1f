"""Checks of the terms of each geofence: hours, expiry, names, and what only this program has."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from engine.domain.clock import utc_text
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Polygon
from engine.domain.hours import HoursRule, OperatingHours, alike, days_text
from engine.domain.words import brief_duration, count, counts_of_rings
from engine.geofences.checks.findings import Check, Finding, Fix, Severity, name_of
from engine.geofences.checks.surroundings import CheckProgress, Fences, Surroundings

_LISTED_NAMES: Final = 3


def find_never_open(fences: Fences, around: Surroundings, report: CheckProgress) -> Iterator[Finding]:
    """Find operating hours that open the geofence at no time of the week."""
    restricted, rule = around.settings.operating_hours_restriction, around.settings.operating_hours_rule
    for number, geofence in enumerate(fences.all):
        report(number)
        hours = geofence.rules.operating_hours
        if hours is None or not hours.never_opens(rule):
            continue
        outcome = (
            "so with the operating hours restriction it never generates an event"
            if restricted
            else "so all of its events say that it is closed"
        )
        text = f"The operating hours of {name_of(geofence)} open on no day, {outcome}."
        severity = Severity.ERROR if restricted else Severity.WARNING
        yield Finding(Check.NEVER_OPEN, severity, (geofence.summary,), text, fences.center(number))


def find_rule_dependent_hours(fences: Fences, around: Surroundings, report: CheckProgress) -> Iterator[Finding]:
    """Find operating hours that the two rules decide differently: days that are not listed, spans past midnight."""
    rule = around.settings.operating_hours_rule
    for number, geofence in enumerate(fences.all):
        report(number)
        hours = geofence.rules.operating_hours
        if hours is None or not hours.differs_by_rule:
            continue
        name, days = name_of(geofence), days_text(hours.unlisted)
        if not hours.crosses_midnight:
            text = (
                f"The hours of {name} do not list {days}, which the platform rule opens and the calendar rule closes."
            )
        elif not days:
            text = f"The hours of {name} go past midnight, and such hours never hold by the platform rule."
        else:
            text = (
                f"The hours of {name} go past midnight, and such hours never hold by the platform rule. They do not "
                f"list {days}, which the platform rule opens and the calendar rule closes."
            )
        severity = Severity.WARNING if rule is HoursRule.PLATFORM and hours.crosses_midnight else Severity.INFO
        fix = _fix_of_hours(geofence.id, hours, rule)
        yield Finding(Check.HOURS, severity, (geofence.summary,), text, fences.center(number), fix)


def _fix_of_hours(geofence_id: str, hours: OperatingHours, rule: HoursRule) -> Fix | None:
    try:
        same = alike(hours, rule)
    except InvalidParameter:  # a day would have too many spans
        return None
    text = f"List all days without hours past midnight, as the {rule} rule decides now"
    return Fix(text, {geofence_id: GeofenceChange(operating_hours=same)})


def find_expiring(fences: Fences, around: Surroundings, report: CheckProgress) -> Iterator[Finding]:
    """Find geofences that will soon be disabled or deleted."""
    until = around.now + timedelta(seconds=around.options.soon_s)
    for number, geofence in enumerate(fences.all):
        report(number)
        moment = geofence.expires_at
        if moment is None or not around.now <= moment <= until:
            continue
        action = "deleted" if moment == geofence.rules.delete_after else "disabled"
        left = brief_duration((moment - around.now).total_seconds())
        text = f"{name_of(geofence)} will be {action} in {left}, after {_time(moment)}."
        yield Finding(Check.EXPIRING, Severity.WARNING, (geofence.summary,), text, fences.center(number))


def find_expired(fences: Fences, around: Surroundings, report: CheckProgress) -> Iterator[Finding]:
    """Find geofences that were disabled by their expiry."""
    for number, geofence in enumerate(fences.all):
        report(number)
        moment = geofence.rules.disable_after
        if geofence.enabled or moment is None or moment >= around.now:
            continue
        text = (
            f"{name_of(geofence)} was disabled after {_time(moment)}. While it keeps this date, it cannot be enabled."
        )
        fix = Fix("Remove the date, and leave the geofence disabled", {geofence.id: GeofenceChange(disable_after=None)})
        yield Finding(Check.EXPIRED, Severity.INFO, (geofence.summary,), text, fences.center(number), fix)


def find_not_portable(fences: Fences, _around: Surroundings, report: CheckProgress) -> Iterator[Finding]:
    """Find polygons with holes or several parts, which the platform does not have."""
    for number, geofence in enumerate(fences.all):
        report(number)
        geometry = geofence.geometry
        if isinstance(geometry, Polygon) and not geometry.is_single_ring:
            name, (first, *others) = name_of(geofence), counts_of_rings(geometry)
            text = f"{name} has {first}, but the platform only takes a single ring."
            if others:
                text = f"{name} has {first} and {others[0]}, but the platform only takes a single ring."
            yield Finding(Check.PORTABLE, Severity.INFO, (geofence.summary,), text, fences.center(number))


def find_same_name(fences: Fences, _around: Surroundings, report: CheckProgress) -> Iterator[Finding]:
    """Find geofences with the same tag and description, or with keys that differ only in case and spaces."""
    by_name: dict[tuple[str, str], list[int]] = {}
    by_id: dict[tuple[str, str], list[int]] = {}
    for number, geofence in enumerate(fences.all):
        report(number)
        by_name.setdefault((geofence.tag, _folded(geofence.description)), []).append(number)
        by_id.setdefault((_folded(geofence.tag), _folded(geofence.external_id)), []).append(number)
    for numbers in by_id.values():
        if len(numbers) > 1:
            keys = _listed([f"{fences[each].tag}/{fences[each].external_id}" for each in numbers])
            text = f"The keys {keys} differ only in case or spaces."
            yield _of_group(fences, numbers, Severity.WARNING, text)
    for numbers in by_name.values():
        if len(numbers) > 1:
            first = fences[numbers[0]]
            text = f"{count(len(numbers), 'geofence')} with the tag {first.tag} have the name {name_of(first)}."
            yield _of_group(fences, numbers, Severity.INFO, text)


def _of_group(fences: Fences, numbers: list[int], severity: Severity, text: str) -> Finding:
    geofences: list[Geofence] = [fences[number] for number in numbers]
    summaries = tuple(geofence.summary for geofence in geofences)
    return Finding(Check.SAME_NAME, severity, summaries, text, fences.center(numbers[0]))


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _listed(names: list[str]) -> str:
    more = len(names) - _LISTED_NAMES
    listed = ", ".join(names[:_LISTED_NAMES]) if more > 0 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{listed} and {more:,} more" if more > 0 else listed


def _time(moment: datetime) -> str:
    return utc_text(moment, "minutes").replace("T", " ").removesuffix("Z") + " UTC"
