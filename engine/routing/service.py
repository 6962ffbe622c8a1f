"""The service a router asks: one Valhalla, in this process or remote, by its own requests and answers."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from time import monotonic
from typing import Any, Final, Protocol

from engine.domain.errors import RoutingUnavailable

type Request = Mapping[str, Any]

LIMIT_S: Final = 20.0
"""How long one call of a router may take, with all that it asks."""

NO_EDGES_NEAR: Final = 171
NO_ROADS_NEAR: Final = frozenset({170, NO_EDGES_NEAR})
"""A location has no road near it, or locations lie in parts that no road connects."""

NO_PATH: Final = NO_ROADS_NEAR | {441, 442}
NO_MATCH: Final = NO_ROADS_NEAR | {172, 443, 444, 445}
TOO_FAR: Final = frozenset({150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 166})
"""The request exceeds a limit of the service."""


UNEXPECTED: Final = -1
"""Valhalla failed in a way that it has no number for."""


class Action(StrEnum):
    """Requests to Valhalla, by the names of its paths."""

    ROUTE = "route"
    MATRIX = "sources_to_targets"
    ISOCHRONE = "isochrone"
    MATCH = "trace_attributes"
    LOCATE = "locate"


class NotTaken(RoutingUnavailable):
    """Nothing was looked for: the router is closed, or too much of it is stuck. Another one may answer at once."""


class Refused(Exception):
    """Valhalla has no answer to a request; `code` is its own number for the reason."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code
        self.reason = message


class Deadline:
    """Until when a call must have ended."""

    def __init__(self, limit_s: float) -> None:
        self._at = monotonic() + limit_s
        self.limit_s = limit_s

    def left_s(self) -> float:
        """Return the seconds left; raises `RoutingUnavailable` when there are none."""
        left = self._at - monotonic()
        if left <= 0:
            raise self.missed()
        return left

    def rest_s(self) -> float:
        """Return the seconds left, 0 when there are none."""
        return max(0.0, self._at - monotonic())

    def missed(self) -> RoutingUnavailable:
        """Return the error of a call that took too long."""
        return RoutingUnavailable(
            f"No result was found within {self.limit_s:.3g} seconds; ask for less, or try again later."
        )


class Service(Protocol):
    """One Valhalla. May be asked from any thread."""

    timed: bool
    """Whether its answers may depend on the time of departure."""

    steady: bool
    """Whether its matrices find for a pair the same, whichever other pairs they hold."""

    def ask[T](self, action: Action, request: Request, deadline: Deadline, read: Callable[[Any], T]) -> T:
        """Return what `read` makes of the answer; raises `Refused` where there is none.

        Raises `RoutingUnavailable` where none comes, or one that is none: where `read` raises `WrongShape`.
        """
        ...

    def ask_all[T](
        self, action: Action, requests: Sequence[Request], deadline: Deadline, read: Callable[[Any], T]
    ) -> list[T | Refused]:
        """Return what `read` makes of each answer, the refusal where there is none; raises as `ask` does otherwise.

        It is long work: single requests do not wait behind it.
        """
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...
