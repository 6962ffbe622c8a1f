"""A remote geocoder first, and the areas and the world pack for what it cannot do or does not answer."""

import logging
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final

from engine.domain.addresses.address import (
    COARSE,
    FINE,
    Address,
    AutocompleteQuery,
    ForwardQuery,
    Geocoder,
    ReverseQuery,
)
from engine.domain.errors import GeocodingUnavailable, NoGeocodingData
from engine.geocoding.remote.engine import FROM_SMALL_TO_LARGE, RemoteGeocoder

PAUSE_S: Final = 10.0
"""How long a server that did not answer is left alone: whoever types must not wait for it at every letter."""

log = logging.getLogger(__name__)

type Found = tuple[Address, ...]


class FallbackGeocoder:
    """Asks a server, and the data of this machine where the server fails.

    Where the server fails and there is nothing here either, that is an error and no empty answer.
    """

    def __init__(self, remote: RemoteGeocoder, embedded: Geocoder) -> None:
        self._remote = remote
        self._embedded = embedded
        self._lock = Lock()
        self._silent_until = 0.0
        self._failure: GeocodingUnavailable | None = None

    def forward(self, query: ForwardQuery) -> Found:
        """Return what the query means, best first."""
        return self._either(lambda: self._remote.forward(query), lambda: self._embedded.forward(query))

    def reverse(self, query: ReverseQuery) -> Found:
        """Return what is at or around a position; what holds it comes from here where the server does not tell it."""
        return self._either(lambda: self._completed(query), lambda: self._embedded.reverse(query))

    def _completed(self, query: ReverseQuery) -> Found:
        found = self._remote.reverse(query)
        missing = (query.layers & COARSE) - {address.layer for address in found}
        if not missing:
            return found
        asked = ReverseQuery(point=query.point, layers=missing, language=query.language, limit=query.limit)
        rest = _found_here(lambda: self._embedded.reverse(asked))
        fine = [address for address in found if address.layer in FINE]
        holding = [address for address in (*found, *rest) if address.layer in COARSE]
        holding.sort(key=lambda address: FROM_SMALL_TO_LARGE.index(address.layer))
        return (*fine, *holding)[: query.limit]

    def autocomplete(self, query: AutocompleteQuery) -> Found:
        """Return what the text may become."""
        if not self._remote.completes:
            return self._embedded.autocomplete(query)
        return self._either(lambda: self._remote.autocomplete(query), lambda: self._embedded.autocomplete(query))

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
        """Return why the server is not asked at present; None where it is."""
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


def _found_here(ask: Callable[[], Found]) -> Found:
    """Return what is found on this machine: nothing where there is nothing to look it up in."""
    try:
        return ask()
    except NoGeocodingData:
        return ()
