"""The workspace that a command uses."""

import shlex
from argparse import Namespace
from pathlib import Path

from app.cli.terminal.output import note
from app.open_workspaces import OpenWorkspace, open_workspaces
from app.settings import default_workspace, remember_workspace, workspace_to_open
from engine.domain.errors import WorkspaceError
from engine.store.workspace import DATABASE, MEMORY, read_endpoint


def chosen_workspace(arguments: Namespace) -> Path | str:
    """Return the workspace of ``--workspace``, else the open one or the most recently opened; ":memory:" is kept.

    A default is named on standard error and used again by later calls with these arguments. Raises `WorkspaceError` if
    several workspaces are open.
    """
    return _settled(arguments, _named(arguments) or _default())


def workspace_to_serve(arguments: Namespace) -> Path | str:
    """Return the workspace of ``--workspace``, else the most recently opened one. The server names it itself."""
    folder, _ = _named(arguments) or _last_opened()
    return _settled(arguments, (folder, ""))


def existing_workspace(arguments: Namespace) -> Path | str:
    """Return the chosen workspace for a command that requires an existing one."""
    folder, why = _named(arguments) or _default()
    if isinstance(folder, Path) and not (folder / DATABASE).exists():
        hint = f", {why}. Choose one with --workspace." if why else "."
        raise WorkspaceError(f"There is no workspace in {folder}{hint}")
    return _settled(arguments, (folder, why))


def workspace_of_trial(arguments: Namespace) -> Path | str:
    """Return the chosen workspace for a command that must not create one: if it does not exist, an empty one."""
    folder, why = _named(arguments) or _default()
    if isinstance(folder, Path) and not (folder / DATABASE).exists():
        note(f"there is no workspace in {folder}, and a dry run creates none: an empty workspace is used instead")
        return MEMORY
    return _settled(arguments, (folder, why))


def same_workspace(arguments: Namespace) -> str:
    """Return the end of a suggested command that is to use the workspace of this one: empty for the default."""
    return f" --workspace {shlex.quote(arguments.workspace)}" if arguments.names_workspace else ""


type _Choice = tuple[Path | str, str]
"""A workspace and the reason why it is the default, which is empty if the user has chosen it."""


def _named(arguments: Namespace) -> _Choice | None:
    given: str | None = arguments.workspace
    if not given:
        return None
    return (MEMORY if given == MEMORY else Path(given).expanduser().absolute()), ""


def _default() -> _Choice:
    found = open_workspaces()
    if len(found) > 1:
        listed = ", ".join(map(_described, found))
        raise WorkspaceError(f"Several workspaces are open: {listed}. Choose one with --workspace.")
    if found:
        url = found[0].url
        return found[0].folder, "which is open" if url is None else f"which is open at {url}"
    return _last_opened()


def _last_opened() -> _Choice:
    folder = workspace_to_open()
    return folder, "the default" if folder == default_workspace() else "which was opened last"


def _described(found: OpenWorkspace) -> str:
    details = ["temporary"] * found.temporary + ([] if found.url is None else [found.url])
    return shlex.quote(str(found.folder)) + (f" ({', '.join(details)})" if details else "")


def _settled(arguments: Namespace, choice: _Choice) -> Path | str:
    """Name a default, remember the workspace as the last one opened, and return it."""
    folder, why = choice
    arguments.names_workspace = not why
    if why:
        note(f"using the workspace {folder}, {why}")
        arguments.workspace = str(folder)
    if isinstance(folder, Path) and not _is_temporary(folder):
        remember_workspace(folder)
    return folder


def _is_temporary(folder: Path) -> bool:
    try:
        endpoint = read_endpoint(folder)
    except OSError:  # opening it reports the reason
        return False
    return endpoint is not None and endpoint.temporary
