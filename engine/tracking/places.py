"""At which place a user is: a pure function of where they were, the fix, and the places around it.

A place holds a fix inside its outline. It reaches a fix as far as the accuracy goes beyond its outline, or, where it is
only a point, 50 m and the accuracy. A user is at one place at a time. At the point of a shop in an apartment building
they are in the shop: such a point goes before an outline that other places are in.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain as chained
from itertools import islice
from typing import Final, NamedTuple

from msgspec import Struct

from engine.domain.addresses.place import AT_PLACE_M, Chain, ChainSetting, Place
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.updates import ChainVisits, Confidence, Fix, PlaceStay
from engine.domain.values import replace

MAX_PLACE_ACCURACY_M: Final = 100.0
"""A fix less accurate than this changes nothing about places."""

MARGIN_M: Final = 25.0
"""How much farther than a place reaches a user has to be to have left it."""

TAKE_OVER_M: Final = 10.0
"""How much nearer another place is at least to take over; more where the accuracy is worse."""

AT_POINT_M: Final = 15.0
"""How near its point a place goes before what it is in; half the accuracy where that is more."""

ROOMY: Final = frozenset(
    [
        *("residence", "college-university", "shopping-mall", "parking", "public-building", "company-office"),
        *("airport", "train-station", "bus-station", "event-venue", "food-court", "market", "business-center"),
        *("park", "plaza", "garden", "motorway-exit-services"),
    ]
)
"""Categories of what other places are in."""

VISITED: Final = frozenset(
    [
        *("arts-entertainment", "community-government", "education", "finance", "food-beverage", "health-medicine"),
        *("hotel-lodging", "shopping-retail", "spa-beauty-personal-care", "sports-recreation"),
    ]
)
"""General categories of what people go into; what belongs to a chain is such, too."""

_NO_ROOM: Final = frozenset({"artwork", "memorial", "monument", "information-board", "atm", "payment-terminal"})
"""Categories of things that stand somewhere, which nobody is in."""

MAX_VISITED: Final = 100
"""How many chains of a user are counted; those visited least are forgotten."""

TOP_CHAINS: Final = 5

MAX_ALTERNATES: Final = 5
"""How many other places an entry names."""


class Spot(NamedTuple):
    """A place as a fix sees it.

    `distance_m` is to its outline, 0 inside, or to its point; `depth_m` how far inside the outline the fix is;
    `size_m2` the area of the outline, None for a point.
    """

    place: Place
    distance_m: float
    depth_m: float = 0.0
    size_m2: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the fix is inside the outline."""
        return self.size_m2 is not None and self.distance_m <= 0

    @property
    def is_roomy(self) -> bool:
        """Whether it is an outline that other places are in, such as an apartment building or a mall."""
        return self.size_m2 is not None and is_roomy(self.place)

    def is_inside(self, accuracy_m: float, margin_m: float = 0.0) -> bool:
        """Whether a fix is so near the point of a shop or the like that it goes before what that is in."""
        near_m = near_point_m(accuracy_m) + margin_m
        return self.size_m2 is None and self.distance_m <= near_m and is_visited(self.place)

    def reach_m(self, accuracy_m: float) -> float:
        """Return how far the place reaches a fix."""
        return accuracy_m if self.size_m2 is not None else AT_PLACE_M + accuracy_m

    def confidence(self, accuracy_m: float) -> int:
        """Return how sure it is that somebody there is at the place."""
        if self.size_m2 is not None:
            if not self.holds:
                return Confidence.LOW
            return Confidence.HIGH if self.depth_m >= accuracy_m else Confidence.MEDIUM
        if self.distance_m > AT_PLACE_M:
            return Confidence.LOW
        return Confidence.HIGH if self.distance_m + accuracy_m <= AT_PLACE_M else Confidence.MEDIUM


class PlaceStep(Struct, frozen=True):
    """The stay after a fix, and what of it is new: a place that was left, a place that was entered.

    `alternates` are other places that the fix of an entry would fit, the best first. The rest is what was seen on the
    way, for the reasons: `current` is where the stay is, `first` the first place that reaches the fix, and `wanted` the
    first of those that the settings let make events.
    """

    stay: PlaceStay | None
    left: PlaceStay | None = None
    left_confidence: int = Confidence.HIGH
    entered_confidence: int | None = None
    alternates: tuple[Place, ...] = ()
    current: Spot | None = None
    first: Spot | None = None
    wanted: Spot | None = None

    @property
    def entered(self) -> PlaceStay | None:
        """The stay, where it is new."""
        return None if self.entered_confidence is None else self.stay


def place_step(
    stay: PlaceStay | None, current: Spot | None, spots: Iterable[Spot], fix: Fix, settings: ProjectSettings
) -> PlaceStep:
    """Return what a fix means for a user who is at a place, or at none.

    `current` is the spot of the stay's place, None where there is no stay; `spots` are the places that reach the fix,
    the smallest that holds it first, and after those that hold it the nearest; see `NearbyCache.spots`.
    """
    if fix.accuracy_m > MAX_PLACE_ACCURACY_M:
        return PlaceStep(stay)
    away = current is not None and current.distance_m > left_beyond_m(current, fix)
    first: Spot | None = None
    best: Spot | None = None
    wanted: Iterator[Spot] = iter(())
    if fix.stopped or fix.foreground:
        reaching = iter(spots)
        if (first := next(reaching, None)) is not None:
            wanted = (spot for spot in chained((first,), reaching) if is_wanted(spot.place, settings))
        best = next(wanted, None)
    way = _Way(current, first, best)
    if best is not None and best.confidence(fix.accuracy_m) < settings.minimum_confidence:
        best = None
    if stay is None or current is None:
        return way.step(None) if best is None else _entered(best, wanted, fix, settings, way)
    if best is not None and best.place.id != stay.place.id and (away or _takes_over(best, current, fix)):
        step = _entered(best, wanted, fix, settings, way)
        certain = Confidence.HIGH if away else step.entered_confidence or Confidence.LOW
        return replace(step, left=stay, left_confidence=certain)
    return way.step(None, left=stay) if away else way.step(stay)


def left_beyond_m(spot: Spot, fix: Fix) -> float:
    """Return how far from a place its user has left it."""
    return spot.reach_m(fix.accuracy_m) + MARGIN_M


class _Way(NamedTuple):
    """What a decision has seen: where the stay is, the first place that reaches the fix, and the first wanted one."""

    current: Spot | None
    first: Spot | None
    wanted: Spot | None

    def step(self, stay: PlaceStay | None, left: PlaceStay | None = None) -> PlaceStep:
        """Return a step that enters no place."""
        return PlaceStep(stay, left, current=self.current, first=self.first, wanted=self.wanted)


def is_wanted(place: Place, settings: ProjectSettings) -> bool:
    """Whether the settings let a place make events."""
    chains, categories = settings.place_chains, settings.place_categories
    if not chains and not categories:
        return True
    wanted_chains, wanted_categories = _wanted(chains, categories)
    if place.chain is not None and place.chain.slug in wanted_chains:
        return True
    return not wanted_categories.isdisjoint(place.categories)


def near_point_m(accuracy_m: float) -> float:
    """Return how near its point a place goes before what it is in."""
    return max(AT_POINT_M, accuracy_m / 2)


def is_roomy(place: Place) -> bool:
    """Whether other places are in a place."""
    return not ROOMY.isdisjoint(place.categories)


def is_visited(place: Place) -> bool:
    """Whether people go into a place, as they go into a shop."""
    if is_roomy(place) or not _NO_ROOM.isdisjoint(place.categories):
        return False
    return place.chain is not None or not VISITED.isdisjoint(place.categories)


def with_setting(place: Place, chains: tuple[ChainSetting, ...]) -> Place:
    """Return a place whose chain has the project's own ID and metadata."""
    if place.chain is None or not chains:
        return place
    chain = chain_with_setting(place.chain, chains)
    return place if chain is place.chain else replace(place, chain=chain)


def chain_with_setting(chain: Chain, chains: tuple[ChainSetting, ...]) -> Chain:
    """Return a chain with the project's own ID and metadata."""
    setting = _by_slug(chains).get(chain.slug) if chains else None
    return chain if setting is None else Chain(chain.name, chain.slug, setting.external_id, setting.metadata)


def with_visit(visits: tuple[ChainVisits, ...], chain: Chain | None) -> tuple[ChainVisits, ...]:
    """Return how often chains were visited after another visit, most often first."""
    if chain is None:
        return visits
    count = next((each.count for each in visits if each.slug == chain.slug), 0) + 1
    # Who was visited last stays before others with the same count.
    others = [ChainVisits(chain.slug, chain.name, count), *(each for each in visits if each.slug != chain.slug)]
    return tuple(sorted(others, key=lambda each: -each.count)[:MAX_VISITED])


def _takes_over(best: Spot, current: Spot, fix: Fix) -> bool:
    """Whether another place is so much nearer, or a smaller one inside the present one."""
    if current.holds and current.is_roomy and best.is_inside(fix.accuracy_m):
        return True
    if best.holds and best.is_roomy and current.is_inside(fix.accuracy_m, TAKE_OVER_M):
        return False
    if best.holds and current.holds:
        return (best.size_m2 or 0.0) < (current.size_m2 or 0.0)
    return current.distance_m - best.distance_m > max(TAKE_OVER_M, fix.accuracy_m)


def _entered(spot: Spot, others: Iterator[Spot], fix: Fix, settings: ProjectSettings, way: _Way) -> PlaceStep:
    stay = PlaceStay(_shown(spot.place, settings), fix.at)
    alternates = tuple(_shown(other.place, settings) for other in islice(others, MAX_ALTERNATES))
    sure = spot.confidence(fix.accuracy_m)
    return PlaceStep(stay, None, Confidence.HIGH, sure, alternates, way.current, way.first, way.wanted)


def _shown(place: Place, settings: ProjectSettings) -> Place:
    place = with_setting(place, settings.chains)
    return place if place.outline is None else replace(place, outline=None)


@lru_cache(maxsize=8)
def _wanted(chains: tuple[str, ...], categories: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(chains), frozenset(categories)


_BY_SLUG: dict[int, tuple[tuple[ChainSetting, ...], dict[str, ChainSetting]]] = {}


def _by_slug(chains: tuple[ChainSetting, ...]) -> dict[str, ChainSetting]:
    """Return the settings by slug; they hold dictionaries, so they cannot be looked up by their value."""
    known = _BY_SLUG.get(id(chains))
    if known is not None and known[0] is chains:
        return known[1]
    if len(_BY_SLUG) > 8:
        _BY_SLUG.clear()
    by_slug = {chain.slug: chain for chain in chains}
    _BY_SLUG[id(chains)] = chains, by_slug
    return by_slug
