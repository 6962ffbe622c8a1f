"""Crossings of two streets: ``Broadway & Wall Street, New York``."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

import shapely
from msgspec import Struct

from engine.domain.addresses.address import Address, AddressLanguage, ForwardQuery, Layer, MatchConfidence
from engine.domain.geometry import Point
from engine.domain.values import replace
from engine.gazetteer.reader import Gazetteer
from engine.gazetteer.text import DIRECTIONS, fold, readings, split_words
from engine.geo.earth import metres_between, metres_per_degree
from engine.geocoding.search.answers import street_address
from engine.geocoding.search.candidates import Finder
from engine.geocoding.search.contradictions import is_near_division
from engine.geocoding.search.entries import Entry
from engine.geocoding.search.matching import Match, Question, query_words
from engine.geocoding.search.nearby import HOUSE_WITHIN_M, box_around, nearest_house, street_name
from engine.geocoding.search.parsing import read_query
from engine.geocoding.search.ranking import wanted
from engine.geocoding.search.wording.claims import is_outside

_BETWEEN: Final = re.compile(r"\s*[&/+@]\s*|\s+(?:and|at|und|ecke|et)\s+", re.IGNORECASE)
_CORNER: Final = re.compile(r"^\s*(?:the\s+)?(?:corner|intersection|ecke)(?:\s+of|\s+von)?\s+", re.IGNORECASE)
_LETTER: Final = re.compile(r"[^\W\d_]")

_MEET_M: Final = 25.0
"""Distance in metres within which two streets cross: one may end at the kerb of the other or have two carriageways."""

_WHOLE: Final = 0.7
"""Share of a street's name that must be asked for, so that only its type or a direction may be missing."""

_SAME_M: Final = 40.0
_LOOKED_AT: Final = 12
_NAMESAKES: Final = 40
"""Number of streets of one name that are looked at if the neighbourhood is not in their surroundings."""

_STREETS: Final = frozenset({"street"})
_LAYERS: Final = frozenset({Layer.ADDRESS, Layer.INTERSECTION})
_NEAREST: Final = 12
"""Number of streets around a position whose crossings are looked for."""


class _Crossing(Struct, frozen=True):
    """Two streets and the position where they meet.

    `is_whole` is true if both were asked for by their whole names.
    """

    first: Entry
    second: Entry
    point: Point
    worth: float
    is_exact: bool
    is_whole: bool


def crossings(areas: Sequence[Finder], query: ForwardQuery) -> tuple[Address, ...]:
    """Return the crossings of the two streets that a query names, best first.

    The result is empty if the query does not name two streets that cross.
    """
    parts = _BETWEEN.split(_CORNER.sub("", query.text))
    if len(parts) != 2 or not all(map(_LETTER.search, parts)) or not query.layers & _LAYERS:
        return ()
    found = [each for finder in areas for each in _crossings(finder, parts[0], parts[1], query)]
    found = found or [each for finder in areas for each in _crossings_near(finder, parts[0], parts[1], query)]
    found.sort(key=lambda each: (-round(each.worth, 6), each.first.document, each.second.document))
    kept: list[_Crossing] = []
    for each in found:
        # A street that changes from East to West at the crossing would count twice.
        if not any(metres_between(each.point, other.point) < _SAME_M for other in kept):
            kept.append(each)
    return tuple(_address(each, query, is_only=len(kept) == 1) for each in kept[: query.limit])


def _crossings(
    finder: Finder, first: str, second: str, query: ForwardQuery, limit: int = _LOOKED_AT
) -> Iterator[_Crossing]:
    # The town stands after the second street or before the first one.
    ends = list(_streets(finder, second, query, limit))
    starts = list(_streets(finder, first, query, limit)) if ends else []
    for one, one_match in starts:
        for other, other_match in ends:
            if one.ref == other.ref or (point := _meeting(finder, one, other)) is None:
                continue
            worth = one_match.score + other_match.score
            whole = one_match.name_share > 0.999 and other_match.name_share > 0.999
            yield _Crossing(one, other, point, worth, one_match.exact and other_match.exact, whole)


def _crossings_near(finder: Finder, first: str, second: str, query: ForwardQuery) -> Iterator[_Crossing]:
    """Yield the crossings near the neighbourhood that a query has between commas before or behind the streets."""
    before, _, first = first.rpartition(",")
    second, _, behind = second.partition(",")
    location = [part for part in (*before.split(","), *behind.split(",")) if part.strip()]
    if not location:
        return
    for each in _crossings(finder, first, second, query, _NAMESAKES):
        if all(_is_near(finder, each, part) for part in location):
            yield replace(each, is_exact=False)


def _is_near(finder: Finder, crossing: _Crossing, part: str) -> bool:
    """Return whether a crossing lies in the surroundings that a part of a query names, or near a division of its name.

    The words may have typing errors.
    """
    words = tuple(finder.with_any_slip(word) for word in query_words(split_words(part)) if word.is_significant)
    around = crossing.first.context.words | crossing.second.context.words
    return all(word.quality_among(around) for word in words) or is_near_division(finder, words, crossing.point)


def _streets(finder: Finder, text: str, query: ForwardQuery, limit: int) -> Iterator[tuple[Entry, Match]]:
    words = query_words(read_query(text)[-1].words)
    question = Question(words)
    for entry in finder.entries(finder.all_of(words, limit, _STREETS)):
        match = question.match(entry.spellings, entry.others, entry.around)
        if match.complete and match.name_share >= _WHOLE and wanted(entry, _LAYERS, query.countries):
            yield entry, match


def _meeting(finder: Finder, one: Entry, other: Entry) -> Point | None:
    """Return the position where two streets meet, or None if they do not.

    If they meet at several positions, the one nearest to the centroid of these is returned.
    """
    lines = [_line(finder, each.ref) for each in (one, other)]
    if any(line is None for line in lines):
        return None
    x, y = metres_per_degree(one.point.latitude)
    flat = [shapely.transform(line, lambda positions: positions * (x, y)) for line in lines]
    at = _meeting_of(flat[0], flat[1], None)
    return None if at is None else Point(at.x / x, at.y / y)


def _meeting_of(one: shapely.Geometry, other: shapely.Geometry, near: shapely.Point | None) -> shapely.Point | None:
    """Return where two lines in metres meet: nearest to a position, or else in the middle of all their meetings."""
    if shapely.distance(one, other) > _MEET_M:
        return None
    common = shapely.intersection(one, other)
    if common.is_empty:
        return shapely.shortest_line(one, other).centroid
    corners = shapely.points(shapely.get_coordinates(common))
    found: shapely.Point = corners[int(shapely.distance(corners, near or common.centroid).argmin())]
    return found


def nearest_crossing(gazetteer: Gazetteer, point: Point, language: AddressLanguage, within_m: float) -> Address | None:
    """Return the nearest crossing of two streets, or None if there is none within a distance."""
    x, y = metres_per_degree(point.latitude)
    here = shapely.Point(point.longitude * x, point.latitude * y)
    rows = gazetteer.rows(
        "SELECT s.name, s.id, s.context, s.line FROM street_boxes b JOIN streets s ON s.id = b.id"
        " WHERE b.west <= ? AND b.east >= ? AND b.south <= ? AND b.north >= ? AND s.line IS NOT NULL",
        *box_around(point, within_m),
    )
    lines = [shapely.transform(shapely.from_wkb(row[3]), lambda positions: positions * (x, y)) for row in rows]
    nearest = sorted((shapely.distance(line, here), at) for at, line in enumerate(lines))[:_NEAREST]
    best: tuple[float, int, int, shapely.Point] | None = None
    for (_, one), (_, other) in combinations(nearest, 2):
        if _is_same_street(rows[one][0], rows[other][0]):
            continue
        meeting = _meeting_of(lines[one], lines[other], here)
        if meeting is not None and (best is None or meeting.distance(here) < best[0]):
            best = (meeting.distance(here), *sorted((one, other)), meeting)
    if best is None or best[0] > within_m:
        return None
    away_m, one, other, meeting = best
    called = [street_name(gazetteer, rows[at][1], language) for at in (one, other)]
    at = Point(meeting.x / x, meeting.y / y)
    context = gazetteer.context(rows[one][2])
    return street_address(" & ".join(called), None, at, context, language, distance_m=away_m, is_crossing=True)


def _is_same_street(name: str, other: str) -> bool:
    """Return whether two names are of one street: equal ones, or West and East Main Street."""
    return name == other or _without_direction(name) == _without_direction(other)


def _without_direction(name: str) -> list[str]:
    """Return a name's words without a direction at the beginning, unless it is all of the name: North Street."""
    first, *rest = name.split() or [name]
    named = [word for word in rest if not _is_direction(word)]
    return rest if len(named) > 1 and _is_direction(first) else [first, *rest]


def _is_direction(word: str) -> bool:
    return readings(fold(word))[0] in DIRECTIONS


def _line(finder: Finder, street: int) -> shapely.Geometry | None:
    rows = finder.gazetteer.rows("SELECT line FROM streets WHERE id = ?", street)
    return None if not rows or rows[0][0] is None else shapely.from_wkb(rows[0][0])


def _address(found: _Crossing, query: ForwardQuery, *, is_only: bool) -> Address:
    first, second = (entry.names.get(query.language) or entry.name for entry in (found.first, found.second))
    gazetteer = found.first.gazetteer
    house = nearest_house(gazetteer, found.point, HOUSE_WITHIN_M)
    # A long street has many postal codes, so that of the nearest house is used.
    context = found.first.context if house is None else gazetteer.context(house[-1])
    read = read_query(query.text)[-1].words
    is_exact = (
        found.is_exact and (found.is_whole or is_only) and not is_outside(query.text, read, found.second, context)
    )
    confidence = MatchConfidence.EXACT if is_exact else MatchConfidence.FALLBACK
    return street_address(
        f"{first} & {second}", None, found.point, context, query.language, confidence=confidence, is_crossing=True
    )
