"""Places and regions of a user, update by update: the state before, a fix and the settings make the state after."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, Protocol

from engine.domain.addresses.address import NO_REGIONS, Region, Regions, RegionType
from engine.domain.addresses.place import Chain, ChainSetting, Place
from engine.domain.geometry import Point
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.updates import (
    NOWHERE,
    ChainSummary,
    EventType,
    Fix,
    InOrder,
    PlaceState,
    PlaceStay,
    User,
)
from engine.domain.values.dataclass import dataclass
from engine.tracking.nearby_chains import ChainsAround, ChainsStep, chains_step, is_near_enough, told_chains
from engine.tracking.places import (
    MAX_PLACE_ACCURACY_M,
    TOP_CHAINS,
    PlaceStep,
    Spot,
    is_wanted,
    place_step,
    with_visit,
)
from engine.tracking.regions import ENTERED, MAX_REGION_ACCURACY_M, is_accurate, region_changes, region_confidence


class Unreadable(Exception):
    """The places and regions around a position could not be read."""


class Around(ChainsAround, Protocol):
    """The places and regions around a position. All its methods may raise `Unreadable`."""

    def spots(self, fix: Fix) -> Iterable[Spot]:
        """Return the places that reach a fix, in the order in which they are preferred."""
        ...

    def spot(self, place: Place, fix: Fix) -> Spot:
        """Return a place as a fix sees it."""
        ...

    def regions(self, point: Point) -> Regions:
        """Return the regions that hold it."""
        ...

    def place(self, place_id: str) -> Place | None:
        """Return the place with an identifier, None where there is none."""
        ...

    def within(self, point: Point, radius_m: float) -> tuple[Place, ...]:
        """Return the places within a distance, with their outlines."""
        ...


@dataclass(frozen=True, slots=True)
class Since:
    """The numbers of the settings since which places and regions have been on; None while they are off."""

    places: int | None = None
    regions: int | None = None


OFF: Final = Since()


@dataclass(frozen=True, slots=True)
class Happening:
    """An event of a place or of a region, before it is one of a user."""

    type: EventType
    place: Place | None = None
    region: Region | None = None
    confidence: int | None = None
    duration_s: float | None = None
    alternates: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Moved:
    """Places and regions of a user after a fix, and what happened, in order."""

    after: PlaceState
    happenings: tuple[Happening, ...] = ()


def valid(place_state: PlaceState, since: Since) -> PlaceState:
    """Return what still counts: what was found before places or regions were last switched on does not."""
    if place_state is NOWHERE:
        return NOWHERE
    found_by = place_state.settings
    if since.places is None or found_by < since.places:
        place_state = replace(place_state, stay=None, near_chains=())
    if place_state.regions != NO_REGIONS and (since.regions is None or found_by < since.regions):
        place_state = replace(place_state, regions=NO_REGIONS)
    return place_state


def begun(where: PlaceState, fix: Fix, in_order: InOrder | None) -> PlaceState:
    """Return where a user is as a fix sees it; the time of the stay is corrected as in `engine.tracking.step.begun`."""
    stay = where.stay
    if stay is None or fix.late_after is not None:
        return where
    if stay.entered_at > fix.at or (in_order is not None and not _is_same(stay, in_order.stay)):
        return replace(where, stay=replace(stay, entered_at=fix.at))
    return where


def still_interrupted(
    stay: PlaceStay | None, moved: Moved, fix: Fix, settings: ProjectSettings, around: Around
) -> PlaceStay | None:
    """Return a stay that late updates have ended, while the updates in order would not end it either."""
    if stay is None or moved.after.stay is not None or not settings.places:
        return None
    return stay if _stepped(stay, fix, settings, around).left is None else None


def _is_same(stay: PlaceStay, other: PlaceStay | None) -> bool:
    return other is not None and other.place.id == stay.place.id


def move(
    before: PlaceState,
    fix: Fix,
    settings: ProjectSettings,
    number: int,
    around: Around,
    interrupted: PlaceStay | None = None,
) -> Moved:
    """Return what a fix changes; `before` is what is `valid`, `number` that of the settings.

    An `interrupted` stay, which late updates have ended, continues if the user is at its place again.

    What is off leaves nothing behind but how often chains were visited, and makes no event. What could not be read is
    no reason to have left anything: that stays as it was.
    """
    if not (settings.places or settings.regions):
        return Moved(before if before is NOWHERE else _only_visits(before))
    happenings: list[Happening] = []
    stay, visits, regions, near = None, before.visits, NO_REGIONS, before.near_chains
    if settings.places:
        step = _stepped(before.stay, fix, settings, around)
        happenings += _of_places(step, fix)
        stay = step.stay
        if stay is not None and _is_same(stay, interrupted):
            stay = interrupted
        elif step.entered is not None:
            visits = with_visit(visits, step.entered.place.chain)
        if near or settings.place_chains:
            chains = _chains_stepped(near, fix, settings, around)
            near = chains.near
            came = EventType.NEARBY_PLACE_CHAIN
            happenings += [Happening(came, each.place, confidence=each.confidence) for each in chains.came]
    if settings.regions:
        regions = _regions_after(before.regions, fix, around)
        if regions is not before.regions and regions != before.regions:
            sure = region_confidence(fix)
            changes = region_changes(before.regions, regions)
            happenings += [Happening(kind, region=each, confidence=sure) for kind, each in changes]
    return Moved(PlaceState(stay, regions, visits, number, near), tuple(happenings))


@dataclass(frozen=True, slots=True)
class Seen:
    """The part of a user's place state that the settings show."""

    place: Place | None = None
    regions: Regions = NO_REGIONS
    top_chains: tuple[ChainSummary, ...] = ()


UNSEEN: Final = Seen()


def seen(where: PlaceState, settings: ProjectSettings) -> Seen:
    """Return what the settings let see of where a user is; `where` is what is `valid`."""
    if where is NOWHERE or not (settings.places or settings.regions):
        return UNSEEN
    return Seen(None if where.stay is None else where.stay.place, where.regions, _top_chains(where, settings))


def chains_near(fix: Fix, settings: ProjectSettings, around: Around) -> tuple[Chain, ...]:
    """Return the chains near a fix that the settings let pass; none while places are off."""
    if not settings.places or not is_near_enough(fix):
        return ()
    try:
        return told_chains(around.chains(fix.point), settings)
    except Unreadable:
        return ()


def visible(user: User, settings: ProjectSettings, since: Since) -> User:
    """Return a stored user with what the settings let see of where they are."""
    shown = seen(valid(user.place_state, since), settings)
    if shown is UNSEEN:
        return user
    return replace(user, place=shown.place, regions=shown.regions, top_chains=shown.top_chains)


def place_reason(moved: Moved, fix: Fix, settings: ProjectSettings, around: Around) -> str:
    """Return a sentence that says at which place a user is after a fix, or why they are at none, and which chains are
    near.
    """
    said = [_stay_reason(moved, fix, settings, around), *_chain_reasons(moved)]
    return "; ".join(said)


def _chain_reasons(moved: Moved) -> list[str]:
    came = [each.place.chain for each in moved.happenings if each.type is EventType.NEARBY_PLACE_CHAIN and each.place]
    named = [chain.name for chain in came if chain is not None]
    new = {chain.slug for chain in came if chain is not None}
    still = [slug for slug in moved.after.near_chains if slug not in new]
    return [f"{what} {', '.join(names)}" for what, names in (("comes near", named), ("is still near", still)) if names]


def _stay_reason(moved: Moved, fix: Fix, settings: ProjectSettings, around: Around) -> str:
    if (stay := moved.after.stay) is not None:
        entered = any(each.type is EventType.ENTERED_PLACE for each in moved.happenings)
        return f"{'enters' if entered else 'is still at'} {stay.place.name}"
    left = next((each.place for each in moved.happenings if each.type is EventType.EXITED_PLACE), None)
    return "at no place: " + (f"left {left.name}; " if left is not None else "") + _why_none(fix, settings, around)


def region_reason(moved: Moved, fix: Fix) -> str:
    """Return a sentence that says which regions a fix enters and leaves, or in which the user stays, and why."""
    changed = [each for each in moved.happenings if each.region is not None]
    entered = _named(each.region for each in changed if each.type in ENTERED.values())
    left = _named(each.region for each in changed if each.type not in ENTERED.values())
    if changed:
        return "; ".join([f"leaves {left}"] * bool(left) + [f"enters {entered}"] * bool(entered))
    here = _named(moved.after.regions.all)
    if not is_accurate(fix):
        why = f"the accuracy of {fix.accuracy_m:g} m is above {MAX_REGION_ACCURACY_M:g} m"
        return f"{f'still in {here}' if here else 'in no region'}: {why}"
    return f"still in {here}" if here else "in no region: none contains the location"


_REGION_WORDS: Final = {RegionType.POSTAL_CODE: "postal code", RegionType.DMA: "market area"}


def _named(regions: Iterable[Region | None]) -> str:
    return ", ".join(f"{_REGION_WORDS.get(each.type, each.type)} {each.name}" for each in regions if each is not None)


def _why_none(fix: Fix, settings: ProjectSettings, around: Around) -> str:
    if fix.accuracy_m > MAX_PLACE_ACCURACY_M:
        return f"the accuracy of {fix.accuracy_m:g} m is above {MAX_PLACE_ACCURACY_M:g} m"
    try:
        spots = list(around.spots(fix))
    except Unreadable:
        return "nearby places could not be read"
    if not spots:
        return "no place is close enough"
    wanted = next((spot for spot in spots if is_wanted(spot.place, settings)), None)
    if wanted is None:
        return f"{spots[0].place.name} is not in the chains and categories of the settings"
    if not (fix.stopped or fix.foreground):
        return f"near {wanted.place.name}, but neither stopped nor in the foreground"
    confidence = wanted.confidence(fix.accuracy_m)
    return f"near {wanted.place.name}, but the confidence {confidence} is below {settings.minimum_confidence}"


def _only_visits(before: PlaceState) -> PlaceState:
    return PlaceState(visits=before.visits) if before.visits else NOWHERE


def _stepped(stay: PlaceStay | None, fix: Fix, settings: ProjectSettings, around: Around) -> PlaceStep:
    try:
        current = None if stay is None else around.spot(stay.place, fix)
        return place_step(stay, current, around.spots(fix), fix, settings)
    except Unreadable:
        return PlaceStep(stay)


def _chains_stepped(before: tuple[str, ...], fix: Fix, settings: ProjectSettings, around: Around) -> ChainsStep:
    try:
        return chains_step(before, fix, settings, around)
    except Unreadable:
        return ChainsStep(before)


def _regions_after(before: Regions, fix: Fix, around: Around) -> Regions:
    if not is_accurate(fix):
        return before
    try:
        return around.regions(fix.point)
    except Unreadable:
        return before


def _of_places(step: PlaceStep, fix: Fix) -> list[Happening]:
    happenings: list[Happening] = []
    if (left := step.left) is not None:
        lasted_s = fix.lasted_s(left.entered_at)
        happenings.append(Happening(EventType.EXITED_PLACE, left.place, None, step.left_confidence, lasted_s))
    if (entered := step.entered) is not None:
        confidence, alternates = step.entered_confidence, step.alternates
        happenings.append(Happening(EventType.ENTERED_PLACE, entered.place, None, confidence, alternates=alternates))
    return happenings


def _top_chains(where: PlaceState, settings: ProjectSettings) -> tuple[ChainSummary, ...]:
    if not settings.places:
        return ()
    return tuple(
        ChainSummary(each.name, each.slug, _external_id(each.slug, settings.chains))
        for each in where.visits[:TOP_CHAINS]
    )


def _external_id(slug: str, chains: tuple[ChainSetting, ...]) -> str | None:
    return next((chain.external_id for chain in chains if chain.slug == slug), None)
