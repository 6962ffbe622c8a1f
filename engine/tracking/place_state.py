"""Places and regions of a user: previous state, fix and settings determine the new state."""

from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

from msgspec import Struct

from engine.domain.addresses.address import NO_REGIONS, Region, Regions
from engine.domain.addresses.place import Chain, ChainSetting, Place
from engine.domain.geometry import Point
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.updates import (
    NOWHERE,
    ChainSummary,
    ChainVisits,
    EventType,
    Fix,
    InOrder,
    PlaceState,
    PlaceStay,
    User,
)
from engine.domain.values import replace
from engine.tracking.nearby_chains import ChainsAround, ChainsStep, chains_step, is_near_enough, reported_chains
from engine.tracking.places import (
    TOP_CHAINS,
    PlaceStep,
    Spot,
    place_step,
    with_visit,
)
from engine.tracking.regions import is_accurate, region_changes, region_confidence


class Unreadable(Exception):
    """The places and regions around a position could not be read."""


class AroundData(NamedTuple):
    """Available sources of places and regions: the world, the workspace's market areas, any area in use."""

    world: bool = True
    markets: bool = True
    areas: bool = True


class Around(ChainsAround, Protocol):
    """The places and regions around a position. All its methods may raise `Unreadable`."""

    def spots(self, fix: Fix) -> Iterable[Spot]:
        """Return the places that reach a fix, in order of preference."""
        ...

    def spot(self, place: Place, fix: Fix) -> Spot:
        """Return a place as seen from a fix."""
        ...

    def regions(self, point: Point) -> Regions:
        """Return the regions that contain the point."""
        ...

    def place(self, place_id: str) -> Place | None:
        """Return the place with an identifier, or None if it is unknown."""
        ...

    def data(self) -> AroundData:
        """Return the available sources of places and regions. Raises no exception."""
        ...

    def within(self, point: Point, radius_m: float) -> tuple[Place, ...]:
        """Return the places within a distance, with their outlines."""
        ...


class Since(Struct, frozen=True):
    """Versions of the settings since which places and regions have been enabled, or None while they are disabled."""

    places: int | None = None
    regions: int | None = None


OFF: Final = Since()


class PlaceEvent(Struct, frozen=True):
    """An event of a place or a region before it is assigned to a user."""

    type: EventType
    place: Place | None = None
    region: Region | None = None
    confidence: int | None = None
    duration_s: float | None = None
    alternates: tuple[Place, ...] = ()


class Traced(Struct, frozen=True):
    """Intermediate results of a move for its reasons, None if unreadable or not requested."""

    place: PlaceStep | None = None
    chains: ChainsStep | None = None
    are_regions_known: bool = True


UNTRACED: Final = Traced()


class Moved(Struct, frozen=True):
    """Places and regions of a user after a fix, with the events in order. `before` is the state before the fix."""

    after: PlaceState
    events: tuple[PlaceEvent, ...] = ()
    before: PlaceState = NOWHERE
    traced: Traced = UNTRACED


def valid(place_state: PlaceState, since: Since) -> PlaceState:
    """Return the state without data found before places or regions were last enabled."""
    if place_state is NOWHERE:
        return NOWHERE
    found_by = place_state.settings
    if since.places is None or found_by < since.places:
        place_state = replace(place_state, stay=None, near_chains=())
    if place_state.regions != NO_REGIONS and (since.regions is None or found_by < since.regions):
        place_state = replace(place_state, regions=NO_REGIONS)
    return place_state


def begun(state: PlaceState, fix: Fix, in_order: InOrder | None) -> PlaceState:
    """Return a user's state as seen by a fix, with the stay's time corrected as in `engine.tracking.step.begun`."""
    stay = state.stay
    if stay is None or fix.late_after is not None:
        return state
    if stay.entered_at > fix.at or (in_order is not None and not _is_same(stay, in_order.stay)):
        return replace(state, stay=replace(stay, entered_at=fix.at))
    return state


def still_interrupted(
    stay: PlaceStay | None, moved: Moved, fix: Fix, settings: ProjectSettings, around: Around
) -> PlaceStay | None:
    """Return a stay that late updates have ended, if the updates in order would not end it either."""
    if stay is None or moved.after.stay is not None or not settings.places:
        return None
    step = _stepped(stay, fix, settings, around)
    return stay if step is None or step.left is None else None


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
    """Return the effect of a fix.

    `before` is a `valid` state, and `number` is the number of the settings. An `interrupted` stay, which late updates
    have ended, continues if the user is at its place again.

    Disabled features leave only the visit counts of chains in the state, and make no events. Unreadable data is no
    reason to leave a place or region, so that part of the state is kept.
    """
    if not (settings.places or settings.regions):
        return Moved(before if before is NOWHERE else _only_visits(before))
    events: list[PlaceEvent] = []
    stay, visits, regions, near = None, before.visits, NO_REGIONS, before.near_chains
    step: PlaceStep | None = None
    chains: ChainsStep | None = None
    found: Regions | None = None
    if settings.places:
        step = _stepped(before.stay, fix, settings, around)
        stay = before.stay
        if step is not None:
            events += _of_places(step, fix)
            stay = step.stay
        if stay is not None and _is_same(stay, interrupted):
            stay = interrupted
        elif step is not None and step.entered is not None:
            visits = with_visit(visits, step.entered.place.chain)
        if near or settings.place_chains:
            chains = _chains_stepped(near, fix, settings, around)
        if chains is not None:
            near = chains.near
            came = EventType.NEARBY_PLACE_CHAIN
            events += [PlaceEvent(came, each.place, confidence=each.confidence) for each in chains.came]
    if settings.regions:
        found = _regions_found(before.regions, fix, around)
        regions = before.regions if found is None else found
        if regions is not before.regions and regions != before.regions:
            sure = region_confidence(fix)
            changes = region_changes(before.regions, regions)
            events += [PlaceEvent(kind, region=each, confidence=sure) for kind, each in changes]
    traced = Traced(step, chains, found is not None)
    return Moved(PlaceState(stay, regions, visits, number, near), tuple(events), before, traced)


class Seen(Struct, frozen=True):
    """The part of a user's place state that the settings allow to be shown."""

    place: Place | None = None
    regions: Regions = NO_REGIONS
    top_chains: tuple[ChainSummary, ...] = ()


UNSEEN: Final = Seen()


def seen(state: PlaceState, settings: ProjectSettings) -> Seen:
    """Return the part of a `valid` place state that the settings allow to be shown."""
    if state is NOWHERE or not (settings.places or settings.regions):
        return UNSEEN
    return Seen(None if state.stay is None else state.stay.place, state.regions, _top_chains(state, settings))


def chains_near(fix: Fix, settings: ProjectSettings, around: Around) -> tuple[Chain, ...]:
    """Return the chains near a fix that the settings allow, or none while places are disabled."""
    if not settings.places or not is_near_enough(fix):
        return ()
    try:
        return reported_chains(around.chains(fix.point), settings)
    except Unreadable:
        return ()


def visible(user: User, settings: ProjectSettings, since: Since) -> User:
    """Return a stored user with the place, regions and chains that the settings allow to be shown."""
    shown = seen(valid(user.place_state, since), settings)
    if shown is UNSEEN:
        return user
    return replace(user, place=shown.place, regions=shown.regions, top_chains=shown.top_chains)


def _only_visits(before: PlaceState) -> PlaceState:
    return PlaceState(visits=before.visits) if before.visits else NOWHERE


def _stepped(stay: PlaceStay | None, fix: Fix, settings: ProjectSettings, around: Around) -> PlaceStep | None:
    try:
        current = None if stay is None else around.spot(stay.place, fix)
        return place_step(stay, current, around.spots(fix), fix, settings)
    except Unreadable:
        return None


def _chains_stepped(before: tuple[str, ...], fix: Fix, settings: ProjectSettings, around: Around) -> ChainsStep | None:
    try:
        return chains_step(before, fix, settings, around)
    except Unreadable:
        return None


def _regions_found(before: Regions, fix: Fix, around: Around) -> Regions | None:
    """Return the regions after a fix, or the previous ones if it is too inaccurate, or None if they cannot be read."""
    if not is_accurate(fix):
        return before
    try:
        return around.regions(fix.point)
    except Unreadable:
        return None


def _of_places(step: PlaceStep, fix: Fix) -> list[PlaceEvent]:
    events: list[PlaceEvent] = []
    if (left := step.left) is not None:
        lasted_s = fix.lasted_s(left.entered_at)
        events.append(PlaceEvent(EventType.EXITED_PLACE, left.place, None, step.left_confidence, lasted_s))
    if (entered := step.entered) is not None:
        confidence, alternates = step.entered_confidence, step.alternates
        events.append(PlaceEvent(EventType.ENTERED_PLACE, entered.place, None, confidence, alternates=alternates))
    return events


def _top_chains(state: PlaceState, settings: ProjectSettings) -> tuple[ChainSummary, ...]:
    if not settings.places:
        return ()
    own = {chain.slug: chain for chain in settings.chains}
    return tuple(_summary(each, own.get(each.slug)) for each in state.visits[:TOP_CHAINS])


def _summary(visits: ChainVisits, own: ChainSetting | None) -> ChainSummary:
    if own is None:
        return ChainSummary(visits.name, visits.slug)
    return ChainSummary(visits.name, visits.slug, own.external_id, own.metadata, own.domain)
