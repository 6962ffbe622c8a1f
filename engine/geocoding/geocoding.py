"""Geocoders and place finders for an open workspace, over the areas in use and the world pack."""

import logging
from collections.abc import Callable
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Final

from engine import bundled
from engine.domain.addresses.address import (
    Address,
    AutocompleteQuery,
    ForwardQuery,
    Geocoder,
    IpAddress,
    ReverseQuery,
)
from engine.domain.addresses.validation import AddressQuery, ValidatedAddress
from engine.domain.area import Area
from engine.domain.errors import InvalidParameter, NoGeocodingData
from engine.domain.ip import IpRanges
from engine.geocoding.absent import NO_ADDRESSES, RUN, AbsentGeocoder

if TYPE_CHECKING:
    from engine.geocoding.embedded import EmbeddedGeocoder
    from engine.geocoding.ip import IpLocator
    from engine.geocoding.regions import MarketAreas, RegionFinder
    from engine.geocoding.remote.fallback import FallbackGeocoder
    from engine.geocoding.search.places import Places
    from engine.geocoding.validation.validator import AddressValidator
    from engine.geocoding.world import World

log = logging.getLogger(__name__)

WORLD: Final = bundled.WORLD.folder()
"""Folder of the world pack, which `fencewright setup` builds."""


_ABSENT: Final = AbsentGeocoder()


class Geocoding:
    """Creates the finders on first use, and new ones when other areas come into use.

    No files are read before that. Queries in progress when the areas change finish with the former ones.
    """

    def __init__(
        self,
        areas: Callable[[], tuple[Area, ...]],
        url: str | None = None,
        world: Path | None = None,
        workspace: Path | None = None,
        cities: Path | None = None,
    ) -> None:
        """Create a geocoder for the areas that `areas` returns.

        With `url` (``photon+http://…``), that server is queried first. `world` is the folder of the world pack and
        `cities` that of the cities of IP addresses, by default those of the set-up. Without a pack, only the areas are
        searched. The folder `workspace` may contain the user's own market areas.
        """
        self._workspace = workspace
        self._places: Places | None = None
        self._regions: RegionFinder | None = None
        self._validator: AddressValidator | None = None
        self._ip: IpLocator | None = None
        self._pack: World | None = None
        self._areas = areas
        self._url = url
        self._given = world, cities
        self._world, self._cities = self._folders()
        self._lock = RLock()
        self._in_use: tuple[Area, ...] = ()
        self._embedded: EmbeddedGeocoder | None = None
        self._remote: FallbackGeocoder | None = None

    @property
    def geocoder(self) -> Geocoder:
        """The current geocoder: over the areas in use and the world pack, after the server given on opening.

        Until the first query, it takes hardly any time and memory.
        """
        if self._url is None:
            return self.here
        with self._lock:
            if self._remote is None:
                self._remote = self._make_remote(self._url)
            return self._remote

    @property
    def here(self) -> Geocoder:
        """The geocoder over the data of this machine, which raises `NoGeocodingData` if there is no data."""
        return self.embedded if self.has_data else _ABSENT

    @property
    def has_data(self) -> bool:
        """Whether this machine has any data to look up addresses in."""
        return bool(self.embedded.areas) or self.embedded.world is not None

    @property
    def has_world(self) -> bool:
        """Whether there is a world pack. No files are read."""
        return (self._world / bundled.WORLD_FILE).is_file()

    @property
    def embedded(self) -> "EmbeddedGeocoder":
        """The geocoder over the data of this machine."""
        with self._lock:
            if self._embedded is None:
                self._embedded = self._make()
            return self._embedded

    @property
    def places(self) -> "Places":
        """The place finder, always over the areas in use."""
        with self._lock:
            if self._places is None:
                from engine.geocoding.search.places import Places

                self._places = Places(lambda: self.embedded.areas, lambda: self.embedded.world)
            return self._places

    @property
    def regions(self) -> "RegionFinder":
        """The region finder."""
        with self._lock:
            if self._regions is None:
                from engine.geocoding.regions import RegionFinder

                embedded = self.embedded
                self._regions = RegionFinder(self._world_of(embedded), embedded.areas, self._market_areas())
            return self._regions

    def locate_ip(self, ip: str, proxies: IpRanges | None = None) -> IpAddress:
        """Return the location of an IP address.

        A private address is at the position in the workspace's ``home.json``, or else in its area. `proxy` says whether
        the address is in `proxies`. Raises `InvalidParameter` for ``ip``, and `NoGeocodingData` if there is no data for
        the lookup.
        """
        locator = self._find_ip_locator()
        found = locator.locate(ip, proxies)
        if found.address is None and (lack := locator.lack(ip)) is not None:
            raise NoGeocodingData(lack)
        return found

    def validate_address(self, query: AddressQuery) -> ValidatedAddress:
        """Return how much of a postal address of the US or Canada is known in the areas in use.

        Raises `InvalidParameter` naming the missing or malformed part, and `NoGeocodingData` without any data.
        """
        found = self._find_validator().validate(query)
        if not self.has_data:
            raise NoGeocodingData(NO_ADDRESSES)
        return found

    def lack(self) -> str | None:
        """Return a sentence about missing data and the command to run, or None if the data is complete.

        No files are read.
        """
        has_pack = self.has_world
        has_area = any(area.gazetteer is not None for area in self._areas())
        if has_pack and has_area:
            return None
        if has_pack:
            return f"No area in use has streets or places. {RUN}"
        if has_area:
            return "There is no world pack, so only the areas in use are searched. Run 'fencewright setup'."
        alone = "" if self._url is None else " except by the remote geocoder"
        return f"There is no world pack and no area in use: no address, place or IP address can be found{alone}. {RUN}"

    def look_again(self) -> None:
        """Switch to the areas that are in use now."""
        with self._lock:
            if self._embedded is not None and self._areas() != self._in_use:
                self._forget()

    def find_world(self) -> None:
        """Switch to the world pack and the cities of IP addresses that there are now, after a set-up."""
        with self._lock:
            self._world, self._cities = self._folders()
            self._forget()

    def _folders(self) -> tuple[Path, Path]:
        world, cities = self._given
        return world or bundled.WORLD.folder(), cities or bundled.CITIES.folder()

    def _forget(self) -> None:
        # Queries in progress continue with the former files, which close when they are no longer referenced.
        self._embedded = self._regions = self._validator = self._ip = self._pack = None

    def close(self) -> None:
        """Close all files and connections."""
        with self._lock:
            parts = (self._embedded, self._remote, self._ip)
            self._embedded = self._remote = None
            self._regions = self._validator = self._ip = self._pack = None
        for part in parts:
            if part is not None:
                part.close()

    def _find_validator(self) -> "AddressValidator":
        with self._lock:
            if self._validator is None:
                from engine.geocoding.validation.validator import AddressValidator

                embedded = self.embedded
                self._validator = AddressValidator(self._world_of(embedded), embedded.areas)
            return self._validator

    def _find_ip_locator(self) -> "IpLocator":
        with self._lock:
            if self._ip is None:
                from engine.geocoding.ip import IpLocator

                embedded = self.embedded
                # Not by a remote server, which need not know our clients.
                self._ip = IpLocator(
                    self._world,
                    self._workspace,
                    cities=self._cities,
                    world=self._world_of(embedded),
                    regions=self.regions,
                    geocoder=embedded,
                    areas=self._in_use,
                )
            return self._ip

    def _make(self) -> "EmbeddedGeocoder":
        # Imported here, so that a workspace without address lookups does not load the geocoder.
        from engine.geocoding.embedded import EmbeddedGeocoder

        self._in_use = self._areas()
        files = [area.gazetteer for area in self._in_use if area.gazetteer is not None]
        world = self._world / bundled.WORLD_FILE
        return EmbeddedGeocoder(files, world if world.is_file() else None)

    def _make_remote(self, url: str) -> "FallbackGeocoder":
        from engine.geocoding.remote.fallback import FallbackGeocoder
        from engine.geocoding.remote.kinds import remote_geocoder

        return FallbackGeocoder(remote_geocoder(url), _Current(self))

    def _market_areas(self) -> "MarketAreas | None":
        from engine.geocoding.regions import read_market_areas

        try:
            return None if self._workspace is None else read_market_areas(self._workspace)
        except InvalidParameter as error:
            log.warning("Market areas are unavailable: %s", error)
            return None

    def _world_of(self, embedded: "EmbeddedGeocoder") -> "World | None":
        from engine.geocoding.world import World

        if self._pack is None and embedded.world is not None:
            self._pack = World(embedded.world)
        return self._pack


class _Current:
    """A geocoder over the data that this machine has at the time of each query."""

    def __init__(self, geocoding: Geocoding) -> None:
        self._geocoding = geocoding

    def forward(self, query: ForwardQuery) -> tuple[Address, ...]:
        return self._geocoding.here.forward(query)

    def reverse(self, query: ReverseQuery) -> tuple[Address, ...]:
        return self._geocoding.here.reverse(query)

    def autocomplete(self, query: AutocompleteQuery) -> tuple[Address, ...]:
        return self._geocoding.here.autocomplete(query)
