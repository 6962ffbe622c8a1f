"""The geocoder in this process, over the gazetteers of the areas in use and of the whole world."""

import logging
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from engine.domain.addresses.address import (
    Address,
    AddressLanguage,
    AutocompleteQuery,
    ForwardQuery,
    ReverseQuery,
    in_layers,
)
from engine.domain.errors import GeocodingUnavailable
from engine.gazetteer.reader import Gazetteer, Reader
from engine.geocoding.search.autocomplete import autocomplete
from engine.geocoding.search.candidates import Finder
from engine.geocoding.search.forward import forward
from engine.geocoding.search.reverse import reverse

_LANGUAGES: Final = frozenset(AddressLanguage)

log = logging.getLogger(__name__)


class EmbeddedGeocoder:
    """Finds addresses in files. Nothing is read before the first query, and data that was read is kept."""

    def __init__(self, areas: Iterable[Path], world: Path | None = None) -> None:
        """Search the gazetteers of areas, and that of the world. Missing or unreadable files are skipped."""
        self._areas = _finders(areas)
        self._world = _finders([] if world is None else [world], is_world=True)
        for finder in self._areas if self._world else ():
            finder.gazetteer.complete_countries(_CountryNames(self._world[0].gazetteer))

    @property
    def areas(self) -> tuple[Gazetteer, ...]:
        """The areas' gazetteers."""
        return tuple(finder.gazetteer for finder in self._areas)

    @property
    def world(self) -> Gazetteer | None:
        """The world's gazetteer, or None if it was not built."""
        return self._world[0].gazetteer if self._world else None

    def forward(self, query: ForwardQuery) -> tuple[Address, ...]:
        """Return the matches of a query, best first."""
        return in_layers(forward(self._areas, self._world, query), query.layers)

    def reverse(self, query: ReverseQuery) -> tuple[Address, ...]:
        """Return the addresses and regions at or around a position."""
        return in_layers(reverse(self._areas, self._world, query), query.layers)

    def autocomplete(self, query: AutocompleteQuery) -> tuple[Address, ...]:
        """Return the completions of a text."""
        return in_layers(autocomplete(self._areas, self._world, query), query.layers)

    def close(self) -> None:
        """Close all files. Queries that are still running raise an error that says so."""
        for finder in (*self._areas, *self._world):
            finder.gazetteer.close()


class _CountryNames:
    """The world pack's names of countries, in the ten languages."""

    def __init__(self, world: Gazetteer) -> None:
        self._world = world

    def __call__(self, code: str) -> dict[str, str]:
        return {name: text for name, text in self._world.country_names(code).items() if name in _LANGUAGES}


class _OpenGazetteer(Gazetteer):
    """A gazetteer that closes when it is no longer referenced, as queries may outlast a change of areas."""

    def __del__(self) -> None:
        self.close()

    def _connect(self) -> Reader:
        try:
            return super()._connect()
        except sqlite3.OperationalError as error:
            # Its area was removed before this thread opened it.
            raise GeocodingUnavailable(f"{self.file} cannot be opened: {error}.") from error


def _finders(files: Iterable[Path], *, is_world: bool = False) -> tuple[Finder, ...]:
    found: list[Finder] = []
    for file in files:
        try:
            found.append(Finder(_OpenGazetteer(file), is_world=is_world))
        except (sqlite3.Error, ValueError, GeocodingUnavailable) as error:
            log.warning("Addresses of %s cannot be searched: %s", file, error)
    return tuple(found)
