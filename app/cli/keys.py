"""``fencewright keys``: show the API keys of a workspace, or replace them."""

from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from app.cli.options.workspace import ALL_KEYS, key_names
from app.cli.targets import chosen_workspace
from app.cli.terminal.output import note, write_json, write_line
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import InvalidParameter
from engine.store.keys import KeyRing
from engine.store.workspace import KEYS, MEMORY, open_workspace, read_endpoint, read_keys

type _Rotate = Callable[[Environment, KeyLevel], Any]


def keys(arguments: Namespace) -> int:
    """Rotate the requested keys, then write all four keys."""
    folder = chosen_workspace(arguments)
    if folder == MEMORY:
        raise InvalidParameter("workspace", "A temporary workspace keeps no keys.")
    ring = _rotated(Path(folder), arguments.rotate) if arguments.rotate else _read(Path(folder))
    if arguments.shell:
        _write_variables(ring)
    else:
        _write(ring, as_json=arguments.json)
    return 0


def keys_by_name(ring: KeyRing) -> dict[str, dict[str, str]]:
    """Return the keys in the form for scripts: by environment, then by level."""
    return {env.value: {level.value: ring.value(env, level) for level in KeyLevel} for env in Environment}


def _write(ring: KeyRing, *, as_json: bool) -> None:
    if as_json:
        write_json(keys_by_name(ring), indented=True)
        return
    for key in ring.all():
        write_line(f"{key.environment:<5} {key.level:<12} {key.value}")


def _write_variables(ring: KeyRing) -> None:
    """Write the Test keys for `eval`, under the names that the documentation uses."""
    for level in KeyLevel:
        write_line(f"export {level.name}={ring.value(Environment.TEST, level)}")


def _read(folder: Path) -> KeyRing:
    if (folder / KEYS).exists():
        return read_keys(folder)
    # Create the keys under the lock, so that two commands do not create different ones.
    workspace = open_workspace(folder)
    workspace.close()
    return read_keys(folder)


def _rotated(folder: Path, names: Sequence[str]) -> KeyRing:
    chosen = key_names() if ALL_KEYS in names else tuple(dict.fromkeys(names))
    if read_endpoint(folder) is not None:
        from app.api.commands.workspace import rotate_key
        from app.cli.workspaces import find_open_workspace

        remote = find_open_workspace(folder)
        if remote is not None:
            _rotate(lambda environment, level: remote.run(rotate_key, level, environment), chosen)
            return read_keys(folder)
    workspace = open_workspace(folder)
    try:
        _rotate(workspace.keys.rotate, chosen)
        return workspace.keys
    finally:
        workspace.close()


def _rotate(rotate: _Rotate, names: Sequence[str]) -> None:
    for name in names:
        environment, _, level = name.partition("-")
        rotate(Environment(environment), KeyLevel(level))
        note(f"the {environment} {level} key was replaced; the old one is invalid")
