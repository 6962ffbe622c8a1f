"""The workspaces of a back-test, read in a worker. Imported on demand, as the libraries may be missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from app.backtest.given import fences_of_files
from app.backtest.kept import WriteKept, fences_then
from app.desktop.language import tr
from app.desktop.model.backtests.wish import FenceSource, stored_in
from app.desktop.model.words import workspace_name
from app.desktop.session import OtherWorkspaces
from engine.backtest.backtest import FenceSet
from engine.backtest.reading.kept import Circumstances, write_kept
from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError, InvalidParameter
from engine.domain.geofence import Geofence
from engine.domain.ports import Cancelled, Progress
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.whatif import FenceEdits
from engine.engine import Engine
from engine.store.history.kept import number_of_updates


class Side(Struct, frozen=True):
    """Geofences of a back-test with the settings that apply to them, and whether they can be used as they were."""

    fences: FenceSet
    settings: ProjectSettings
    is_stored: bool = False

    def then(self, circumstances: Circumstances) -> FenceSet:
        """Return the geofences, as they were at each update if they are those stored in the workspace."""
        return fences_then(self.fences, circumstances) if self.is_stored else self.fences


class Ground(Struct, frozen=True):
    """The open workspace: its engine, the displayed environment, and the edits of What if; and access to others."""

    engine: Engine
    environment: Environment
    edits: FenceEdits
    others: OtherWorkspaces | None = None

    @property
    def folder(self) -> Path:
        """The folder of the open workspace."""
        return self.engine.workspace.folder

    def side(
        self, source: FenceSource, files: Sequence[Path], folder: Path | None, param: str, report: Progress
    ) -> Side:
        """Return geofences. Raises `InvalidParameter` for `param` if they cannot be read or there are none."""
        with _naming(param):
            match source:
                case FenceSource.FILES:
                    return Side(fences_of_files(files, report), self._settings)
                case FenceSource.EDITED:
                    return Side(self._edited(report), self._settings)
                case FenceSource.OTHER:
                    other = Environment.TEST if self.environment.live else Environment.LIVE
                    return Side(self._stored(other, param, report), self._settings)
            of = stored_in(source, folder, self.folder)
            assert of is not None
            if self._is_own(of):
                return Side(self._stored(self.environment, param, report), self._settings, is_stored=True)
            settings, geofences = self._others(param).set_up(of, self.environment, report)
            name = f"{of.name} ({self.environment.capitalize()})"
            return Side(_named(name, geofences, param, name), settings, is_stored=True)

    def count_updates(self, folder: Path, report: Progress) -> int:
        """Return how many updates a workspace keeps. Raises `InvalidParameter` if there are none."""
        with _naming("history"):
            count = self._count(folder, report)
        if not count:
            where = f"{self.name_of(folder)} ({self.environment.capitalize()})"
            raise InvalidParameter("history", tr("history: there are no kept updates in {workspace}.", workspace=where))
        return count

    def kept_writer(self, report: Progress) -> WriteKept:
        """Return a function that writes the kept updates of a workspace."""

        def write(folder: Path, place: Path, updates: bool) -> None:
            with _naming("history"):
                if self._is_own(folder):
                    self.engine.read_at_once(
                        lambda connection: write_kept(connection, self.environment, place, report, updates=updates)
                    )
                else:
                    self._others("history").write_kept(folder, self.environment, place, report, updates=updates)

        return write

    def name_of(self, folder: Path) -> str:
        """Return the name of a workspace."""
        return workspace_name(self.engine.workspace) if self._is_own(folder) else folder.name

    @property
    def _settings(self) -> ProjectSettings:
        return self.engine.settings.get(self.environment)

    def _count(self, folder: Path, report: Progress) -> int:
        if self._is_own(folder):
            return self.engine.read_at_once(lambda connection: number_of_updates(connection, self.environment))
        return self._others("history").count_updates(folder, self.environment, report)

    def _is_own(self, folder: Path) -> bool:
        return folder.resolve() == self.folder.resolve()

    def _others(self, param: str) -> OtherWorkspaces:
        if self.others is None:
            raise InvalidParameter(param, tr("{param}: only the open workspace can be read here.", param=param))
        return self.others

    def _edited(self, report: Progress) -> FenceSet:
        kept = {each.id: each for each in self.engine.geofences.all(self.environment, report)}
        kept |= {each.id: each for each in self.edits.saved}
        left = tuple(each for each in kept.values() if each.id not in self.edits.removed)
        name = f"{workspace_name(self.engine.workspace)} ({self.environment.capitalize()})"
        return FenceSet(name=tr("{geofences} with the edits", geofences=name), geofences=left)

    def _stored(self, environment: Environment, param: str, report: Progress) -> FenceSet:
        geofences = self.engine.geofences.all(environment, report)
        name = f"{workspace_name(self.engine.workspace)} ({environment.capitalize()})"
        return _named(name, geofences, param, environment.capitalize())


def _named(name: str, geofences: Sequence[Geofence], param: str, where: str) -> FenceSet:
    """Return geofences with a name. Raises `InvalidParameter` for `param` if there are none."""
    if not geofences:
        raise InvalidParameter(param, tr("{param}: there are none in {workspace}.", param=param, workspace=where))
    return FenceSet(name=name, geofences=tuple(geofences))


@contextmanager
def _naming(param: str) -> Iterator[None]:
    """Name the field of the dialog in errors."""
    try:
        yield
    except InvalidParameter as error:
        raise InvalidParameter(param, error.message) from error
    except Cancelled:
        raise
    except FencewrightError as error:
        raise InvalidParameter(param, f"{param}: {error}") from error
