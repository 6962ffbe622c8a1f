"""The workspace that a command uses."""

from argparse import Namespace
from pathlib import Path

from app.settings import workspace_to_open
from engine.domain.errors import WorkspaceError
from engine.store.workspace import DATABASE, MEMORY


def chosen_workspace(arguments: Namespace) -> Path | str:
    """Return the workspace of ``--workspace``, else the most recently opened one; ":memory:" stays as it is."""
    given: str | None = arguments.workspace
    if given == MEMORY:
        return MEMORY
    return Path(given).expanduser().absolute() if given else workspace_to_open()


def existing_workspace(arguments: Namespace) -> Path | str:
    """Return the chosen workspace for a command that requires an existing one."""
    folder = chosen_workspace(arguments)
    if isinstance(folder, Path) and not (folder / DATABASE).exists():
        raise WorkspaceError(f"There is no workspace in {folder}.")
    return folder
