"""A remote geocoder, with the areas and the world pack as a fallback for its gaps and failures."""

import logging
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final

from engine.domain.addresses.address import (
    DIVISIONS,
    Address,
    AutocompleteQuery,
    ForwardQuery,
    Geocoder,
    Layer,
    ReverseQuery,
    coarser,
    in_layers,
)
from engine.domain.errors import GeocodingUnavailable, NoGeocodingData
from engine.domain.values import replace
from engine.geocoding.remote.engine import FROM_SMALL_TO_LARGE, RemoteGeocoder

PAUSE_S: Final = 10.0
"""How long a failed server is not queried, in seconds, so that a user who types does not wait at every letter."""

log = logging.getLogger(__name__)

type Found = tuple[Address, ...]

_FROM_HERE: Final = DIVISIONS | {Layer.STREET, Layer.INTERSECTION}
"""Layers of a position that are looked up on this machine if the server has none."""

_UNKNOWN_TO_SERVERS: Final = frozenset({Layer.INTERSECTION})
"""Layers of a text that are always looked up on this machine."""


class FallbackGeocoder:
    """Queries a server, and the data of this machine if the server fails.

    If the server fails and this machine has no data, an error is raised instead of returning an empty result.
    """

    def __init__(self, remote: RemoteGeocoder, embedded: Geocoder) -> None:
        self._remote = remote
        self._embedded = embedded
        self._lock = Lock()
        self._silent_until = 0.0
        self._failure: GeocodingUnavailable | None = None

    def forward(self, query: ForwardQuery) -> Found:
        """Return the matches of the query, best first."""
        return self._either(
            lambda: _with_crossings(query, self._remote.forward(_coarser(query)), self._embedded.forward),
            lambda: self._embedded.forward(query),
        )

    def reverse(self, query: ReverseQuery) -> Found:
        """Return the results at or around a position.

        Regions that the server does not return come from this machine.
        """
        return self._either(lambda: self._completed(query), lambda: self._embedded.reverse(query))

    def _completed(self, query: ReverseQuery) -> Found:
        found = in_layers(self._remote.reverse(_coarser(query)), query.layers)
        missing = (query.layers & _FROM_HERE) - {address.layer for address in found}
        if not missing:
            return found
        remaining = ReverseQuery(point=query.point, layers=missing, language=query.language, limit=query.limit)
        rest = _found_here(lambda: self._embedded.reverse(remaining))
        fine = [address for address in (*found, *rest) if address.layer not in DIVISIONS]
        holding = [address for address in (*found, *rest) if address.layer in DIVISIONS]
        holding.sort(key=lambda address: FROM_SMALL_TO_LARGE.index(address.layer))
        return (*fine, *holding)[: query.limit]

    def autocomplete(self, query: AutocompleteQuery) -> Found:
        """Return the completions of the text."""
        if not self._remote.completes:
            return self._embedded.autocomplete(query)
        return self._either(
            lambda: _with_crossings(query, self._remote.autocomplete(_coarser(query)), self._embedded.autocomplete),
            lambda: self._embedded.autocomplete(query),
        )

    def close(self) -> None:
        """Close the connections."""
        self._remote.close()

    def _either(self, ask_remote: Callable[[], Found], ask_here: Callable[[], Found]) -> Found:
        failure = self._pausing()
        if failure is None:
            try:
                found = ask_remote()
            except GeocodingUnavailable as error:
                failure = error
                self._failed(error)
            else:
                self._answered()
                return found
        here = _found_here(ask_here)
        if not here:
            raise failure
        return here

    def _pausing(self) -> GeocodingUnavailable | None:
        """Return the reason for not querying the server at present, or None if it is queried."""
        with self._lock:
            return self._failure if monotonic() < self._silent_until else None

    def _failed(self, error: GeocodingUnavailable) -> None:
        with self._lock:
            first = self._failure is None
            self._failure = error
            self._silent_until = monotonic() + PAUSE_S
        if first:
            log.warning("%s Addresses come from the areas in use until it answers again.", error.message)

    def _answered(self) -> None:
        with self._lock:
            back, self._failure = self._failure is not None, None
        if back:
            log.warning("The remote geocoder answers again.")


def _coarser[Q: (ForwardQuery, ReverseQuery, AutocompleteQuery)](query: Q) -> Q:
    """Return a query with the layers that servers know."""
    return replace(query, layers=coarser(query.layers))


def _with_crossings[Q: (ForwardQuery, AutocompleteQuery)](
    query: Q, found: Found, ask_here: Callable[[Q], Found]
) -> Found:
    """Return the server's results of the requested layers, after the crossings that this machine finds.

    If the server found something but nothing of these layers, all of them come from this machine.
    """
    kept: Found = in_layers(found, query.layers)
    missing = query.layers if found and not kept else query.layers & _UNKNOWN_TO_SERVERS
    if not missing:
        return kept
    remaining = replace(query, layers=missing)
    rest: Found = _found_here(lambda: ask_here(remaining))
    return (*rest, *kept)[: query.limit]


def _found_here(ask: Callable[[], Found]) -> Found:
    """Return the results on this machine, or nothing if it has no data."""
    try:
        return ask()
    except NoGeocodingData:
        return ()
