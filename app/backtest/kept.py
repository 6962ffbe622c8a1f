"""The kept updates of workspaces for a back-test, and the geofences and settings as they were when these arrived."""

import shutil
from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import sha256
from os import fsencode
from pathlib import Path
from typing import Final

from msgspec import Struct

from engine.backtest.backtest import FenceSet, Request, has_begun, unfinished
from engine.backtest.reading.kept import UPDATES, Circumstances, read_circumstances
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.explaining import EarlierState
from engine.domain.values import replace

THEN: Final = "geofences and settings as they were at each update"
"""The rule of a back-test with the geofences of then, in its report."""

type WriteKept = Callable[[Path, Path, bool], None]
"""Writes the circumstances of a workspace into a folder, for `read_circumstances`, and its updates if these are wanted.

Its arguments are the workspace, the folder, and whether to write the updates.
"""


class Kept(Struct, frozen=True):
    """Files with the kept updates of workspaces, by their names in the history, and states before them.

    `then` are the circumstances in the workspace whose geofences and settings are used as they were.
    """

    files: Mapping[str, Path]
    first: Mapping[tuple[str, str | None], EarlierState]
    then: Circumstances | None


def kept_of(
    named: Mapping[str, Path],
    source: Path | None,
    output: Path,
    environment: Environment,
    write: WriteKept,
    *,
    option: str,
) -> Kept:
    """Write the kept updates of workspaces into the unfinished output, unless they are there already.

    `named` are the workspaces by their names in the history. `source` is the only workspace whose geofences are used
    as they were, if any. Raises `InvalidParameter` for `option` if a workspace has no kept updates.
    """
    reader = _Reader(unfinished(output) / "kept", environment, write)
    try:
        found = {item: reader.read(folder, updates=True) for item, folder in named.items()}
        then = None if source is None else next(iter(found.values()), None) or reader.read(source, updates=False)
        for item, each in found.items():
            if not each.updates:
                where = f"{named[item]} in {environment.capitalize()}"
                raise InvalidParameter(option, f"{option}: there are no kept updates in {where}.")
    except BaseException:
        if not has_begun(unfinished(output)):
            shutil.rmtree(unfinished(output), ignore_errors=True)
        raise
    first = {user: state for each in found.values() for user, state in each.first.items()}
    files = {item: reader.place(folder, updates=True) / UPDATES for item, folder in named.items()}
    return Kept(files, first, then)


class _Reader:
    """Writes kept updates and their circumstances into folders of their own, and reads the circumstances."""

    def __init__(self, place: Path, environment: Environment, write: WriteKept) -> None:
        self._place = place
        self._environment = environment
        self._write = write

    def place(self, workspace: Path, *, updates: bool) -> Path:
        """Return the folder for a workspace, so that a back-test of another one does not continue with its updates."""
        described = f"{self._environment} {updates} ".encode() + fsencode(workspace.resolve())
        return self._place / sha256(described).hexdigest()[:16]

    def read(self, workspace: Path, *, updates: bool) -> Circumstances:
        """Return the circumstances in a workspace, from its folder if that is complete."""
        place = self.place(workspace, updates=updates)
        found = read_circumstances(place)
        if found is None:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._write(workspace, place, updates)
            found = read_circumstances(place)
            assert found is not None
        return found


def fences_then(fences: FenceSet, then: Circumstances) -> FenceSet:
    """Return the geofences of a workspace as they were at each moment."""
    known = then.geofences
    present = tuple(each.geofence for each in known.versions if each.until is None)
    return replace(fences, geofences=present, versions=known.versions, edited=known.moments)


def known_since(then: Circumstances) -> datetime | None:
    """Return the moment before which some geofences are no longer kept, or None if all are."""
    known = then.geofences
    if not known.since:
        return None
    return next((at for at, revision in known.moments if revision >= known.since), None)


def request_then(
    request: Request,
    fences: FenceSet,
    against: FenceSet | None,
    then: Circumstances,
    change: Callable[[ProjectSettings], ProjectSettings] = lambda settings: settings,
) -> Request:
    """Return a back-test with geofences as they were, and with the settings of each moment after a change."""
    return replace(
        request,
        fences=fences,
        against=against,
        rules=(THEN,),
        then={each.number: change(each.settings) for each in then.settings},
        edited=tuple((each.since, each.number) for each in then.settings if each.since is not None),
    )
