"""The engine's reasons for the presence or absence of events."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

from app.lab.files.words import GeofenceKey, spell_duration
from app.lab.judging.event_reasons import why_that_did_not, why_this_came
from app.lab.running.recording import Happened, Run, Sent, key_of
from engine.domain.tracking.decision import Explanation, Outcome
from engine.domain.tracking.updates import EventType
from engine.tracking.step import EXPLAINED_M

MOST: Final = 3
"""Maximum number of reasons for one event."""

_AROUND: Final = 6
"""Number of location updates around the expected time of an event, of which the most relevant are reported."""

type _Explained = tuple[Sent, Explanation]
_WITHHELD: Final = {
    EventType.ENTERED_GEOFENCE: (Outcome.ENTRY_WITHHELD,),
    EventType.EXITED_GEOFENCE: (Outcome.EXIT_WITHHELD, Outcome.LEAVE_SILENTLY, Outcome.END_SILENTLY),
    EventType.DWELLED_IN_GEOFENCE: (Outcome.DWELL_WITHHELD,),
}


def why_it_came(happened: Happened) -> tuple[str, ...]:
    """Return why an event occurred."""
    sent, event = happened.sent, happened.event
    if found := why_this_came(happened):
        return found
    if sent is None:
        return ("made by a step of the scenario, or by time that passed",)
    if event.geofence is not None:
        wanted = key_of(event.geofence)
        return tuple(_line(sent, each) for each in sent.explanations if key_of(each.geofence) == wanted)
    if event.type == EventType.FAILED_FRAUD and event.fraud is not None:
        failed = sorted(event.fraud.failed)
        return (f"{spell_duration(sent.at)}: failed {', '.join(failed) or 'because the user is blocked'}",)
    return (f"{spell_duration(sent.at)}: made by the location update of that time",)


def why_it_did_not(
    run: Run,
    kind: str,
    geofence: GeofenceKey | None,
    device_id: str | None,
    user_id: str | None,
    at: timedelta | None,
    until: timedelta | None = None,
    about: str | None = None,
) -> tuple[str, ...]:
    """Return the engine's reasons for the absence of an event, around its expected time if it is given.

    `about` names a trip, beacon, place or region. With `until`, later location updates are ignored.
    """
    updates = [sent for sent in run.sent if _is_of(sent, device_id, user_id) and (until is None or sent.at <= until)]
    if at is not None and at > run.end:
        return (f"the scenario ends at {spell_duration(run.end)}",)
    if not updates:
        whose = device_id or user_id
        return (f"{whose} sent no location update" if whose else "no device sent a location update",)
    if geofence is None and kind not in _WITHHELD:
        return why_that_did_not(updates, kind, about, at)
    return _why_geofences_did_not(updates, kind, geofence, at)


def _why_geofences_did_not(
    updates: Sequence[Sent], kind: str, geofence: GeofenceKey | None, at: timedelta | None
) -> tuple[str, ...]:
    """Return the rules' reasons for a missing event of a geofence, or of any."""
    explained = [
        (sent, each) for sent in updates for each in sent.explanations if geofence in (None, key_of(each.geofence))
    ]
    if not explained:
        return (f"no location update came within {EXPLAINED_M:g} m of {geofence or 'a geofence'}",)
    if at is not None:
        explained = sorted(explained, key=lambda each: abs(each[0].at - at))[:_AROUND]
    order = _telling(kind)
    best = min(order(each)[0] for each in explained)
    telling = sorted((each for each in explained if order(each)[0] == best), key=order)[:MOST]
    telling.sort(key=lambda each: each[0].at)
    return tuple(_line(sent, each, names=geofence is None) for sent, each in telling)


def _is_of(sent: Sent, device_id: str | None, user_id: str | None) -> bool:
    return device_id in (None, sent.user.device_id) and user_id in (None, sent.user.user_id)


def _telling(kind: str) -> Callable[[_Explained], tuple[int, float]]:
    """Return the sort key of explanations: those that withheld the event first, then the nearest to causing it."""
    withheld = next((outcomes for event, outcomes in _WITHHELD.items() if event == kind), ())

    def order(explained: _Explained) -> tuple[int, float]:
        sent, each = explained
        if each.outcome in withheld:
            return 0, abs(each.distance_m)
        if kind == EventType.DWELLED_IN_GEOFENCE:
            return (1 if each.outcome is Outcome.STAY_INSIDE else 2), -sent.at.total_seconds()
        return 1, each.distance_m if kind == EventType.ENTERED_GEOFENCE else -each.distance_m

    return order


def _line(sent: Sent, explanation: Explanation, *, names: bool = False) -> str:
    about = f"{key_of(explanation.geofence)}: " if names else ""
    return f"{spell_duration(sent.at)}: {about}{explanation.text}"
