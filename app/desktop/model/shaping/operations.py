"""Operations on geofence shapes and their results before they are applied. Pure functions for a worker thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Final

import numpy as np
from msgspec import Struct
from shapely.errors import GEOSException

from app.desktop.language import counted, tr
from app.desktop.model.words import fence_name, size_text
from engine.domain.errors import InvalidParameter
from engine.domain.fields.geofence import RULES
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle, Geometry, Isochrone, Polygon, Position
from engine.geo.shaping.combining import intersected, split, subtracted, united
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
    SIMPLIFY = tr("Simplify")
    BUFFER = tr("Buffer")
    TO_CIRCLE = tr("Convert to circle")
    TO_POLYGON = tr("Convert to polygon")
    ALIGN = tr("Align")
    GRID = tr("Grid")


class Parts(Enum):
    """The treatment of a result with several parts."""

    LARGEST = tr("Keep the largest part")
    SEVERAL = tr("A geofence for each part")


class Holes(Enum):
    """The treatment of holes, which a geofence cannot have."""

    FILL = tr("Fill holes")
    CUT = tr("Cut at holes")


SEVERAL: Final = frozenset((Kind.UNION, Kind.SUBTRACT, Kind.INTERSECT, Kind.ALIGN))
"""Operations that need at least two geofences."""

_DELETING: Final = frozenset((Kind.UNION, Kind.INTERSECT))
MOST_CREATED: Final = 1_000


class Trial(Struct, frozen=True):
    """An operation with the options chosen by the user. The first geofence is kept."""

    kind: Kind
    fences: tuple[Geofence, ...]
    amount: float = 0.0
    choice: Fit | Side | Cell | None = None
    line: tuple[Position, ...] = ()
    parts: Parts = Parts.LARGEST
    holes: Holes = Holes.FILL

    @property
    def first(self) -> Geofence:
        """The geofence that is kept."""
        return self.fences[0]


class Result(Struct, frozen=True):
    """The result of an operation: new shapes of geofences (None deletes), and shapes of new geofences.

    `parts` and `holes` are their numbers before they are treated as chosen; `note` describes the result.
    """

    shapes: Mapping[str, Geometry | None]
    created: tuple[Geometry, ...] = ()
    parts: int = 1
    holes: int = 0
    note: str = ""

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
    parts = split(trial.first.geometry, trial.line)
    return Result(
        {trial.first.id: parts[0]},
        parts[1:],
        note=tr("{parts}, a geofence for each.", parts=counted(len(parts), "part")),
    )


def _simplified(trial: Trial) -> Result:
    before = trial.first.geometry
    after = simplified_by(before, trial.amount)
    was, now = (len(each.ring) - 1 for each in (before, after) if isinstance(each, Polygon))
    note = tr(
        "{old_count:,} → {new_count:,} vertices{area_change}.",
        old_count=was,
        new_count=now,
        area_change=_growth(before, after),
    )
    return Result({trial.first.id: after} if now < was else {}, note=note + _traced(trial.first))


def _buffered(trial: Trial) -> Result:
    if not trial.amount:
        return Result({}, note=tr("The same as now."))
    after = buffered(trial.first.geometry, trial.amount)
    if isinstance(after, Circle):
        return Result({trial.first.id: after}, note=tr("Circle, {radius}.", radius=size_text(after.radius_m)))
    return _of_area(trial, after, [])


def _to_circle(trial: Trial) -> Result:
    if isinstance(trial.first.geometry, Circle):
        raise InvalidParameter("type", tr("type: this is a circle already."))
    circle = circle_of(trial.first.geometry, trial.choice if isinstance(trial.choice, Fit) else Fit.AREA)
    note = tr(
        "Circle, {radius}{area_change}.",
        radius=size_text(circle.radius_m),
        area_change=_growth(trial.first.geometry, circle),
    )
    return Result({trial.first.id: circle}, note=note + _traced(trial.first))


def _to_polygon(trial: Trial) -> Result:
    geometry = trial.first.geometry
    if isinstance(geometry, Circle):
        polygon = polygon_of(geometry, round(trial.amount))
        note = tr("{count} vertices{area_change}.", count=len(polygon.ring) - 1, area_change=_growth(geometry, polygon))
        return Result({trial.first.id: polygon}, note=note)
    if isinstance(geometry, Isochrone):
        return Result({trial.first.id: Polygon(geometry.ring)}, note=_traced(trial.first).strip())
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
    Kind.SIMPLIFY: _simplified,
    Kind.BUFFER: _buffered,
    Kind.TO_CIRCLE: _to_circle,
    Kind.TO_POLYGON: _to_polygon,
    Kind.ALIGN: _aligned,
    Kind.GRID: _grid,
}


def _of_area(trial: Trial, area: Area, deleted: Sequence[Geofence]) -> Result:
    pieces = area.filled() if trial.holes is Holes.FILL else area.cut()
    kept = pieces if trial.parts is Parts.SEVERAL else pieces[:1]
    if len(kept) - 1 > MOST_CREATED:
        raise InvalidParameter(
            "coordinates", tr("coordinates: the result has {count:,} parts, which is too many.", count=len(kept))
        )
    shapes: dict[str, Geometry | None] = {trial.first.id: kept[0], **{fence.id: None for fence in deleted}}
    found = counted(area.parts, "part") if area.parts > 1 else counted(len(kept[0].ring) - 1, "vertex", "vertices")
    note = found + (f", {counted(area.holes, 'hole')}" if area.holes else "") + "."
    if area.parts > 1 and trial.parts is Parts.LARGEST:
        whole = sum(map(area_m2, area.filled()))
        note += tr(" The largest part is {share:.0%} of the area.", share=area_m2(kept[0]) / whole) if whole > 0 else ""
    return Result(shapes, kept[1:], area.parts, area.holes, note + _traced(trial.first) + _deleted(deleted))


def _growth(before: Geometry, after: Geometry) -> str:
    """Return the growth of the area, or "" if the shape had no area, such as a sliver at a pole."""
    was = area_m2(before)
    return tr(", area {area_change:+.1%}", area_change=area_m2(after) / was - 1) if was > 0 else ""


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
