"""Chains of a project with a place near a user, as a pure function of the previous chains, the fix, and the places."""

from collections.abc import Iterable
from itertools import islice
from typing import Final, NamedTuple, Protocol

from msgspec import Struct

from engine.domain.addresses.place import Chain, NearbyPlace, Place
from engine.domain.geometry import Point
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.updates import Confidence, Fix
from engine.tracking.places import chain_with_setting, with_setting

NEARBY_CHAIN_M: Final = 1_000.0
"""Distance in metres within which a place of a chain counts as nearby."""

AWAY_M: Final = 1_200.0
"""Distance in metres beyond which a chain is no longer nearby.

The gap to `NEARBY_CHAIN_M` prevents repeated events for a user who moves along that limit.
"""

MAX_NEARBY_CHAINS: Final = 10
"""Maximum number of reported chains around a user."""


class ChainsAround(Protocol):
    """The chains around a position. Both methods may raise `Unreadable`."""

    def chains(self, point: Point, radius_m: float = NEARBY_CHAIN_M) -> tuple[Chain, ...]:
        """Return the chains with a place within a distance, accurate to 80 m, nearest first."""
        ...

    def nearest_of_chain(self, point: Point, slug: str) -> NearbyPlace | None:
        """Return the nearest place of a chain, or None if it has no place nearby."""
        ...


class ComesNear(NamedTuple):
    """The nearest place of a chain that a user comes near, with confidence and distance."""

    place: Place
    confidence: int
    away_m: float


class ChainsStep(Struct, frozen=True):
    """The chains nearby after a fix, and the newly nearby ones. `unsure` are those with too little confidence."""

    near: tuple[str, ...]
    came: tuple[ComesNear, ...] = ()
    unsure: tuple[ComesNear, ...] = ()


NO_CHAINS: Final = ChainsStep(())


def chains_step(before: tuple[str, ...], fix: Fix, settings: ProjectSettings, around: ChainsAround) -> ChainsStep:
    """Return the effect of a fix on the nearby chains, given by slug. Only chains in the settings count."""
    wanted = frozenset(settings.place_chains)
    if not wanted:
        return NO_CHAINS
    still = [slug for slug in before if slug in wanted]
    if not is_near_enough(fix):
        return ChainsStep(tuple(still))
    here = [chain.slug for chain in around.chains(fix.point) if chain.slug in wanted]
    if any(slug not in here for slug in still):
        reached = {chain.slug for chain in around.chains(fix.point, AWAY_M)}
        still = [slug for slug in still if slug in reached]
    came, unsure = _coming_near([slug for slug in here if slug not in still], fix, settings, around)
    return ChainsStep((*still, *(each.place.chain.slug for each in came if each.place.chain)), came, unsure)


def _coming_near(
    slugs: Iterable[str], fix: Fix, settings: ProjectSettings, around: ChainsAround
) -> tuple[tuple[ComesNear, ...], tuple[ComesNear, ...]]:
    """Return the chains that a user comes near, and separately those with too little confidence."""
    found = [each for slug in slugs if (each := _comes_near(slug, fix, settings, around)) is not None]
    came = tuple(each for each in found if each.confidence >= settings.minimum_confidence)
    unsure = tuple(each for each in found if each.confidence < settings.minimum_confidence)
    return came, unsure


def reported_chains(found: Iterable[Chain], settings: ProjectSettings) -> tuple[Chain, ...]:
    """Return the reported chains around a user: those in the settings, or all if the settings name none."""
    wanted = settings.place_chains
    near = (chain for chain in found if not wanted or chain.slug in wanted)
    return tuple(chain_with_setting(chain, settings.chains) for chain in islice(near, MAX_NEARBY_CHAINS))


def is_near_enough(fix: Fix) -> bool:
    """Return whether a fix is accurate enough to determine nearby chains."""
    return fix.accuracy_m <= NEARBY_CHAIN_M


def _comes_near(slug: str, fix: Fix, settings: ProjectSettings, around: ChainsAround) -> ComesNear | None:
    found = around.nearest_of_chain(fix.point, slug)
    if found is None:
        return None
    confidence = _confidence(found.distance_m, fix.accuracy_m)
    return ComesNear(with_setting(found.place, settings.chains), confidence, found.distance_m)


def _confidence(distance_m: float, accuracy_m: float) -> int:
    if distance_m > NEARBY_CHAIN_M:
        return Confidence.LOW
    return Confidence.HIGH if distance_m + accuracy_m <= NEARBY_CHAIN_M else Confidence.MEDIUM
