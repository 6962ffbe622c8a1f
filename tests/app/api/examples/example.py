"""One example: a request of the story, whose parts may come from earlier responses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

STORE: Final = {"tag": "store", "externalId": "kluuvi"}
STORE_AT: Final = (60.16936, 24.94824)
STATION_AT: Final = (60.1716, 24.9406)
"""Latitude and longitude of the two ends of the story."""

COURIER: Final = {"deviceId": "phone-7", "userId": "courier-7"}
DEPOT_ID: Final = "6a02ec105b1e9d4f7a000002"
DOCK_ID: Final = "6a02ec105b1e9d4f7a000005"
WEBHOOK_ID: Final = "6a02ec105b1e9d4f7a00000b"
LEG_IDS: Final = ("6a02ec105b1e9d4f7a000009", "6a02ec105b1e9d4f7a00000a")
"""Identifiers of the seed, which `resources/demo/helsinki.json` gives."""

BEFORE: Final = "2026-05-12T10:00:00Z"
AFTER: Final = "2026-05-12T08:00:00Z"
"""An hour after and before the time of the seed's clock."""


class Earlier(NamedTuple):
    """A value in the response to the first example of an operation: `place` is its keys and indices."""

    operation: str
    place: tuple[str | int, ...]


@dataclass(frozen=True)
class Example:
    """A request: its operation, a title, and the parameters of its path, query, headers and body.

    It is repeated until the response has something at `awaited`, since some things are done in the background.
    """

    operation: str
    title: str
    path: Mapping[str, str | Earlier] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    awaited: tuple[str | int, ...] = ()

    @property
    def parameters(self) -> frozenset[str]:
        """The names of the parameters in the query and the body."""
        return frozenset(self.query) | frozenset(self.body or {})


def near(at: tuple[float, float]) -> str:
    """Return a position as in a query."""
    return f"{at[0]},{at[1]}"


def at(place: tuple[float, float]) -> Mapping[str, float]:
    """Return a position as in the body of a location update."""
    return {"latitude": place[0], "longitude": place[1]}


def point(place: tuple[float, float]) -> list[float]:
    """Return a position as in GeoJSON."""
    return [place[1], place[0]]
