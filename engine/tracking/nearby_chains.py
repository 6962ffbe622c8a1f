"""Which chains of a project have a place near a user: a pure function of those near before, the fix, and the places."""

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
"""How near a place of a chain is to be nearby."""

AWAY_M: Final = 1_200.0
"""Beyond this a chain is no longer near, so that nobody who goes along the line comes near again and again."""

MAX_NEARBY_CHAINS: Final = 10
"""How many of the chains around a user are told."""


class ChainsAround(Protocol):
    """The chains around a position. Both methods may raise `Unreadable`."""

    def chains(self, point: Point, radius_m: float = NEARBY_CHAIN_M) -> tuple[Chain, ...]:
        """Return the chains that have a place within a distance, give or take 80 m, the nearest first."""
        ...

    def nearest_of_chain(self, point: Point, slug: str) -> NearbyPlace | None:
        """Return the nearest place of a chain, None where it has none around."""
        ...


class ComesNear(NamedTuple):
    """The nearest place of a chain that a user comes near, how sure that is, and how far away it is."""

    place: Place
    confidence: int
    away_m: float


class ChainsStep(Struct, frozen=True):
    """The chains near after a fix, and those of them that were not near before; `unsure` has too little confidence."""

    near: tuple[str, ...]
    came: tuple[ComesNear, ...] = ()
    unsure: tuple[ComesNear, ...] = ()


NO_CHAINS: Final = ChainsStep(())


def chains_step(before: tuple[str, ...], fix: Fix, settings: ProjectSettings, around: ChainsAround) -> ChainsStep:
    """Return what a fix means for a user who is near chains, by their slugs; only those in the settings count."""
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
    """Return the chains that a user comes near, apart from those for which that has too little confidence."""
    found = [each for slug in slugs if (each := _comes_near(slug, fix, settings, around)) is not None]
    came = tuple(each for each in found if each.confidence >= settings.minimum_confidence)
    unsure = tuple(each for each in found if each.confidence < settings.minimum_confidence)
    return came, unsure


def told_chains(found: Iterable[Chain], settings: ProjectSettings) -> tuple[Chain, ...]:
    """Return those of the chains around a user that are told: the project's, all where it names none."""
    wanted = settings.place_chains
    near = (chain for chain in found if not wanted or chain.slug in wanted)
    return tuple(chain_with_setting(chain, settings.chains) for chain in islice(near, MAX_NEARBY_CHAINS))


def is_near_enough(fix: Fix) -> bool:
    """Whether a fix can tell what is near."""
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
