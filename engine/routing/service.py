"""The service behind a router: one Valhalla, local or remote, with its own requests and responses."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from time import monotonic
from typing import Any, Final, Protocol

from engine.domain.errors import RoutingUnavailable

type Request = Mapping[str, Any]

LIMIT_S: Final = 20.0
"""Maximum duration of a call to a router, including all of its requests."""

NO_EDGES_NEAR: Final = 171
NO_ROADS_NEAR: Final = frozenset({170, NO_EDGES_NEAR})
"""Error codes if a location has no road near it, or if no road connects the locations."""

NO_PATH: Final = NO_ROADS_NEAR | {441, 442}
NO_MATCH: Final = NO_ROADS_NEAR | {172, 443, 444, 445}
TOO_FAR: Final = frozenset({150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 166})
"""Error codes for requests that exceed a limit of the service."""


UNEXPECTED: Final = -1
"""The code of a failure for which Valhalla has no number."""


class Action(StrEnum):
    """Requests to Valhalla, by their paths."""

    ROUTE = "route"
    MATRIX = "sources_to_targets"
    SECOND_MATRIX = "second_matrix"
    """A matrix by another algorithm, which only local services have."""
    ISOCHRONE = "isochrone"
    MATCH = "trace_attributes"
    LOCATE = "locate"


class NotTaken(RoutingUnavailable):
    """Raised without a search if the router is closed or too many searches are stuck. A retry may succeed at once."""


class Refused(Exception):
    """Raised if Valhalla has no result for a request; `code` is its own number for the reason."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code
        self.reason = message


class Deadline:
    """The time by which a call must have ended."""

    def __init__(self, limit_s: float) -> None:
        self._at = monotonic() + limit_s
        self.limit_s = limit_s

    def left_s(self) -> float:
        """Return the seconds left. Raises `RoutingUnavailable` if there are none."""
        left = self._at - monotonic()
        if left <= 0:
            raise self.missed()
        return left

    def rest_s(self) -> float:
        """Return the seconds left, or 0 after the deadline."""
        return max(0.0, self._at - monotonic())

    def missed(self) -> RoutingUnavailable:
        """Return the error of a call that took too long."""
        return RoutingUnavailable(
            f"No result was found within {self.limit_s:.3g} seconds; ask for less, or try again later."
        )


class Service(Protocol):
    """A Valhalla, which can be used from any thread."""

    timed: bool
    """Whether its results may depend on the time of departure."""

    steady: bool
    """Whether the result for a pair in its matrices is independent of their other pairs."""

    def ask[T](self, action: Action, request: Request, deadline: Deadline, read: Callable[[Any], T]) -> T:
        """Return the response, converted by `read`. Raises `Refused` if there is no result.

        Raises `RoutingUnavailable` if no response arrives, or an invalid one, for which `read` raises `WrongShape`.
        """
        ...

    def ask_all[T](
        self, action: Action, requests: Sequence[Request], deadline: Deadline, read: Callable[[Any], T]
    ) -> list[T | Refused]:
        """Return each response, converted by `read`, or its refusal. Otherwise raises as `ask` does.

        This is long work: single requests do not wait for it.
        """
        ...

    def close(self) -> None:
        """Release all resources."""
        ...
