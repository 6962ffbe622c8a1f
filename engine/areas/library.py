"""The areas of a workspace: listing, choosing, building, downloading and removing them."""

import difflib
import logging
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import orjson

from engine import bundled
from engine.areas.builder import run_build, run_measure
from engine.areas.folder import FORMAT, SOURCE, check_name, name_of, read_area, read_areas, remove_area, taken
from engine.areas.tools import BuildFailed
from engine.domain.area import Area
from engine.domain.errors import FencewrightError, InvalidParameter, NotFound
from engine.domain.nesting import not_too_deep
from engine.domain.ports import Cancelled, Progress, no_progress

log = logging.getLogger(__name__)

AREAS: Final = "areas"
CHOICE: Final = "areas.json"
BUNDLED: Final = bundled.AREAS.folder()
"""Folder of the bundled areas, which `fencewright setup` builds."""

_DOWNLOADS: Final = ".downloads"
_LOOK_EVERY_S: Final = 0.05


class AreaLibrary:
    """The areas of one workspace and the bundled ones.

    Works on folders alone, so that a command can build an area while another process has the workspace open. The other
    process reads the folders again when `refresh` is called. Methods block and may be called from any thread.
    """

    def __init__(
        self, workspace: Path, *, bundled: Path | None = None, changed: Callable[[], None] = lambda: None
    ) -> None:
        """Take the folder of a workspace; nothing is read before first use.

        `bundled` is the folder of the bundled areas, by default that of the set-up. `changed` is called whenever the
        areas, or the areas in use, change.
        """
        self._workspace = workspace
        self._given = bundled
        self._bundled = _bundled_now() if bundled is None else bundled
        self._only: tuple[str, ...] | None = None
        self._changed = changed
        self._lock = threading.RLock()
        self._known: tuple[tuple[Area, ...], tuple[Area, ...]] | None = None
        self._renewing: threading.Thread | None = None
        self._renewed: tuple[int, int] = (0, 0)
        self._renewal_failed: FencewrightError | None = None
        self._renewal_cancelled = threading.Event()
        self._closed = threading.Event()

    @property
    def folder(self) -> Path:
        """Folder of the workspace's own areas."""
        return self._workspace / AREAS

    def list(self) -> tuple[Area, ...]:
        """Return all areas, by name."""
        return self._look()[0]

    def in_use(self) -> tuple[Area, ...]:
        """Return the areas to route in and to draw.

        These are the chosen areas or, without a choice, all areas of the workspace, else the bundled ones. An area of
        an old format is left out until it is rebuilt, which begins now. An area that was never measured is
        measured in the background.
        """
        wanted = self._look()[1]
        if any(is_due(area) for area in wanted):
            self._renew_soon()
        return tuple(area for area in wanted if is_current(area))

    def stale(self) -> tuple[Area, ...]:
        """Return the areas that would be in use if their format was current."""
        return tuple(area for area in self._look()[1] if not is_current(area))

    def displaced(self) -> tuple[Area, ...]:
        """Return the bundled areas that are not in use because the workspace has areas of its own.

        Empty if the user chose the areas in use.
        """
        areas, wanted = self._look()
        if self._only is not None or self._chosen():
            return ()
        return tuple(area for area in areas if area.bundled and area not in wanted)

    def renew(self, progress: Progress = no_progress) -> tuple[Area, ...]:
        """Rebuild the `stale` areas, or wait for a rebuild that is already running, and return the areas then in use.

        An exception from `progress` ends the rebuild, which is not started again automatically. Raises `BuildFailed`.
        """
        self._renew_soon()
        renewing = self._renewing
        while renewing is not None and renewing.is_alive():
            renewing.join(_LOOK_EVERY_S)
            try:
                progress(*self._renewed)
            except BaseException:
                self._renewal_cancelled.set()
                renewing.join()
                raise
        if self._closed.is_set():
            raise Cancelled
        if self._renewal_failed is not None:
            raise self._renewal_failed
        return self.in_use()

    def get(self, name: str) -> Area:
        """Return an area. Raises `NotFound` ``area`` with the names of existing areas."""
        for area in self.list():
            if area.name == name:
                return area
        raise _unknown(name, self.list())

    def use(self, names: Iterable[str], progress: Progress = no_progress) -> tuple[Area, ...]:
        """Use these areas from now on and return them; without names, the areas of the workspace are used.

        An area of an old format is rebuilt first, and one that was never measured is measured. Raises
        `NotFound` ``area``.
        """
        areas = [self.get(name) for name in dict.fromkeys(names)]
        for area in areas:
            if not is_current(self._measured(area, progress)):
                self._renew(area, progress)
        self._remember([area.name for area in areas])
        self._only = None
        self.refresh()
        return self.in_use()

    def build(self, file: Path, name: str | None = None, progress: Progress = no_progress) -> Area:
        """Build an area from an extract, named `name` or after the file, and return it.

        `progress` may raise `Cancelled`, which leaves no files behind. Raises `InvalidParameter` ``file`` or ``name``,
        `Conflict` ``name``, `BuildFailed`.
        """
        chosen = name_of(file) if name is None else name
        self._check_new(chosen)
        _check_extract(file)
        run_build(file.absolute(), self.folder, chosen, source=file.name, progress=self._until_closed(progress))
        self.refresh()
        return self.get(chosen)

    def add(self, region: str, progress: Progress = no_progress, *, name: str | None = None) -> Area:
        """Download a Geofabrik region, build an area from it and return it.

        A partial download is kept for the next attempt if the connection breaks or `progress` raises. Raises `NotFound`
        ``region``, `DownloadFailed`, and the errors of `build`.
        """
        # Imported here because the HTTP client takes long to load.
        from engine.areas.regions import Regions

        progress = self._until_closed(progress)
        with Regions() as regions:
            found = regions.find(region, _half(progress, 0))
            chosen = found.id.rpartition("/")[2] if name is None else name
            self._check_new(chosen)
            file = regions.download(found, self.folder / _DOWNLOADS, _half(progress, 0))
        run_build(file, self.folder, chosen, source=found.id, progress=_half(progress, 1), link=True)
        file.unlink()
        self.refresh()
        return self.get(chosen)

    def remove(self, name: str) -> Area:
        """Remove an area of the workspace and return it. Raises `NotFound` ``area``."""
        area = self.get(name)
        if area.bundled:
            raise InvalidParameter("area", f"area: {name!r} is bundled and cannot be removed.")
        remove_area(area)
        if name in (chosen := self._chosen()):
            self._remember([other for other in chosen if other != name])
        self.refresh()
        return area

    def refresh(self) -> None:
        """Read the folders again, and call the listener if the areas changed."""
        with self._lock:
            before, self._known = self._known, None
        if before != self._look():
            self._changed()

    def find_bundled(self) -> None:
        """Switch to the bundled areas that there are now, after a set-up."""
        if self._given is None:
            self._bundled = _bundled_now()
        self.refresh()

    def limit_to(self, names: Sequence[str]) -> None:
        """Use these areas, or none, for the lifetime of this object, regardless of the workspace's settings.

        Raises `NotFound`.
        """
        only = tuple(dict.fromkeys(self.get(name).name for name in names))
        with self._lock:
            self._only, self._known = only, None

    def stop(self) -> None:
        """Cancel running builds and downloads without waiting for their end."""
        self._closed.set()

    def close(self) -> None:
        """Cancel running builds and wait for their end."""
        self.stop()
        if self._renewing is not None:
            self._renewing.join()

    def _look(self) -> tuple[tuple[Area, ...], tuple[Area, ...]]:
        with self._lock:
            if self._known is None:
                own = read_areas(self.folder)
                names = {area.name for area in own}
                bundled = tuple(area for area in read_areas(self._bundled, bundled=True) if area.name not in names)
                areas = tuple(sorted(own + bundled, key=lambda area: area.name))
                self._known = (areas, self._wanted(areas, own or bundled))
            return self._known

    def _wanted(self, areas: tuple[Area, ...], default: tuple[Area, ...]) -> tuple[Area, ...]:
        by_name = {area.name: area for area in areas}
        if self._only is not None:
            return tuple(by_name[name] for name in self._only if name in by_name)
        return tuple(by_name[name] for name in self._chosen() if name in by_name) or default

    def _chosen(self) -> Sequence[str]:
        try:
            content = orjson.loads(not_too_deep((self._workspace / CHOICE).read_bytes()))
            return [name for name in content["use"] if isinstance(name, str)]
        except (OSError, ValueError, KeyError, TypeError):
            return []

    def _remember(self, names: Sequence[str]) -> None:
        file = self._workspace / CHOICE
        if names:
            new = file.with_name(f".{CHOICE}.new")
            new.write_bytes(orjson.dumps({"use": names}))
            new.replace(file)
        else:
            file.unlink(missing_ok=True)

    def _check_new(self, name: str) -> None:
        check_name(name)
        if (self.folder / name).exists():
            raise taken(name)

    def _measured(self, area: Area, progress: Progress) -> Area:
        """Return an area after measuring what was never measured, if this is possible."""
        if not is_unmeasured(area) or not is_current(area):
            return area
        check = self._until_closed(progress)
        try:
            run_measure(area, lambda _done, _total: check(0, 100))
        except BuildFailed:
            log.exception("The area %s could not be measured", area.name)
        return read_area(area.folder) or area

    def _renew(self, area: Area, progress: Progress) -> None:
        """Rebuild an area from its stored extract."""
        extract = area.folder / SOURCE
        if not extract.is_file():
            raise BuildFailed(f"The area {area.name} has an old format and no stored extract; build it again.")
        progress = self._until_closed(progress)
        run_build(
            extract, area.folder.parent, area.name, source=area.source, progress=progress, replace=True, link=True
        )

    def _renew_soon(self) -> None:
        with self._lock:
            if self._renewing is None and not self._closed.is_set():
                self._renewing = threading.Thread(target=self._renew_all, name="fencewright-areas", daemon=True)
                self._renewing.start()

    def _renew_all(self) -> None:
        with suppress(Cancelled):
            self._measure_all()
            stale = self.stale()
            for number, area in enumerate(stale):
                try:
                    self._renew(area, partial(self._report_renewal, number, len(stale)))
                except FencewrightError as error:
                    self._renewal_failed = error
                    log.exception("The area %s could not be built anew", area.name)
        self.refresh()

    def _measure_all(self) -> None:
        due = [area for area in self._look()[1] if is_due(area)]
        for area in due:
            self._measured(area, self._check_cancelled)
        if due:
            self.refresh()

    def _check_cancelled(self, _done: int, _total: int) -> None:
        if self._renewal_cancelled.is_set() or self._closed.is_set():
            raise Cancelled

    def _report_renewal(self, number: int, count: int, done: int, total: int) -> None:
        self._check_cancelled(done, total)
        self._renewed = (number * 100 + done * 100 // max(total, 1), count * 100)

    def _until_closed(self, progress: Progress) -> Progress:
        def check(done: int, total: int) -> None:
            if self._closed.is_set():
                raise Cancelled
            progress(done, total)

        return check


def _bundled_now() -> Path:
    """Return the folder of the bundled areas, which changes if a set-up fills the other one."""
    return bundled.AREAS.folder()


def _check_extract(file: Path) -> None:
    # Imported here because the module for reading extracts takes long to load.
    from engine.areas.extract import check_extract

    check_extract(file)


def is_current(area: Area) -> bool:
    """Return whether an area has the current format."""
    return area.format == FORMAT


def is_due(area: Area) -> bool:
    """Return whether an area must be rebuilt or measured."""
    return not is_current(area) or is_unmeasured(area)


def is_unmeasured(area: Area) -> bool:
    """Return whether the bounds of an area, or the ends of its roads, can be measured and were not."""
    if area.measured and area.ends is not None:
        return False
    return (area.folder / SOURCE).is_file() and os.access(area.folder, os.W_OK)


def _unknown(name: str, areas: Iterable[Area]) -> NotFound:
    if name == bundled.PLAN.name:
        return NotFound("area", f"area: {name!r} is not built on this computer; 'fencewright setup' builds it.")
    names = [area.name for area in areas]
    near = difflib.get_close_matches(name, names, n=1)
    hint = (
        f"did you mean {near[0]!r}?"
        if near
        else f"available areas: {', '.join(names)}."
        if names
        else "there are no areas."
    )
    return NotFound("area", f"area: unknown area {name!r}; {hint}")


def _half(progress: Progress, number: int) -> Progress:
    """Return a progress callback for the first or the second half of the work."""
    return lambda done, total: progress((number * 100 + done * 100 // max(total, 1)) // 2, 100)
