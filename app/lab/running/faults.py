"""What the engine refuses, told at its place in the scenario file."""

from app.api.wire.common.names import on_the_wire
from app.lab.files.faults import ScenarioInvalid, Way
from app.lab.files.yaml_tree import Document
from engine.domain.errors import FencewrightError


def fault_of(document: Document, path: Way, error: FencewrightError) -> ScenarioInvalid:
    """Return an error of the engine about the value at `path`, with the field that it names."""
    error = on_the_wire(error)
    param = str(getattr(error, "param", ""))
    is_there = bool(param) and (*path, param) in document.values
    # A field that is missing has no place of its own: what it is missing from names it.
    is_missing = bool(param) and not is_there and any(way[:-1] == path for way in document.values)
    message = error.message if is_missing else error.message.removeprefix(f"{param}: ")
    return document.invalid((*path, param) if is_there else path, message)
