"""What the engine refuses, told at its place in the scenario file."""

from app.api.wire.common.names import on_the_wire
from app.lab.files.faults import ScenarioInvalid, Way
from app.lab.files.yaml_tree import Document
from engine.domain.errors import FencewrightError


def fault_of(document: Document, path: Way, error: FencewrightError) -> ScenarioInvalid:
    """Return an error of the engine about the value at `path`, with the field that it names."""
    error = on_the_wire(error)
    param = str(getattr(error, "param", ""))
    message = error.message.removeprefix(f"{param}: ") if param else error.message
    way = (*path, param) if param and (*path, param) in document.values else path
    return document.invalid(way, message)
