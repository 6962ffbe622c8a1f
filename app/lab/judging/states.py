"""Where users and trips are, and where they were expected."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from app.lab.files.expectations import ExpectedUser
from app.lab.files.faults import Way
from app.lab.files.words import GeofenceKey, spell_duration
from app.lab.judging.patterns import since_start
from app.lab.judging.reasons import why_it_did_not
from app.lab.running.recording import Run, Standing
from engine.domain.tracking.updates import EventType

type Difference = tuple[Way, str, tuple[str, ...]]


def judge_users(run: Run) -> Iterator[Difference]:
    """Yield each user who is not where they were expected."""
    for index, expected in enumerate(run.scenario.body.expect.users):
        mine = [each for each in run.standings if _is_of(each, expected)]
        until = run.end
        limit = expected.within if expected.at is None else expected.at
        if limit is not None:
            until = since_start(limit, run)
        known = [each for each in mine if each.at <= until]
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
            yield way, f"{whose} {when}: the user is not known by then", ()
            continue
        if differing := _differing(expected, known[-1]):
            reasons = _reasons(run, expected, known[-1], until)
            yield way, f"{whose} {when}: {'; '.join(differing)}", reasons


def judge_trips(run: Run) -> Iterator[Difference]:
    """Yield each trip that has not come as far as expected."""
    for index, expected in enumerate(run.scenario.body.expect.trips):
        status = run.trips.get(expected.external_id)
        if status != expected.status:
            have = "there is no such trip" if status is None else f"is {status}"
            yield ("expect", "trips", index), f"trip {expected.external_id}: {have}, not {expected.status}", ()


def _is_of(standing: Standing, expected: ExpectedUser) -> bool:
    return expected.device_id in (None, standing.device_id) and expected.user_id in (None, standing.user_id)


def _differing(expected: ExpectedUser, standing: Standing) -> list[str]:
    found = []
    if expected.geofences is not None and set(expected.geofences) != standing.geofences:
        found.append(f"in {_names(standing.geofences)}, not in {_names(expected.geofences)}")
    if expected.in_geofences is not None and (lacking := set(expected.in_geofences) - standing.geofences):
        found.append(f"in {_names(standing.geofences)}, not in {_names(lacking)}")
    if expected.not_in is not None and (wrong := set(expected.not_in) & standing.geofences):
        found.append(f"in {_names(wrong)}")
    if expected.place is not None and expected.place not in (standing.place or ("",)):
        at = "no place" if standing.place is None else standing.place[1]
        found.append(f"at {at}, not at {expected.place or 'none'}")
    if expected.trip is not None and expected.trip != (standing.trip or "none"):
        found.append(f"the trip is {standing.trip or 'none'}, not {expected.trip}")
    return found


def _reasons(run: Run, expected: ExpectedUser, standing: Standing, at: timedelta) -> tuple[str, ...]:
    """Return why the user is not in the first geofence that was expected, or still in one that was not."""
    wanted = {*(expected.geofences or ()), *(expected.in_geofences or ())}
    lacking = sorted(wanted - standing.geofences, key=str)
    unwanted = set(expected.not_in or ()) & standing.geofences
    if expected.geofences is not None:
        unwanted |= standing.geofences - set(expected.geofences)
    kinds = [(EventType.ENTERED_GEOFENCE, key) for key in lacking]
    kinds += [(EventType.EXITED_GEOFENCE, key) for key in sorted(unwanted, key=str)]
    for kind, key in kinds[:1]:
        return why_it_did_not(run, kind, key, expected.device_id, expected.user_id, at)
    return ()


def _names(keys: Iterable[GeofenceKey]) -> str:
    return ", ".join(sorted(map(str, keys))) or "no geofence"
