"""Areas as displayed in the window: their list, the ones in use, and texts about them."""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from app.desktop.language import tr
from engine.domain.area import Area, wrapped

EXTRACT = ".osm.pbf"


class Areas(Struct, frozen=True):
    """All areas of the workspace and of the program, and the ones in use.

    The `stale` ones would be in use if they did not have an old format. The `displaced` ones came with the program and
    are no longer in use since the workspace has an area of its own.
    """

    all: tuple[Area, ...] = ()
    in_use: tuple[Area, ...] = ()
    stale: tuple[Area, ...] = ()
    displaced: tuple[Area, ...] = ()

    def uses(self, area: Area) -> bool:
        """Whether an area is in use."""
        return any(used.name == area.name for used in self.in_use)

    def names_with(self, name: str, *, used: bool) -> tuple[str, ...]:
        """Return the names in use after adding or removing a name."""
        names = [area.name for area in self.in_use if area.name != name]
        return (*names, name) if used else tuple(names)

    @property
    def newest(self) -> Area | None:
        """The most recently built area in use, or None if there is none."""
        return max(self.in_use, key=lambda area: area.built_at, default=None)


NO_AREAS = Areas()


def size_text(size_bytes: int) -> str:
    """Return a size with its unit: ``850 kB``, ``10.7 MB``."""
    if size_bytes < 1_000_000:
        return tr("{kilobytes:,.0f} kB", kilobytes=size_bytes / 1000)
    return tr("{megabytes:,.1f} MB", megabytes=size_bytes / 1_000_000)


def content_text(area: Area) -> str:
    """Return the size of an area, and that it has no roads."""
    size = size_text(area.size_bytes)
    return size if area.roads is not None else tr("{size}, no roads", size=size)


def about(area: Area) -> str:
    """Return the source of an area and its extent."""
    west, south, east, north = wrapped(area.bounds)
    origin = tr("Bundled, from") if area.bundled else tr("Built from")
    described = tr(
        "{origin} {extract_name}\n{south:.4f}, {west:.4f} to {north:.4f}, {east:.4f}",
        origin=origin,
        extract_name=area.source,
        south=south,
        west=west,
        north=north,
        east=east,
    )
    if area.roads is not None:
        return described
    return f"{described}\n{tr('Its extract has no roads, so there are no routes or isochrones.')}"


def summary(areas: Iterable[Area]) -> str:
    """Return a summary of the areas in use, for the status line."""
    names = sorted(area.name for area in areas)
    if not names:
        return tr("No area")
    return tr("Area: {area_name}", area_name=names[0]) if len(names) == 1 else tr("{count} areas", count=len(names))


def names_text(areas: Iterable[Area]) -> str:
    """Return the names of areas as a list in a sentence: ``town``, ``town and village``."""
    *first, last = sorted(area.name for area in areas)
    return tr("{first_items} and {last_item}", first_items=", ".join(first), last_item=last) if first else last


def displaced_text(areas: Iterable[Area]) -> str:
    """Return a sentence about bundled areas that are no longer in use."""
    areas = tuple(areas)
    if len(areas) == 1:
        return tr("The bundled area {area_name} is no longer in use.", area_name=names_text(areas))
    return tr("The bundled areas {area_names} are no longer in use.", area_names=names_text(areas))


def again_text(areas: Iterable[Area]) -> str:
    """Return a sentence about areas that are in use again."""
    areas = tuple(areas)
    if len(areas) == 1:
        return tr("The area {area_name} is in use again.", area_name=names_text(areas))
    return tr("The areas {area_names} are in use again.", area_names=names_text(areas))


def is_extract(path: Path) -> bool:
    """Return whether the name of a file is that of an OpenStreetMap extract."""
    return path.name.lower().endswith(".pbf")
