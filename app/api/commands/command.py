"""One operation of commands, and what it is called with."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.ports import Progress, no_progress
from engine.engine import Engine


class Call[Q](Struct, frozen=True):
    """A request to the engine that has the workspace open, with a file as `data` if there is one.

    `progress` may raise `Cancelled`. Some operations are about both environments and ignore `environment`. It is from
    `elsewhere` if another process sent it.
    """

    engine: Engine
    environment: Environment
    request: Q
    data: bytes = b""
    progress: Progress = no_progress
    elsewhere: bool = False


class Command[Q, A](Struct, frozen=True, kw_only=True):
    """An operation by its name: it answers values of JSON, bytes, or `Records`.

    `repeats` says of a request whether it does no harm to do it twice; `stopped` is the outcome of an operation that is
    cancelled because its process is stopped.
    """

    name: str
    run: Callable[[Call[Q]], A]
    repeats: Callable[[Any], bool]
    stopped: str


def always(_request: object) -> bool:
    """Allow repeating operations that read, or that set the same values again."""
    return True


def never(_request: object) -> bool:
    """Forbid repeating operations that would do something a second time."""
    return False


def command[Q, A](
    *, repeats: Callable[[Any], bool], stopped: str = "nothing was changed"
) -> Callable[[Callable[[Call[Q]], A]], Command[Q, A]]:
    """Make a function an operation of the same name; the annotation of its call is the type of requests."""

    def make(run: Callable[[Call[Q]], A]) -> Command[Q, A]:
        return Command(name=run.__name__, run=run, repeats=repeats, stopped=stopped)

    return make
