"""The place of a user, as a pure function of the previous stay, the fix, and the places around it.

A place contains a fix inside its outline. It reaches a fix if the distance to its outline is within the accuracy, or,
if it is only a point, within 50 m plus the accuracy. A user is at one place at a time. At the point of a shop in an
apartment building the user is in the shop: such a point takes precedence over the outline of a building that contains
places.
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
"""Worst accuracy in metres with which a fix may change the place."""

MARGIN_M: Final = 25.0
"""Distance in metres beyond the reach of a place at which a user has left it."""

TAKE_OVER_M: Final = 10.0
"""Minimum distance in metres by which another place must be nearer to take over. It is larger for worse accuracies."""

AT_POINT_M: Final = 15.0
"""Distance in metres from its point within which a place takes precedence over the place that contains it.

Half the accuracy is used instead if that is more.
"""

ROOMY: Final = frozenset(
    [
        *("residence", "college-university", "shopping-mall", "parking", "public-building", "company-office"),
        *("airport", "train-station", "bus-station", "event-venue", "food-court", "market", "business-center"),
        *("park", "plaza", "garden", "motorway-exit-services"),
    ]
)
"""Categories of places that contain other places."""

VISITED: Final = frozenset(
    [
        *("arts-entertainment", "community-government", "education", "finance", "food-beverage", "health-medicine"),
        *("hotel-lodging", "shopping-retail", "spa-beauty-personal-care", "sports-recreation"),
    ]
)
"""General categories of places that people enter. Places of a chain count as such, too."""

_NO_ROOM: Final = frozenset({"artwork", "memorial", "monument", "information-board", "atm", "payment-terminal"})
"""Categories of objects that users cannot be inside of."""

MAX_VISITED: Final = 100
"""Maximum number of chains counted per user, beyond which the least visited ones are dropped."""

TOP_CHAINS: Final = 5

MAX_ALTERNATES: Final = 5
"""Maximum number of alternative places in an entry."""


class Spot(NamedTuple):
    """A place as seen from a fix.

    `distance_m` is the distance to its outline, 0 inside, or to its point. `depth_m` is how far inside the outline the
    fix is. `size_m2` is the area of the outline, None for a point.
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
        """Whether it is an outline that contains other places, such as an apartment building or a mall."""
        return self.size_m2 is not None and is_roomy(self.place)

    def is_inside(self, accuracy_m: float, margin_m: float = 0.0) -> bool:
        """Return whether a fix is close enough to the point of a shop or similar to prefer it to its building."""
        near_m = near_point_m(accuracy_m) + margin_m
        return self.size_m2 is None and self.distance_m <= near_m and is_visited(self.place)

    def reach_m(self, accuracy_m: float) -> float:
        """Return the distance within which the place reaches a fix."""
        return accuracy_m if self.size_m2 is not None else AT_PLACE_M + accuracy_m

    def confidence(self, accuracy_m: float) -> int:
        """Return the confidence that a user with this fix is at the place."""
        if self.size_m2 is not None:
            if not self.holds:
                return Confidence.LOW
            return Confidence.HIGH if self.depth_m >= accuracy_m else Confidence.MEDIUM
        if self.distance_m > AT_PLACE_M:
            return Confidence.LOW
        return Confidence.HIGH if self.distance_m + accuracy_m <= AT_PLACE_M else Confidence.MEDIUM


class PlaceStep(Struct, frozen=True):
    """The stay after a fix, with the place that was left and the place that was entered, if any.

    `alternates` are other places that match the fix of an entry, best first. The other fields are for the reasons:
    `current` is the place of the stay, `first` the first place that reaches the fix, and `wanted` the first of these
    for which the settings allow events.
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
        """The stay, if it is new."""
        return None if self.entered_confidence is None else self.stay


def place_step(
    stay: PlaceStay | None, current: Spot | None, spots: Iterable[Spot], fix: Fix, settings: ProjectSettings
) -> PlaceStep:
    """Return the effect of a fix on a user who is at a place, or at none.

    `current` is the spot of the stay's place, or None if there is no stay. `spots` are the places that reach the fix:
    first the smallest that contains it, then the nearest. See `NearbyCache.spots`.
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
    """Return the distance from a place beyond which its user has left it."""
    return spot.reach_m(fix.accuracy_m) + MARGIN_M


class _Way(NamedTuple):
    """Spots seen by a decision: that of the stay, the first that reaches the fix, and the first wanted one."""

    current: Spot | None
    first: Spot | None
    wanted: Spot | None

    def step(self, stay: PlaceStay | None, left: PlaceStay | None = None) -> PlaceStep:
        """Return a step that enters no place."""
        return PlaceStep(stay, left, current=self.current, first=self.first, wanted=self.wanted)


def is_wanted(place: Place, settings: ProjectSettings) -> bool:
    """Return whether the settings allow events of a place."""
    chains, categories = settings.place_chains, settings.place_categories
    if not chains and not categories:
        return True
    wanted_chains, wanted_categories = _wanted(chains, categories)
    if place.chain is not None and place.chain.slug in wanted_chains:
        return True
    return not wanted_categories.isdisjoint(place.categories)


def near_point_m(accuracy_m: float) -> float:
    """Return the distance from its point within which a place takes precedence over the place that contains it."""
    return max(AT_POINT_M, accuracy_m / 2)


def is_roomy(place: Place) -> bool:
    """Return whether a place contains other places."""
    return not ROOMY.isdisjoint(place.categories)


def is_visited(place: Place) -> bool:
    """Return whether people enter a place, as they enter a shop."""
    if is_roomy(place) or not _NO_ROOM.isdisjoint(place.categories):
        return False
    return place.chain is not None or not VISITED.isdisjoint(place.categories)


def with_setting(place: Place, chains: tuple[ChainSetting, ...]) -> Place:
    """Return a place whose chain has the properties that the project gives it."""
    if place.chain is None or not chains:
        return place
    chain = chain_with_setting(place.chain, chains)
    return place if chain is place.chain else replace(place, chain=chain)


def chain_with_setting(chain: Chain, chains: tuple[ChainSetting, ...]) -> Chain:
    """Return a chain with the properties that the project gives it."""
    setting = _by_slug(chains).get(chain.slug) if chains else None
    if setting is None:
        return chain
    return Chain(chain.name, chain.slug, setting.external_id, setting.metadata, setting.domain)


def with_visit(visits: tuple[ChainVisits, ...], chain: Chain | None) -> tuple[ChainVisits, ...]:
    """Return the visit counts of chains after another visit, most frequent first."""
    if chain is None:
        return visits
    count = next((each.count for each in visits if each.slug == chain.slug), 0) + 1
    # The last visited chain comes first among chains with the same count.
    others = [ChainVisits(chain.slug, chain.name, count), *(each for each in visits if each.slug != chain.slug)]
    return tuple(sorted(others, key=lambda each: -each.count)[:MAX_VISITED])


def _takes_over(best: Spot, current: Spot, fix: Fix) -> bool:
    """Return whether another place is sufficiently nearer, or a smaller one inside the current place."""
    if current.holds and current.is_roomy and best.is_inside(fix.accuracy_m):
        return True
    if best.holds and best.is_roomy and current.is_inside(fix.accuracy_m, TAKE_OVER_M):
        return False
    if best.holds and current.holds:
        return (best.size_m2 or 0.0) < (current.size_m2 or 0.0)
    return current.distance_m - best.distance_m > max(TAKE_OVER_M, fix.accuracy_m)


def _entered(spot: Spot, others: Iterator[Spot], fix: Fix, settings: ProjectSettings, way: _Way) -> PlaceStep:
    stay = PlaceStay(with_setting(spot.place, settings.chains), fix.at)
    alternates = tuple(with_setting(other.place, settings.chains) for other in islice(others, MAX_ALTERNATES))
    sure = spot.confidence(fix.accuracy_m)
    return PlaceStep(stay, None, Confidence.HIGH, sure, alternates, way.current, way.first, way.wanted)


@lru_cache(maxsize=8)
def _wanted(chains: tuple[str, ...], categories: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(chains), frozenset(categories)


_BY_SLUG: dict[int, tuple[tuple[ChainSetting, ...], dict[str, ChainSetting]]] = {}


def _by_slug(chains: tuple[ChainSetting, ...]) -> dict[str, ChainSetting]:
    """Return the settings by slug, cached by identity as they contain dictionaries and are not hashable."""
    known = _BY_SLUG.get(id(chains))
    if known is not None and known[0] is chains:
        return known[1]
    if len(_BY_SLUG) > 8:
        _BY_SLUG.clear()
    by_slug = {chain.slug: chain for chain in chains}
    _BY_SLUG[id(chains)] = chains, by_slug
    return by_slug
