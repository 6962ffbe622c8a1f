"""``fencewright diagnostics``: information for finding the cause of a problem, without secrets, as one file."""

from argparse import Namespace
from pathlib import Path

from app.cli.targets import existing_workspace
from app.cli.terminal.output import note, write_json, write_line
from app.diagnostics.bundle import LEFT_OUT, SUFFIX, listed, save
from app.diagnostics.collecting import Subject, collect
from engine.domain.errors import InvalidParameter
from engine.store.workspace import MEMORY


def diagnostics(arguments: Namespace) -> int:
    """List the diagnostics, and write them to a file if one is given."""
    folder = existing_workspace(arguments)
    if folder == MEMORY:
        raise InvalidParameter("workspace", "workspace: a temporary workspace has no diagnostics.")
    output: Path | None = arguments.output
    if output is not None and output.suffix.lower() != SUFFIX:
        raise InvalidParameter("output", f"output: the name must end in {SUFFIX}.")
    parts = collect(Subject(Path(folder)))
    if output is not None:
        save(parts, output)
        note(f"wrote diagnostics to {output}")
    if arguments.json:
        write_json({"parts": [{"name": part.name, "about": part.about} for part in parts]}, indented=True)
    else:
        write_line(f"{listed(parts)}\n{LEFT_OUT}")
    return 0
