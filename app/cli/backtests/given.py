"""The geofences and settings of a back-test: of a workspace, of files, and of options."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
from msgspec import Struct

from app.api.commands.backtests import KeptQuery, exact_set_up, read_set_up, write_kept_updates
from app.api.wire.settings.request import decode_settings_change
from app.backtest.given import fences_of_files
from app.backtest.kept import WriteKept
from app.cli.settings import read_assignments
from app.cli.terminal.output import progress_line
from app.cli.terminal.signals import StopRequest
from app.cli.workspaces import reach_workspace
from app.files import read_limited
from app.open_workspaces import open_workspaces
from app.settings import load_settings
from engine.backtest.backtest import FenceSet
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.fields.settings import changed_settings
from engine.domain.nesting import not_too_deep
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings
from engine.domain.words import did_you_mean
from engine.store.workspace import is_workspace


class Given(Struct, frozen=True):
    """Geofences with their settings: those of the workspace in a folder, or the defaults for files."""

    fences: FenceSet
    settings: ProjectSettings
    folder: Path | None = None

    @property
    def is_workspace(self) -> bool:
        """Whether the geofences are those of a workspace."""
        return self.folder is not None


def given_fences(texts: Sequence[str], option: str, environment: Environment, stop: StopRequest) -> Given:
    """Return the geofences of files, or those of a workspace given by its folder or its name.

    A workspace is only read, through the process that has it open if there is one. Raises `InvalidParameter` for
    `option`, or one that names the file and the row.
    """
    paths = [_located(text, option) for text in texts]
    folders = [path for path in paths if path.is_dir()]
    if not folders:
        return Given(fences_of_files(paths, progress_line("reading geofences", stop.check)), DEFAULT_SETTINGS)
    if len(paths) > 1:
        raise InvalidParameter(option, f"{option}: give one workspace, or files of geofences, not both or several.")
    return _of_workspace(folders[0], environment, stop)


def _located(text: str, option: str) -> Path:
    """Return the file, or the folder of the workspace, that a text names."""
    path = Path(text).expanduser()
    if is_workspace(path) or path.is_file():
        return path
    if path.is_dir():
        raise InvalidParameter(option, f"{option}: there is no workspace in {path}. Give a workspace or a file.")
    if (named := _named(text, option)) is not None:
        return named
    hint = did_you_mean(text, (folder.name for folder in _known_workspaces()))
    raise InvalidParameter(option, f"{option}: there is no file and no workspace {text!r}{hint}")


def workspace_of(text: str, option: str) -> Path | None:
    """Return the folder of the workspace that a text names by its folder or its name, or None if it is anything else.

    Raises `InvalidParameter` for `option` if several workspaces have the name.
    """
    path = Path(text).expanduser()
    if path.exists():
        return path if is_workspace(path) else None
    return _named(text, option)


def _named(text: str, option: str) -> Path | None:
    named = [folder for folder in _known_workspaces() if folder.name == text]
    if len(named) > 1:
        listed = ", ".join(map(str, named))
        raise InvalidParameter(option, f"{option}: several workspaces have the name {text!r}: {listed}. Give a folder.")
    return named[0] if named else None


def _known_workspaces() -> list[Path]:
    """Return the workspaces that are open or were opened last."""
    folders = (*(each.folder for each in open_workspaces()), *load_settings().recent)
    return [folder for folder in dict.fromkeys(folders) if is_workspace(folder)]


def _of_workspace(folder: Path, environment: Environment, stop: StopRequest) -> Given:
    with reach_workspace(folder, stop) as workspace:
        settings, geofences = read_set_up(workspace.run(exact_set_up, None, environment))
    if not geofences:
        raise InvalidParameter("geofences", f"geofences: {folder} has none in {environment.capitalize()}.")
    return Given(FenceSet(name=f"{folder.name} ({environment.capitalize()})", geofences=geofences), settings, folder)


def kept_writer(environment: Environment, stop: StopRequest) -> WriteKept:
    """Return a function that writes the kept updates of a workspace, through the process that has it open."""

    def write(workspace: Path, place: Path, updates: bool) -> None:
        progress = progress_line("reading kept updates", stop.check)
        with reach_workspace(workspace, stop) as reached:
            reached.run(write_kept_updates, KeptQuery(str(place), updates), environment, progress=progress)

    return write


def given_settings(
    before: ProjectSettings, file: Path | None, environment: Environment, assignments: Iterable[tuple[str, str]]
) -> ProjectSettings:
    """Return the settings of a file, or else those of the workspace, after the assignments.

    Raises `InvalidParameter` naming the invalid setting.
    """
    change = read_assignments(assignments)
    stored = before if file is None else _of_file(file, environment)
    return changed_settings(stored, decode_settings_change(change))


def _of_file(file: Path, environment: Environment) -> ProjectSettings:
    """Return the settings of a file, as ``fencewright settings --json`` writes them or as a seed has them."""
    try:
        found = orjson.loads(not_too_deep(read_limited(file)))
    except OSError as error:
        raise InvalidParameter("--settings", f"--settings: {file} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise InvalidParameter("--settings", f"--settings: {file} is not valid JSON: {error}.") from error
    try:
        return changed_settings(DEFAULT_SETTINGS, decode_settings_change(_section(found, environment)))
    except InvalidParameter as error:
        raise InvalidParameter(error.param, f"{file}: {error.message}") from error


def _section(found: Any, environment: Environment) -> Mapping[str, Any]:
    """Return the settings of an environment if a file has several environments, such as that of a seed."""
    if not isinstance(found, dict):
        raise InvalidParameter("settings", "settings: must be a JSON object.")
    section: dict[str, Any] = found
    if isinstance(section.get("settings"), dict):
        section = section["settings"]
    if section and section.keys() <= set(Environment):
        return _section(section.get(environment, {}), environment)
    return section
