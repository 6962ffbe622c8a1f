"""Workspaces that the window does not have open, read for its back-tests.

Other modules are imported when they are used, since the window appears before those of `app.api` are loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from engine.domain.environment import Environment
from engine.domain.errors import WorkspaceError
from engine.domain.geofence import Geofence
from engine.domain.ports import Progress
from engine.domain.settings import ProjectSettings
from engine.store.workspace import is_workspace

if TYPE_CHECKING:
    from app.cli.workspaces import ReachedWorkspace


class OtherWorkspaces:
    """Implements the protocol of the same name in `app.desktop.session`."""

    def set_up(
        self, folder: Path, environment: Environment, progress: Progress
    ) -> tuple[ProjectSettings, tuple[Geofence, ...]]:
        """Return the settings and geofences of an environment, exactly as they are stored."""
        from app.api.commands.backtests import exact_set_up, read_set_up

        with _reached(folder, progress) as workspace:
            return read_set_up(workspace.run(exact_set_up, None, environment, progress=progress))

    def count_updates(self, folder: Path, environment: Environment, progress: Progress) -> int:
        """Return how many updates are kept."""
        from app.api.commands.backtests import count_kept_updates

        with _reached(folder, progress) as workspace:
            return workspace.run(count_kept_updates, None, environment, progress=progress)

    def write_kept(
        self, folder: Path, environment: Environment, place: Path, progress: Progress, *, updates: bool
    ) -> None:
        """Write the circumstances of kept updates into the folder `place`, and the updates if these are wanted."""
        from app.api.commands.backtests import KeptQuery, write_kept_updates

        with _reached(folder, progress) as workspace:
            workspace.run(write_kept_updates, KeptQuery(str(place), updates), environment, progress=progress)


@contextmanager
def _reached(folder: Path, progress: Progress) -> Iterator[ReachedWorkspace]:
    """Yield the workspace in a folder. Raises `WorkspaceError` if there is none, since opening would create it."""
    from app.cli.workspaces import ReachedWorkspace

    if not is_workspace(folder):
        raise WorkspaceError(f"There is no workspace in {folder}.")
    with closing(ReachedWorkspace(folder, None, progress)) as workspace:
        yield workspace
