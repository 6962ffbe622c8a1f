"""Reasons why a user entered or left a place or came near a chain, or did not, in the order of the decision."""

from collections.abc import Iterator

from engine.domain.addresses.place import Place
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.event_wording import EventWording
from engine.domain.tracking.updates import EventType, Fix
from engine.domain.tracking.verdicts import About, EventReason, Verdict, because, fires, shown, withheld
from engine.tracking.nearby_chains import NEARBY_CHAIN_M, ChainsStep, ComesNear, is_near_enough
from engine.tracking.place_state import Around, Moved
from engine.tracking.places import MAX_PLACE_ACCURACY_M, PlaceStep, Spot, left_beyond_m

_ENTERED, _EXITED, _NEARBY = EventType.ENTERED_PLACE, EventType.EXITED_PLACE, EventType.NEARBY_PLACE_CHAIN


def place_verdicts(moved: Moved, fix: Fix, settings: ProjectSettings, around: Around) -> Iterator[Verdict]:
    """Yield the verdicts of a fix on places, which are enabled: an exit, an entry, and nearby chains."""
    step, stay = moved.traced.place, moved.before.stay
    if stay is not None:
        yield _exit(moved, step, fix)
    if step is not None and step.entered is not None and step.wanted is not None:
        yield fires(_ENTERED, _about_spot(step.wanted), *_entry_reasons(step.wanted, fix, settings))
    else:
        yield _no_entry(moved, step, fix, settings, around)
    yield from _of_chains(moved, fix, settings)


def _exit(moved: Moved, step: PlaceStep | None, fix: Fix) -> Verdict:
    """Return the verdict on leaving the place of the stay."""
    stay = moved.before.stay
    assert stay is not None
    about = About(stay.place.name, stay.place.id)
    if fix.accuracy_m > MAX_PLACE_ACCURACY_M:
        return withheld(_EXITED, about, _inaccurate(fix, MAX_PLACE_ACCURACY_M))
    if step is None or step.current is None:
        return withheld(_EXITED, about, because(EventWording.PLACE_UNREADABLE))
    current, limit_m = step.current, left_beyond_m(step.current, fix)
    name, limit = stay.place.name, round(limit_m, 1)
    distance = shown(current.distance_m, limit_m)
    if step.left is None:
        return withheld(
            _EXITED, about, because(EventWording.PLACE_NOT_AWAY, place=name, distance=distance, limit=limit)
        )
    if current.distance_m > limit_m:
        return fires(_EXITED, about, because(EventWording.PLACE_AWAY, place=name, distance=distance, limit=limit))
    other = "" if step.stay is None else step.stay.place.name
    return fires(_EXITED, about, because(EventWording.PLACE_TAKEN_OVER, place=other))


def _entry_reasons(spot: Spot, fix: Fix, settings: ProjectSettings) -> tuple[EventReason, ...]:
    confidence, minimum = spot.confidence(fix.accuracy_m), settings.minimum_confidence
    sure = because(EventWording.PLACE_CONFIDENT, confidence=confidence, minimum=minimum)
    return _stopped(fix), _reaches(spot, fix), sure


def _no_entry(moved: Moved, step: PlaceStep | None, fix: Fix, settings: ProjectSettings, around: Around) -> Verdict:
    """Return the verdict on an entry that did not happen, with the first condition that failed."""
    if fix.accuracy_m > MAX_PLACE_ACCURACY_M:
        return withheld(_ENTERED, None, _inaccurate(fix, MAX_PLACE_ACCURACY_M))
    if step is None:
        return withheld(_ENTERED, None, because(EventWording.PLACE_UNREADABLE))
    if not (fix.stopped or fix.foreground):
        return withheld(_ENTERED, None, because(EventWording.PLACE_MOVING))
    if step.first is None:
        lacks = EventWording.PLACE_NONE_NEAR if around.data().areas else EventWording.PLACE_NO_AREA
        return withheld(_ENTERED, None, _stopped(fix), because(lacks))
    if step.wanted is None:
        reason = because(EventWording.PLACE_UNWANTED, place=step.first.place.name)
        return withheld(_ENTERED, _about_spot(step.first), _stopped(fix), _reaches(step.first, fix), reason)
    return _not_taken(moved, step.wanted, fix, settings)


def _not_taken(moved: Moved, spot: Spot, fix: Fix, settings: ProjectSettings) -> Verdict:
    """Return the verdict on a matching place that was not entered.

    Either the confidence is too low, or the user is already at another place.
    """
    about, confidence = _about_spot(spot), spot.confidence(fix.accuracy_m)
    reaches = _stopped(fix), _reaches(spot, fix)
    if confidence < settings.minimum_confidence:
        return withheld(_ENTERED, about, *reaches, _unsure(spot.place, confidence, settings))
    stay = moved.before.stay
    reason = because(EventWording.PLACE_NOT_TAKEN_OVER, place="" if stay is None else stay.place.name)
    return withheld(_ENTERED, about, *reaches, reason)


def _unsure(place: Place, confidence: int, settings: ProjectSettings) -> EventReason:
    minimum = settings.minimum_confidence
    return because(EventWording.PLACE_UNSURE, place=place.name, confidence=confidence, minimum=minimum)


def _stopped(fix: Fix) -> EventReason:
    return because(EventWording.PLACE_STOPPED, state="stopped" if fix.stopped else "in the foreground")


def _reaches(spot: Spot, fix: Fix) -> EventReason:
    name = spot.place.name
    if spot.holds:
        return because(EventWording.PLACE_INSIDE, place=name)
    reach_m = spot.reach_m(fix.accuracy_m)
    distance = shown(spot.distance_m, reach_m)
    return because(EventWording.PLACE_NEAR, place=name, distance=distance, reach=round(reach_m, 1))


def _inaccurate(fix: Fix, limit_m: float) -> EventReason:
    return because(EventWording.INACCURATE, accuracy=fix.accuracy_m, limit=limit_m)


def _about_spot(spot: Spot) -> About:
    return About(spot.place.name, spot.place.id)


# Chains


def _of_chains(moved: Moved, fix: Fix, settings: ProjectSettings) -> Iterator[Verdict]:
    """Yield the verdicts on chains that the user has come near or still is near, or why there are none."""
    chains = moved.traced.chains
    if any(each.type is _NEARBY for each in moved.events) and chains is not None:
        yield from (fires(_NEARBY, _about_near(each), _comes_near(each)) for each in chains.came)
    elif not settings.place_chains:
        yield withheld(_NEARBY, None, because(EventWording.CHAINS_NONE))
    elif not is_near_enough(fix):
        yield withheld(_NEARBY, None, _inaccurate(fix, NEARBY_CHAIN_M))
    elif chains is None:
        yield withheld(_NEARBY, None, because(EventWording.PLACE_UNREADABLE))
    elif chains.came:
        yield withheld(_NEARBY, None, because(EventWording.CHAIN_ANONYMOUS))
    else:
        yield from _not_come_near(chains, settings)


def _not_come_near(chains: ChainsStep, settings: ProjectSettings) -> Iterator[Verdict]:
    for slug in chains.near:
        yield withheld(_NEARBY, About(slug), because(EventWording.CHAIN_STAYS, chain=slug))
    for each in chains.unsure:
        reason = _unsure(each.place, each.confidence, settings)
        yield withheld(_NEARBY, _about_near(each), _comes_near(each), reason)
    if not (chains.near or chains.unsure):
        yield withheld(_NEARBY, None, because(EventWording.CHAIN_FAR, limit=NEARBY_CHAIN_M))


def _comes_near(near: ComesNear) -> EventReason:
    chain = near.place.name if near.place.chain is None else near.place.chain.name
    return because(EventWording.CHAIN_COMES, chain=chain, place=near.place.name, distance=round(near.away_m, 1))


def _about_near(near: ComesNear) -> About:
    return About(near.place.name, near.place.id)
