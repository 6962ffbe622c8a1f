"""An operation of commands, and its call."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.ports import Progress, no_progress
from engine.engine import Engine


class Call[Q](Struct, frozen=True):
    """A request to the engine that has the workspace open, with a file as `data` if there is one.

    `progress` may raise `Cancelled`. Operations on both environments ignore `environment`. `elsewhere` states whether
    another process sent the call.
    """

    engine: Engine
    environment: Environment
    request: Q
    data: bytes = b""
    progress: Progress = no_progress
    elsewhere: bool = False


class Command[Q, A](Struct, frozen=True, kw_only=True):
    """A named operation whose answer is JSON values, bytes, or `Records`.

    `repeats` returns whether a request may safely be repeated. `stopped` describes the outcome of an operation that is
    cancelled because its process is stopped.
    """

    name: str
    run: Callable[[Call[Q]], A]
    repeats: Callable[[Any], bool]
    stopped: str


def always(_request: object) -> bool:
    """Allow repetition, for operations that read or that set the same values again."""
    return True


def never(_request: object) -> bool:
    """Forbid repetition, for operations that would act a second time."""
    return False


def command[Q, A](
    *, repeats: Callable[[Any], bool], stopped: str = "nothing was changed"
) -> Callable[[Callable[[Call[Q]], A]], Command[Q, A]]:
    """Make a function an operation of the same name; the annotation of its parameter gives the type of requests."""

    def make(run: Callable[[Call[Q]], A]) -> Command[Q, A]:
        return Command(name=run.__name__, run=run, repeats=repeats, stopped=stopped)

    return make
