"""The kept updates of workspaces for a back-test, and the geofences and settings as they were when these arrived."""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from app.api.commands.backtests import KeptQuery, write_kept_updates
from app.cli.backtests.given import Given, workspace_of
from app.cli.terminal.output import note, progress_line
from app.cli.terminal.signals import StopRequest
from app.cli.workspaces import reach_workspace
from engine.backtest.backtest import FenceSet, has_begun, unfinished
from engine.backtest.reading.kept import UPDATES, Circumstances, read_circumstances
from engine.domain.clock import utc_text
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.tracking.explaining import EarlierState
from engine.domain.values import replace

_AT: Final = "--geofences-at"
_HISTORY: Final = "--history"


class Kept(Struct, frozen=True):
    """Files with the kept updates of workspaces, by their names on the command line, and states before them.

    `then` are the circumstances in the workspace whose geofences and settings are used as they were.
    """

    files: Mapping[str, Path]
    first: Mapping[tuple[str, str | None], EarlierState]
    then: Circumstances | None


def kept_of(
    history: Sequence[str],
    sides: Iterable[Given],
    output: Path,
    environment: Environment,
    stop: StopRequest,
    *,
    then: bool,
) -> Kept:
    """Write the kept updates of workspaces in a history into the unfinished output, unless they are there already.

    With `then`, the circumstances are those in the only workspace that has geofences. Raises `InvalidParameter` for
    ``--geofences-at`` or ``--history``.
    """
    named = {item: folder for item in history if (folder := workspace_of(item, _HISTORY)) is not None}
    source = _only_workspace([*named.values()], sides) if then else None
    reader = _Reader(unfinished(output) / "kept", environment, stop)
    try:
        found = {item: reader.read(folder, updates=True) for item, folder in named.items()}
        circumstances = next(iter(found.values()), None)
        if source is not None and circumstances is None:
            circumstances = reader.read(source, updates=False)
    except BaseException:
        if not has_begun(unfinished(output)):
            shutil.rmtree(unfinished(output), ignore_errors=True)
        raise
    first = {user: state for each in found.values() for user, state in each.first.items()}
    files = {item: reader.place(number) / UPDATES for number, item in enumerate(found)}
    return Kept(files, first, circumstances if then else None)


def _only_workspace(of_history: Sequence[Path], sides: Iterable[Given]) -> Path:
    """Return the workspace of the geofences, if the history has kept updates of no other one."""
    of_sides = [each.folder for each in sides if each.folder is not None]
    folders = {folder.resolve() for folder in (*of_history, *of_sides)}
    if not of_sides or len(folders) > 1:
        raise InvalidParameter(_AT, f"{_AT}: then requires geofences of one workspace, and kept updates of no other.")
    return of_sides[0]


class _Reader:
    """Writes kept updates and their circumstances into numbered folders, and reads the circumstances."""

    def __init__(self, place: Path, environment: Environment, stop: StopRequest) -> None:
        self._place = place
        self._environment = environment
        self._stop = stop
        self._count = 0

    def place(self, number: int) -> Path:
        """Return the folder with a number."""
        return self._place / str(number)

    def read(self, workspace: Path, *, updates: bool) -> Circumstances:
        """Return the circumstances in a workspace, from the next folder if that is complete."""
        place = self.place(self._count)
        self._count += 1
        found = read_circumstances(place)
        if found is None:
            self._write(workspace, place, updates=updates)
            found = read_circumstances(place)
            assert found is not None
        if updates and not found.updates:
            where = f"{workspace} in {self._environment.capitalize()}"
            raise InvalidParameter(_HISTORY, f"{_HISTORY}: there are no kept updates in {where}.")
        return found

    def _write(self, workspace: Path, place: Path, *, updates: bool) -> None:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        progress = progress_line("reading kept updates", self._stop.check)
        with reach_workspace(workspace, self._stop) as reached:
            query = KeptQuery(str(place), updates)
            reached.run(write_kept_updates, query, self._environment, progress=progress)


def fences_then(fences: FenceSet, then: Circumstances) -> FenceSet:
    """Return the geofences of a workspace as they were at each moment, and say if some are no longer known."""
    known = then.geofences
    if known.since:
        at = next((at for at, revision in known.moments if revision >= known.since), None)
        if at is not None:
            note(f"of the geofences of {fences.name}, some from before {utc_text(at)} are no longer kept")
    present = tuple(each.geofence for each in known.versions if each.until is None)
    return replace(fences, geofences=present, versions=known.versions, edited=known.moments)
