"""Repair of shapes in files that cannot be geofences as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import MAX_HOLES, MAX_PARTS, MAX_RING_POSITIONS
from engine.domain.imports import Repair
from engine.domain.words import count
from engine.tabular.formats.source import LINE, POLYGON, Part

if TYPE_CHECKING:
    from engine.geo.earth import Floats

_SQUARE_KM: Final = 1e6
_LARGE_M2: Final = 10_000


class Repaired(Struct, frozen=True):
    """The parts of a shape after repairs, and a sentence about these, or an empty text."""

    parts: tuple[Part, ...]
    note: str = ""


def repaired(parts: tuple[Part, ...], repairs: frozenset[Repair], line_width_m: float | None = None) -> Repaired:
    """Return the parts of a shape after the repairs that it needs.

    Hopeless parts are unchanged, and refused when they are stored. Points are never repaired.
    """
    width_m = line_width_m if Repair.LINES in repairs else None
    polygons = [part for part in parts if part.type == POLYGON]
    lines = [part for part in parts if part.type == LINE and width_m is not None]
    if not repairs or not (polygons or lines) or (not lines and _is_sound(polygons)):
        return Repaired(parts)
    draft = _drafted(polygons, lines, repairs, width_m)
    if draft is None or not draft.notes or not draft.polygons:
        return Repaired(parts)
    others = [part for part in parts if part.type != POLYGON and part not in lines]
    return Repaired((*draft.parts(), *others), f"The shape was repaired: {'; '.join(draft.notes)}.")


def _drafted(
    polygons: Sequence[Part], lines: Sequence[Part], repairs: frozenset[Repair], width_m: float | None
) -> _Draft | None:
    """Return a shape after its repairs, or None if it is hopeless."""
    import shapely

    try:
        draft = _Draft([_lines(part) for part in polygons], mend=Repair.RINGS in repairs)
        if lines and width_m is not None:
            draft.widen([_lines(part) for part in lines], width_m)
        if Repair.PARTS in repairs:
            draft.choose()
        if Repair.SIMPLIFY in repairs:
            draft.simplify()
    except (InvalidParameter, ValueError, shapely.errors.GEOSException):
        return None
    return draft


def _is_sound(polygons: Iterable[Part]) -> bool:
    from engine.geo.parts import check_polygon

    try:
        check_polygon([[_pairs(ring) for ring in (part.coordinates, *part.holes)] for part in polygons])
    except (InvalidParameter, TypeError, ValueError):
        return False
    return True


def _pairs(ring: Sequence[Any]) -> list[tuple[float, float]]:
    return [(longitude, latitude) for longitude, latitude in ring]


def _lines(part: Part) -> list[Floats]:
    """Return the positions of a line, or of each ring; raises `ValueError` if some are not on the earth."""
    lines = [np.asarray(line) for line in (part.coordinates, *part.holes)]
    for line in lines:
        are_pairs = line.ndim == 2 and line.shape[1] == 2 and line.dtype.kind in "if"
        if not (are_pairs and (np.abs(line) <= (180, 90)).all()):
            raise ValueError
    return [line.astype(float) for line in lines]


def _polygons(drawn: list[list[Floats]]) -> list[Any]:
    """Return polygons in one turn of the earth; raises `ValueError` if there are none, or one is around a pole."""
    import shapely

    from engine.geo import mending

    turned = mending.in_one_turn(drawn)
    if not drawn or any(mending.around_pole(ring) for each in turned for ring in each):
        raise ValueError
    return [shapely.Polygon(outer, holes) for outer, *holes in turned]


class _Draft:
    """The polygons of a shape while it is repaired, and notes about the repairs."""

    def __init__(self, drawn: list[list[Floats]], *, mend: bool) -> None:
        """Draw polygons; raises `ValueError` for unsound ones, unless `mend` is set."""
        self.notes: list[str] = []
        self.polygons: list[Any] = []
        if drawn:
            self._draw(drawn, mend=mend)

    def _draw(self, drawn: list[list[Floats]], *, mend: bool) -> None:
        from engine.geo import mending

        rings = [[mending.closed(ring) for ring in each] for each in drawn]
        unclosed = sum(map(_positions, rings)) - sum(map(_positions, drawn))
        kept = [[each[0], *filter(mending.encloses, each[1:])] for each in rings if mending.encloses(each[0])]
        empty = sum(map(len, rings)) - sum(map(len, kept))
        self.polygons = _polygons(kept)
        crossing = not all(each.is_valid for each in self.polygons)
        if crossing:
            self.polygons = [part for each in self.polygons for part in mending.mended(each)]
        overlapping = mending.overlap(self.polygons)
        if (unclosed or empty or crossing or overlapping) and not mend:
            raise ValueError
        if overlapping:
            self.polygons = mending.united(self.polygons)
        if crossing or overlapping:
            self.polygons = mending.snapped(self.polygons)
        notes = {
            f"{count(unclosed, 'ring')} closed": unclosed,
            f"{count(empty, 'ring')} without an area left out": empty,
            "crossing or touching rings mended": crossing,
            "overlapping parts united": overlapping,
        }
        self.notes += [note for note, applies in notes.items() if applies]

    def widen(self, lines: list[list[Floats]], width_m: float) -> None:
        """Add an area of some width around lines, united with the polygons."""
        from engine.geo import mending

        self.polygons = mending.widened(lines, width_m, self.polygons)
        self.notes.append(f"{count(len(lines), 'line')} made an area {width_m:g} m wide")

    def choose(self) -> None:
        """Leave out the smallest parts, and fill the smallest holes, if there are too many."""
        import shapely

        from engine.geo.mending import area_m2

        if len(self.polygons) > MAX_PARTS:
            self.polygons.sort(key=area_m2, reverse=True)
            dropped, self.polygons = self.polygons[MAX_PARTS:], self.polygons[:MAX_PARTS]
            self.notes.append(f"{_smallest(dropped, 'part')} left out")
        holes = [(shapely.Polygon(hole), at) for at, each in enumerate(self.polygons) for hole in each.interiors]
        if len(holes) > MAX_HOLES:
            holes.sort(key=lambda pair: area_m2(pair[0]), reverse=True)
            kept = [[hole.exterior for hole, of in holes[:MAX_HOLES] if of == at] for at in range(len(self.polygons))]
            self.polygons = [shapely.Polygon(each.exterior, kept[at]) for at, each in enumerate(self.polygons)]
            self.notes.append(f"{_smallest([hole for hole, _ in holes[MAX_HOLES:]], 'hole')} filled")

    def simplify(self) -> None:
        """Leave out vertices if there are too many."""
        from engine.geo import mending

        if mending.position_count(self.polygons) <= MAX_RING_POSITIONS:
            return
        before, self.polygons = self.polygons, mending.simplified(self.polygons)
        vertices = " → ".join(f"{mending.vertex_count(each):,}" for each in (before, self.polygons))
        self.notes.append(f"{vertices} vertices, area {_percent(mending.changed(before, self.polygons))}")

    def parts(self) -> Iterator[Part]:
        """Yield the parts of the repaired shape."""
        from engine.geo.mending import rings_of

        for polygon in self.polygons:
            outer, *holes = map(tuple, rings_of(polygon))
            yield Part(POLYGON, outer, tuple(holes))


def _positions(rings: Iterable[Floats]) -> int:
    return sum(map(len, rings))


def _smallest(dropped: Sequence[Any], noun: str) -> str:
    from engine.geo.mending import area_m2

    area = sum(map(area_m2, dropped))
    shown = f"{area / _SQUARE_KM:,.2f} km²" if area >= _LARGE_M2 else f"{area:,.0f} m²"
    return f"the {count(len(dropped), f'smallest {noun}')} ({shown})"


def _percent(share: float) -> str:
    text = f"{abs(share):.2%}".replace("%", " %")
    return text if float(f"{share:.4f}") == 0 else f"{'−' if share < 0 else '+'}{text}"
