"""Actual and expected states of users and trips."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from app.lab.files.expectations import ExpectedUser
from app.lab.files.faults import Way
from app.lab.files.words import GeofenceKey, spell_duration
from app.lab.judging.event_reasons import EVENT_OF_STATUS
from app.lab.judging.reasons import why_it_did_not
from app.lab.running.recording import Run, Standing
from engine.domain.tracking.trips import TripStatus
from engine.domain.tracking.updates import EventType

type Difference = tuple[Way, str, tuple[str, ...]]


def judge_users(run: Run) -> Iterator[Difference]:
    """Yield the differences of users who are not where they were expected."""
    by_name = _by_name(run.standings)
    for index, expected in enumerate(run.scenario.body.expect.users):
        named = by_name.get(("device", expected.device_id)) or by_name.get(("user", expected.user_id), [])
        own = [each for each in named if _is_of(each, expected)]
        until = run.end
        limit = expected.within if expected.at is None else expected.at
        if limit is not None:
            until = run.since_start(limit)
        known = [each for each in own if each.at <= until]
        if expected.within is not None and any(not _differing(expected, each) for each in known):
            continue
        when = (
            "at the end"
            if limit is None
            else f"{'at' if expected.within is None else 'within'} {spell_duration(until)}"
        )
        whose = expected.device_id or expected.user_id
        way: Way = ("expect", "users", index)
        if not known:
            yield way, f"{whose} {when}: sent no location update until then", ()
            continue
        if differing := _differing(expected, known[-1]):
            reasons = _reasons(run, expected, known[-1], until)
            yield way, f"{whose} {when}: {'; '.join(differing)}", reasons


def _by_name(standings: Iterable[Standing]) -> dict[tuple[str, str | None], list[Standing]]:
    found: dict[tuple[str, str | None], list[Standing]] = {}
    for each in standings:
        for name in (("device", each.user.device_id), ("user", each.user.user_id)):
            found.setdefault(name, []).append(each)
    return found


def judge_trips(run: Run) -> Iterator[Difference]:
    """Yield the differences of trips that do not have the expected status."""
    for index, expected in enumerate(run.scenario.body.expect.trips):
        status = run.trips.get(expected.external_id)
        if status != expected.status:
            found = "the trip was never started" if status is None else f"it is {status}"
            text = f"trip {expected.external_id}: expected to be {expected.status}, but {found}"
            kind = EVENT_OF_STATUS.get(TripStatus(expected.status))
            reasons = why_it_did_not(run, kind, None, None, None, None, about=expected.external_id) if kind else ()
            yield ("expect", "trips", index), text, reasons


def _is_of(standing: Standing, expected: ExpectedUser) -> bool:
    user = standing.user
    return expected.device_id in (None, user.device_id) and expected.user_id in (None, user.user_id)


def _differing(expected: ExpectedUser, standing: Standing) -> list[str]:
    found, there = [], standing.geofences
    if expected.geofences is not None and set(expected.geofences) != there:
        only = "only " if there > set(expected.geofences) != set() else ""
        found.append(f"expected {only}in {_names(expected.geofences)}, but in {_names(there)}")
    if expected.in_geofences is not None and (lacking := set(expected.in_geofences) - there):
        found.append(f"expected in {_names(lacking)}, but in {_names(there)}")
    if expected.not_in is not None and (wrong := set(expected.not_in) & there):
        found.append(f"expected not to be in {_names(wrong)}")
    if expected.place is not None and expected.place not in (standing.place or ("",)):
        at = "no place" if standing.place is None else standing.place[1]
        found.append(f"expected at {expected.place or 'no place'}, but at {at}")
    if expected.trip is not None and expected.trip != (standing.trip or "none"):
        found.append(_trip(expected.trip, standing.trip))
    return found


def _trip(expected: str, status: str | None) -> str:
    if expected == "none":
        return f"expected to be on no trip, but on one that is {status}"
    return f"expected on a trip that is {expected}, but {'on none' if status is None else f'it is {status}'}"


def _reasons(run: Run, expected: ExpectedUser, standing: Standing, at: timedelta) -> tuple[str, ...]:
    """Return why the user is not in the first expected geofence, or still in one that was not expected.

    If the geofences are as expected, return why the user is not at the place or on the trip.
    """
    wanted = {*(expected.geofences or ()), *(expected.in_geofences or ())}
    lacking = sorted(wanted - standing.geofences, key=str)
    unwanted = set(expected.not_in or ()) & standing.geofences
    if expected.geofences is not None:
        unwanted |= standing.geofences - set(expected.geofences)
    kinds = [(EventType.ENTERED_GEOFENCE, key) for key in lacking]
    kinds += [(EventType.EXITED_GEOFENCE, key) for key in sorted(unwanted, key=str)]
    for kind, key in kinds[:1]:
        return why_it_did_not(run, kind, key, expected.device_id, expected.user_id, at, until=at)
    for other in _other_kinds(expected, standing):
        about = expected.place if other == EventType.ENTERED_PLACE else None
        return why_it_did_not(run, other, None, expected.device_id, expected.user_id, at, until=at, about=about)
    return ()


def _other_kinds(expected: ExpectedUser, standing: Standing) -> Iterator[str]:
    """Yield the events that would have led to the expected place and trip of a user."""
    if expected.place is not None and expected.place not in (standing.place or ("",)):
        yield EventType.ENTERED_PLACE if expected.place else EventType.EXITED_PLACE
    if expected.trip is not None and expected.trip != (standing.trip or "none"):
        yield EventType.STOPPED_TRIP if expected.trip == "none" else EVENT_OF_STATUS[TripStatus(expected.trip)]


def _names(keys: Iterable[GeofenceKey]) -> str:
    return ", ".join(sorted(map(str, keys))) or "no geofence"
