"""Checks of a run that could not fail in its set-up, regardless of the engine."""

from collections.abc import Iterator
from datetime import timedelta

from app.lab.files.expectations import ExpectedUser, ForbiddenEvent
from app.lab.files.faults import Fault, Way
from app.lab.files.idle import SUBJECTS, checks_of, conditions_of, kinds_of
from app.lab.files.words import spell_duration
from app.lab.judging.patterns import tolerance_of
from app.lab.judging.possible import FIRST, SetUp, obstacle, obstacles, set_up_of
from app.lab.running.recording import Run, key_of
from engine.domain.tracking.updates import EventType

CANNOT_FAIL = "so the check cannot fail"


def idle_in(run: Run) -> list[Fault]:
    """Return the checks that could not fail, with the reason, except those already reported when the file was read."""
    there, document = set_up_of(run), run.scenario.document
    reported = {fault.field for fault in run.scenario.idle}
    found = (document.fault(way, f"{why}, {CANNOT_FAIL}.") for way, why in _idle(run, there))
    return [fault for fault in found if not any(fault.field.startswith(field) for field in reported)]


def claims_nothing(run: Run, idle: list[Fault]) -> list[Fault]:
    """Return the fault of a file that declares that it expects nothing, although one of its checks can fail."""
    document = run.scenario.document
    fields = {fault.field for fault in idle}
    real = [document.fault(way, "").field for way in checks_of(run.scenario.body)]
    real = [field for field in real if not any(each.startswith(field) for each in fields)]
    if not real:
        return []
    return [document.key_fault(("expectsNothing",), f"does not apply: {real[0]} can fail; remove the key.")]


def _idle(run: Run, there: SetUp) -> Iterator[tuple[Way, str]]:
    expect = run.scenario.body.expect
    if expect.events == [] and (why := obstacles(sorted(FIRST), there)):
        yield ("expect", "events"), f"no event can come: {why}"
    if expect.deliveries == [] and (why := _no_delivery(run, there)):
        yield ("expect", "deliveries"), f"no request can come: {why}"
    for index, event in enumerate(expect.events or ()):
        if event.at is not None and tolerance_of(event, expect) >= run.end > timedelta(0):
            yield (
                ("expect", "events", index, "at"),
                f"its tolerance allows every time of a run of {spell_duration(run.end)}",
            )
    for index, pattern in enumerate(expect.none):
        yield from _of_none(run, there, pattern, ("expect", "none", index))
    for index, user in enumerate(expect.users):
        yield from _of_user(there, user, ("expect", "users", index))


def _no_delivery(run: Run, there: SetUp) -> str | None:
    """Return why no webhook can receive anything, or None."""
    webhooks = run.scenario.body.webhooks
    if not webhooks:
        return "the scenario has no webhook"
    tags = {each.tag for period in there.periods for each in period.geofences}
    tags |= {beacon.tag for beacon in run.scenario.body.beacons}
    reached = [webhook for webhook in webhooks if not webhook.tags or not tags.isdisjoint(webhook.tags)]
    if not reached:
        requested = sorted({tag for webhook in webhooks for tag in webhook.tags})
        return f"no geofence that is enabled, and no beacon, has the tag {' or '.join(requested)}"
    wanted = [{EventType(each) for each in webhook.event_types} or FIRST for webhook in reached]
    return obstacles(sorted(frozenset().union(*wanted)), there)


def _of_none(run: Run, there: SetUp, pattern: ForbiddenEvent, way: Way) -> Iterator[tuple[Way, str]]:
    kinds = kinds_of(pattern)
    if not kinds:
        return
    possible = {kind for kind in kinds if obstacle(kind, there, pattern.geofence) is None}
    if not possible:
        why = obstacles(sorted(kinds & FIRST or kinds), there, pattern.geofence)
        problem = f"{pattern.type} cannot come" if pattern.type else "no such event can come"
        yield (*way, "type") if pattern.type else way, f"{problem}: {why}"
        return
    for name in ("place", "region"):
        if (*way, name) in run.data.unknown:
            yield (*way, name), f"the map data has no {name} {getattr(pattern, name)}"
    if possible & SUBJECTS["trip"]:
        return
    if not (occasions := list(_occasions(run, pattern))):
        yield way, "no location update comes then"
    elif all(map(_ends_something, possible)) and all(occasions):
        yield way, "only the first location update of a device comes then, and that ends nothing"


def _ends_something(kind: EventType) -> bool:
    """Whether an event of a type requires an earlier location update."""
    return kind.value.startswith(("user.exited_", "user.dwelled_"))


def _occasions(run: Run, pattern: ForbiddenEvent) -> Iterator[bool]:
    """Yield for each location update that could cause the event whether it is the first of its device and its user.

    Both its own time and the time that the engine assigned to it are considered.
    """
    body = run.scenario.body
    after, before = body.since_start(pattern.after), body.since_start(pattern.before)
    own = [(each.at, each.device_id, each.user_id) for each in run.occasions]
    given = [(each.at, each.user.device_id, each.user.user_id) for each in run.sent]
    for updates in (own, given):
        seen: set[tuple[str, str]] = set()
        for at, device, user in sorted(updates, key=lambda update: update[0]):
            names = {(kind, name) for kind, name in (("device", device), ("user", user)) if name is not None}
            is_subject = pattern.device_id in (None, device) and pattern.user_id in (None, user)
            if is_subject and _is_between(at, after, before):
                yield seen.isdisjoint(names)
            seen |= names


def _is_between(at: timedelta, after: timedelta | None, before: timedelta | None) -> bool:
    return (after is None or at > after) and (before is None or at < before)


def _of_user(there: SetUp, user: ExpectedUser, way: Way) -> Iterator[tuple[Way, str]]:
    given = set(conditions_of(user))
    if user.geofences == [] and not any(period.geofences for period in there.periods):
        yield (*way, "geofences"), "the scenario has no geofence that is enabled"
    enabled = {key_of(each) for period in there.periods for each in period.geofences}
    if user.not_in and enabled.isdisjoint(user.not_in):
        yield (
            (*way, "notIn"),
            f"{' and '.join(map(str, user.not_in))} {'is' if len(user.not_in) == 1 else 'are'} never enabled",
        )
    if "place" in given and not user.place and (why := obstacles([EventType.ENTERED_PLACE], there)):
        yield (*way, "place"), f"no user can be at a place: {why}"
    if user.trip == "none" and not there.has_trips:
        yield (*way, "trip"), "no trip is started"
