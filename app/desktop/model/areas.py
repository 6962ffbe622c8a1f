"""Areas as the window shows them: which there are, which are in use, in words."""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from app.desktop.language import tr
from engine.domain.area import Area

EXTRACT = ".osm.pbf"


class Areas(Struct, frozen=True):
    """All areas of the workspace with those that came with the program, and those of them that are in use.

    Those that are `stale` would be, if they were not of an old format; those `displaced` came with the program and gave
    way to the first one of the workspace's own.
    """

    all: tuple[Area, ...] = ()
    in_use: tuple[Area, ...] = ()
    stale: tuple[Area, ...] = ()
    displaced: tuple[Area, ...] = ()

    def uses(self, area: Area) -> bool:
        """Whether an area is in use."""
        return any(used.name == area.name for used in self.in_use)

    def names_with(self, name: str, *, used: bool) -> tuple[str, ...]:
        """Return the names that are in use when this one is, or is not."""
        names = [area.name for area in self.in_use if area.name != name]
        return (*names, name) if used else tuple(names)

    @property
    def newest(self) -> Area | None:
        """The area in use that was built last."""
        return max(self.in_use, key=lambda area: area.built_at, default=None)


NO_AREAS = Areas()


def size_text(size_bytes: int) -> str:
    """Return a size as people say it: ``850 kB``, ``10.7 MB``."""
    if size_bytes < 1_000_000:
        return tr("{size_bytes:,.0f} kB", size_bytes=size_bytes / 1000)
    return tr("{size_bytes:,.1f} MB", size_bytes=size_bytes / 1_000_000)


def about(area: Area) -> str:
    """Return where an area is from, and from where to where it goes."""
    west, south, east, north = area.bounds
    origin = tr("Bundled, from") if area.bundled else tr("Built from")
    return tr(
        "{origin} {source_}\n{south:.4f}, {west:.4f} to {north:.4f}, {east:.4f}",
        origin=origin,
        source_=area.source,
        south=south,
        west=west,
        north=north,
        east=east,
    )


def summary(areas: Iterable[Area]) -> str:
    """Return which areas are in use, for the status line."""
    names = sorted(area.name for area in areas)
    if not names:
        return tr("No area")
    return tr("Area: {names}", names=names[0]) if len(names) == 1 else tr("{names} areas", names=len(names))


def names_text(areas: Iterable[Area]) -> str:
    """Return the names of areas as a sentence lists them: ``town``, ``town and village``."""
    *first, last = sorted(area.name for area in areas)
    return tr("{first} and {last}", first=", ".join(first), last=last) if first else last


def displaced_text(areas: Iterable[Area]) -> str:
    """Return the sentence that says that areas which came with the program have given way."""
    areas = tuple(areas)
    if len(areas) == 1:
        return tr("The bundled area {areas} is no longer in use.", areas=names_text(areas))
    return tr("The bundled areas {areas} are no longer in use.", areas=names_text(areas))


def again_text(areas: Iterable[Area]) -> str:
    """Return the sentence that says that areas are in use again."""
    areas = tuple(areas)
    if len(areas) == 1:
        return tr("The area {areas} is in use again.", areas=names_text(areas))
    return tr("The areas {areas} are in use again.", areas=names_text(areas))


def is_extract(path: Path) -> bool:
    """Whether a file's name promises an extract of OpenStreetMap."""
    return path.name.lower().endswith(".pbf")
