"""``fencewright area``: build, list, choose, download and remove areas."""

from argparse import Namespace
from pathlib import Path
from typing import Any

from app.api.commands.workspace import refresh_areas
from app.api.wire.common.encoding import encode_time
from app.cli.targets import chosen_workspace
from app.cli.terminal.output import end_progress, note, progress_bar, write_json, write_line
from app.cli.terminal.signals import StopRequest, stop_on_signals
from app.cli.workspaces import find_open_workspace
from engine.areas.library import AreaLibrary, is_current
from engine.domain.area import Area, wrapped
from engine.domain.errors import WorkspaceError
from engine.domain.ports import Cancelled, Progress
from engine.store.workspace import MEMORY

_STOPPED = {
    "build": "stopped; the area was not built",
    "add": "stopped; the partial download is kept, and the next attempt resumes it",
    "use": "stopped; the areas in use have not changed",
}


def area(arguments: Namespace) -> int:
    """Run the subcommand on the areas of a workspace, which need not be open."""
    library = AreaLibrary(_folder(arguments))
    if arguments.action == "list":
        _write_areas(library, arguments)
    elif arguments.action == "remove":
        removed = library.remove(arguments.name)
        _notify_open_workspace(arguments)
        _write_result(arguments, library, removed, f"removed {removed.name}")
    else:
        return _long_work(arguments, library)
    return 0


def _long_work(arguments: Namespace, library: AreaLibrary) -> int:
    before = library.displaced()
    with stop_on_signals() as stop:
        try:
            match arguments.action:
                case "build":
                    built = library.build(arguments.file, arguments.name, _bar("building", stop))
                case "add":
                    built = library.add(arguments.region, _bar(f"adding {arguments.region}", stop), name=arguments.name)
                case _:
                    library.use(arguments.names, _bar("renewing", stop))
                    _notify_open_workspace(arguments)
                    _write_areas(library, arguments)
                    return 0
        except Cancelled:
            end_progress()
            note(_STOPPED[arguments.action])
            return stop.exit_code
    _notify_open_workspace(arguments)
    _write_result(arguments, library, built, f"built {built.name}: {_described(built)}")
    _note_displaced(library, before)
    return 0


def _note_displaced(library: AreaLibrary, before: tuple[Area, ...]) -> None:
    """Report the bundled areas that the workspace's first own area has just displaced, and how to use both."""
    displaced = [area.name for area in library.displaced() if area not in before]
    if displaced:
        every = " ".join([*(area.name for area in library.in_use()), *displaced])
        noun, be, use = ("areas", "are", "all") if len(displaced) > 1 else ("area", "is", "both")
        note(
            f"the bundled {noun} {' and '.join(displaced)} {be} no longer in use; "
            f"'fencewright area use {every}' uses {use}"
        )


def _bar(label: str, stop: StopRequest) -> Progress:
    return progress_bar(label, stop.check)


def _folder(arguments: Namespace) -> Path:
    folder = chosen_workspace(arguments)
    if folder == MEMORY:
        raise WorkspaceError("A temporary workspace keeps no areas; choose another with --workspace.")
    return Path(folder)


def _notify_open_workspace(arguments: Namespace) -> None:
    """Make the process that has the workspace open, if any, reload its areas."""
    if (remote := find_open_workspace(_folder(arguments))) is not None:
        remote.run(refresh_areas, None)


def _write_result(arguments: Namespace, library: AreaLibrary, area: Area, text: str) -> None:
    if arguments.json:
        write_json(_encoded(area, library.in_use()), indented=True)
    else:
        write_line(text)


def _write_areas(library: AreaLibrary, arguments: Namespace) -> None:
    areas, used = library.list(), library.in_use()
    if arguments.json:
        write_json([_encoded(each, used) for each in areas], indented=True)
        return
    width = max((len(each.name) for each in areas), default=0)
    for each in areas:
        write_line(f"{'*' if each in used else ' '} {each.name:{width}}  {_described(each)}")
    if not areas:
        note("no areas; build one with 'fencewright area build FILE.osm.pbf'")


def _described(area: Area) -> str:
    west, south, east, north = wrapped(area.bounds)
    extent = f"latitude {south:.3f} to {north:.3f}, longitude {west:.3f} to {east:.3f}"
    remarks = ", no roads" * (area.roads is None) + ", bundled" * area.bundled + ", old format" * (not is_current(area))
    return f"{area.size_bytes / 1e6:.1f} MB, {extent}, from {area.source}{remarks}"


def _encoded(area: Area, used: tuple[Area, ...]) -> dict[str, Any]:
    return {
        "name": area.name,
        "inUse": area in used,
        "bounds": list(wrapped(area.bounds)),
        "builtAt": encode_time(area.built_at),
        "source": area.source,
        "format": area.format,
        "current": is_current(area),
        "roads": area.roads is not None,
        "bundled": area.bundled,
        "sizeBytes": area.size_bytes,
        "folder": str(area.folder),
    }
