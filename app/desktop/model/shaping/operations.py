"""Operations on geofence shapes and their results before they are applied. Pure functions for a worker thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Final

import numpy as np
from msgspec import Struct
from shapely.errors import GEOSException

from app.desktop.language import counted, tr
from app.desktop.model.shaping.measures import area_text
from app.desktop.model.words import error_text, fence_name, rings_text, size_text
from engine.domain.errors import InvalidParameter
from engine.domain.fields.geofence import RULES
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle, Geometry, Isochrone, Polygon, Position
from engine.geo.shaping.combining import each_part, filled, intersected, split, subtracted, united
from engine.geo.shaping.measuring import area_m2
from engine.geo.shaping.placing import Cell, Side, aligned, grid_over, moved
from engine.geo.shaping.resizing import Fit, buffered, circle_of, polygon_of, simplified_by
from engine.geo.shaping.sheets import Area, ring_of, sheet_of


class Kind(Enum):
    """The operations and their names."""

    UNION = tr("Union")
    SUBTRACT = tr("Subtract")
    INTERSECT = tr("Intersect")
    SPLIT = tr("Split")
    TO_PARTS = tr("Split into parts")
    FILL_HOLES = tr("Fill holes")
    SIMPLIFY = tr("Simplify")
    BUFFER = tr("Buffer")
    TO_CIRCLE = tr("Convert to circle")
    TO_POLYGON = tr("Convert to polygon")
    ALIGN = tr("Align")
    GRID = tr("Grid")


class Parts(Enum):
    """The treatment of a result with several parts."""

    ALL = tr("One geofence with all parts")
    SEVERAL = tr("A geofence for each part")
    LARGEST = tr("Keep the largest part")


class Holes(Enum):
    """The treatment of holes when a geofence is split into its parts."""

    KEEP = tr("Keep holes")
    CUT = tr("Cut at holes, so that no part has any")


SEVERAL: Final = frozenset((Kind.UNION, Kind.SUBTRACT, Kind.INTERSECT, Kind.ALIGN))
"""Operations that need at least two geofences."""

_DELETING: Final = frozenset((Kind.UNION, Kind.INTERSECT))
MOST_CREATED: Final = 1_000


class Trial(Struct, frozen=True):
    """An operation with the options chosen by the user. The first geofence is kept."""

    kind: Kind
    fences: tuple[Geofence, ...]
    amount: float = 0.0
    choice: Fit | Side | Cell | Holes | None = None
    line: tuple[Position, ...] = ()
    parts: Parts = Parts.ALL

    @property
    def first(self) -> Geofence:
        """The geofence that is kept."""
        return self.fences[0]


class Result(Struct, frozen=True):
    """The result of an operation: new shapes of geofences (None deletes), and shapes of new geofences.

    `parts` is their number before they are treated as chosen. `done` describes the new shape of the first geofence, and
    `note` also the rest of the result. With an `error`, another treatment of the parts is possible.
    """

    shapes: Mapping[str, Geometry | None]
    created: tuple[Geometry, ...] = ()
    parts: int = 1
    done: str = ""
    note: str = ""
    error: str = ""

    @property
    def outlines(self) -> tuple[Polygon, ...]:
        """Shapes of the changed and new geofences after the operation, with polygons for circles."""
        there = [each for each in (*self.shapes.values(), *self.created) if each is not None]
        vertices = 64 if len(there) < 50 else 20
        return tuple(each if isinstance(each, Polygon) else Polygon(ring_of(each, vertices)) for each in there)

    @property
    def nothing(self) -> bool:
        """Whether the operation changes nothing."""
        return not self.shapes and not self.created


def tried(trial: Trial) -> Result:
    """Return the result of an operation; raises `InvalidParameter` if it cannot be stored."""
    try:
        # Tiny differences overflow in the library. The results are validated afterwards.
        with np.errstate(all="ignore"):
            return _OPERATIONS[trial.kind](trial)
    except GEOSException as error:
        raise InvalidParameter("coordinates", tr("coordinates: this cannot be worked out for these shapes.")) from error


def _combined(trial: Trial) -> Result:
    geometries = [fence.geometry for fence in trial.fences]
    match trial.kind:
        case Kind.UNION:
            area = united(geometries)
        case Kind.INTERSECT:
            area = intersected(geometries)
        case _:
            area = subtracted(geometries[0], geometries[1:])
    deleted = [fence for fence in trial.fences[1:] if trial.kind in _DELETING]
    return _of_area(trial, area, deleted)


def _split(trial: Trial) -> Result:
    pieces = split(trial.first.geometry, trial.line)
    return _several(trial, pieces, counted(len(pieces), "piece"))


def _to_parts(trial: Trial) -> Result:
    cut = trial.choice is Holes.CUT
    parts = each_part(trial.first.geometry, without_holes=cut)
    if len(parts) < 2:
        problem = (
            tr("coordinates: the geofence has only one part, and no holes.")
            if cut
            else tr("coordinates: the geofence has only one part.")
        )
        raise InvalidParameter("coordinates", problem)
    return _several(trial, parts, counted(len(parts), "part"))


def _several(trial: Trial, parts: Sequence[Polygon], found: str) -> Result:
    note = tr("{parts}, a geofence for each.", parts=found) + _traced(trial.first)
    return Result({trial.first.id: parts[0]}, tuple(parts[1:]), note=note)


def _filled(trial: Trial) -> Result:
    area = filled(trial.first.geometry)
    if area.unchanged:
        raise InvalidParameter("coordinates", tr("coordinates: the geofence has no holes."))
    return _of_polygon(trial, area.polygon())


def _simplified(trial: Trial) -> Result:
    before = trial.first.geometry
    after = simplified_by(before, trial.amount)
    was = _vertex_count(before) if isinstance(before, Polygon) else 0
    if (now := _vertex_count(after)) >= was:
        return Result({}, note=tr("No vertices can be left out within this tolerance."))
    return _of_polygon(trial, after, tr("{old_count:,} → {new_count:,} vertices", old_count=was, new_count=now))


def _buffered(trial: Trial) -> Result:
    if not trial.amount:
        return Result({}, note=tr("The same as now."))
    after = buffered(trial.first.geometry, trial.amount)
    if isinstance(after, Circle):
        done = tr("Circle, {radius}.", radius=size_text(after.radius_m))
        return Result({trial.first.id: after}, done=done, note=done)
    return _of_area(trial, after, [])


def _to_circle(trial: Trial) -> Result:
    if isinstance(trial.first.geometry, Circle):
        raise InvalidParameter("type", tr("type: this is a circle already."))
    circle = circle_of(trial.first.geometry, trial.choice if isinstance(trial.choice, Fit) else Fit.AREA)
    return _of_polygon(trial, circle, tr("Circle, {radius}", radius=size_text(circle.radius_m)))


def _to_polygon(trial: Trial) -> Result:
    geometry = trial.first.geometry
    if isinstance(geometry, Circle):
        return _of_polygon(trial, polygon_of(geometry, round(trial.amount)))
    if isinstance(geometry, Isochrone):
        return _of_polygon(trial, Polygon(geometry.ring))
    raise InvalidParameter("type", tr("type: this is a polygon already."))


def _aligned(trial: Trial) -> Result:
    side = trial.choice if isinstance(trial.choice, Side) else Side.WEST
    shapes: dict[str, Geometry | None] = {}
    for fence in trial.fences[1:]:
        try:
            shape = aligned(fence.geometry, trial.first.geometry, side)
        except InvalidParameter as error:
            raise InvalidParameter(error.param, f"{fence_name(fence)}: {error.message.partition(': ')[2]}") from None
        if shape != fence.geometry:
            shapes[fence.id] = shape
    note = tr(
        "{geofences} moved in line with {geofence_name}.",
        geofences=counted(len(shapes), "geofence"),
        geofence_name=fence_name(trial.first),
    )
    return Result(shapes, note=note if shapes else tr("They are in line already."))


def _grid(trial: Trial) -> Result:
    cell = trial.choice if isinstance(trial.choice, Cell) else Cell.HEXAGON
    cells = grid_over(trial.first.geometry, cell, trial.amount)
    note = tr(
        "{new_geofences}; {geofence_name} stays.",
        new_geofences=counted(len(cells), "new geofence"),
        geofence_name=fence_name(trial.first),
    )
    return Result({}, cells, note=note)


_OPERATIONS: Final[Mapping[Kind, Callable[[Trial], Result]]] = {
    Kind.UNION: _combined,
    Kind.SUBTRACT: _combined,
    Kind.INTERSECT: _combined,
    Kind.SPLIT: _split,
    Kind.TO_PARTS: _to_parts,
    Kind.FILL_HOLES: _filled,
    Kind.SIMPLIFY: _simplified,
    Kind.BUFFER: _buffered,
    Kind.TO_CIRCLE: _to_circle,
    Kind.TO_POLYGON: _to_polygon,
    Kind.ALIGN: _aligned,
    Kind.GRID: _grid,
}


def _of_area(trial: Trial, area: Area, deleted: Sequence[Geofence]) -> Result:
    if area.unchanged:
        note = tr("The shape of {geofence_name} does not change.", geofence_name=fence_name(trial.first))
        return Result({fence.id: None for fence in deleted}, done=note, note=note + _deleted(deleted))
    try:
        kept = (area.polygon(),) if trial.parts is Parts.ALL else area.polygons()
    except InvalidParameter as error:
        if area.parts == 1:
            raise
        # Each part may be a geofence even if all together cannot.
        return Result({}, parts=area.parts, error=error_text(error))
    if len(kept) - 1 > MOST_CREATED and trial.parts is Parts.SEVERAL:
        raise InvalidParameter(
            "coordinates", tr("coordinates: the result has {count:,} parts, which is too many.", count=len(kept))
        )
    result = _of_polygon(trial, kept[0])
    shapes = {**result.shapes, **{fence.id: None for fence in deleted}}
    created = kept[1:] if trial.parts is Parts.SEVERAL else ()
    others = _left_out(kept) if trial.parts is Parts.LARGEST and area.parts > 1 else ""
    if area.slivers:
        others += tr(" Left out: {slivers} of less than 0.1 m².", slivers=counted(area.slivers, "sliver"))
    new = " " + counted(len(created), "new geofence") + "." if created else ""
    return Result(shapes, created, area.parts, result.done + others, result.note + others + new + _deleted(deleted))


def _of_polygon(trial: Trial, after: Geometry, found: str = "") -> Result:
    """Return the result of an operation that reshapes the first geofence, described by its counts and area."""
    before = trial.first.geometry
    was, now = area_m2(before), area_m2(after)
    if not found and isinstance(after, Polygon):
        found = rings_text(after.coordinates)
    area = tr("area {old_area} → {new_area}", old_area=area_text(was), new_area=area_text(now))
    change = tr(" ({area_change:+.1%})", area_change=now / was - 1) if was > 0 else ""
    done = f"{found}, {area}{change}."
    return Result({trial.first.id: after}, done=done, note=done + _traced(trial.first))


def _vertex_count(polygon: Polygon) -> int:
    return polygon.position_count - len(polygon.rings)


def _left_out(parts: Sequence[Polygon]) -> str:
    others = list(map(area_m2, parts[1:]))
    return tr(" Left out: {parts}, {area}.", parts=counted(len(others), "smaller part"), area=area_text(sum(others)))


def _traced(fence: Geofence) -> str:
    return tr(" The isochrone becomes a polygon.") if isinstance(fence.geometry, Isochrone) else ""


def _deleted(deleted: Sequence[Geofence]) -> str:
    if not deleted:
        return ""
    names = ", ".join(map(fence_name, deleted[:2])) + (
        tr(" and {more:,} more", more=len(deleted) - 2) if len(deleted) > 2 else ""
    )
    return tr(" Deleted: {geofence_names}.", geofence_names=names)


def change_to(geometry: Geometry) -> GeofenceChange:
    """Return the change that assigns a geometry to a geofence."""
    if isinstance(geometry, Circle):
        center = geometry.center.longitude, geometry.center.latitude
        return GeofenceChange(type=geometry.type.value, coordinates=center, size=geometry.radius_m)
    if isinstance(geometry, Isochrone):
        center = geometry.center.longitude, geometry.center.latitude
        return GeofenceChange(
            type=geometry.type.value, coordinates=center, size=geometry.minutes, mode=geometry.mode.value
        )
    return GeofenceChange(type=geometry.type.value, coordinates=geometry.coordinates)


def copies_of(fence: Geofence, shapes: Sequence[Geometry], taken: set[str]) -> tuple[GeofenceChange, ...]:
    """Return changes that create copies of a geofence, with its rules and metadata and external IDs not in `taken`."""
    made: list[GeofenceChange] = []
    number = 2
    for shape in shapes:
        while f"{fence.external_id}-{number}" in taken:
            number += 1
        change = change_to(shape)
        made.append(
            GeofenceChange(
                tag=fence.tag,
                external_id=f"{fence.external_id}-{number}",
                description=f"{fence.description} {number}",
                type=change.type,
                coordinates=change.coordinates,
                size=change.size,
                mode=change.mode,
                enabled=fence.enabled,
                metadata=fence.metadata,
                **{row.name: row.value(fence) for row in RULES},
            )
        )
        number += 1
    return tuple(made)


def beside(geometry: Geometry) -> Geometry:
    """Return a copy of a geometry shifted slightly to the south-east, so that both are visible. Isochrones stay."""
    if isinstance(geometry, Isochrone):
        return geometry
    try:
        west, south, east, north = sheet_of((geometry,))[0].bounds
        return moved(geometry, (east - west) / 5, (south - north) / 5)
    except InvalidParameter:  # around or across a pole
        return geometry
