"""Errors of the engine, reported at their position in the scenario file."""

from collections.abc import Callable, Iterable
from typing import Final

from app.api.wire.common.encoding import on_the_wire
from app.lab.files.faults import Fault, ScenarioInvalid, Way, field_name
from app.lab.files.yaml_tree import Document
from engine.bundled import PLAN
from engine.domain.errors import FencewrightError
from engine.routing.areas import NOTHING_LOADED

_NO_ROADS: Final = (
    f"no area is loaded, so there are no roads; name one in areas, such as [{PLAN.name}], "
    "which 'fencewright setup' builds."
)


def fault_of(document: Document, path: Way, error: FencewrightError) -> ScenarioInvalid:
    """Return an error of the engine about the value at `path`, with the field that it names."""
    error = on_the_wire(error)
    param = str(getattr(error, "param", ""))
    message = error.message.removeprefix(f"{param}: ").replace(NOTHING_LOADED, _NO_ROADS)
    if param and ((*path, param) in document.values or message.startswith("is required")):
        # A missing field is reported by its name, at the position of its parent.
        path = (*path, param)
    return ScenarioInvalid([Fault(document.file, document.mark(path), field_name(path), message)])


class Faults:
    """Collects the faults of a scenario, so that all are reported together, but only the first one per position."""

    def __init__(self, document: Document, found: Iterable[Fault] = ()) -> None:
        self._document = document
        self.found = list(found)

    def gather(self, path: Way, work: Callable[[], object]) -> bool:
        """Run `work` and collect its errors. Returns whether it succeeded."""
        try:
            work()
        except ScenarioInvalid as error:
            self.add(error.faults)
        except FencewrightError as error:
            self.add(fault_of(self._document, path, error).faults)
        else:
            return True
        return False

    def add(self, faults: Iterable[Fault]) -> None:
        """Add faults."""
        places = {fault.mark for fault in self.found}
        self.found += [fault for fault in faults if fault.mark not in places]

    def raise_any(self) -> None:
        """Raise `ScenarioInvalid` if there are any faults."""
        if self.found:
            raise ScenarioInvalid(self.found)
