"""Errors for lookups without data: the missing data, and the command to run."""

from typing import Final, NoReturn

from engine.domain.addresses.address import Address, AutocompleteQuery, ForwardQuery, ReverseQuery
from engine.domain.errors import NoGeocodingData

RUN: Final = "Run 'fencewright setup', or add an area of your own with 'fencewright area add REGION'."

NO_ADDRESSES: Final = f"There is no address data: no world pack, and no area in use with addresses. {RUN}"
NO_PLACES: Final = f"There is no place data: no area in use has places. {RUN}"
NO_PUBLIC_IP: Final = (
    "There is no IP address data: no world pack. Run 'fencewright setup', or put a city database, "
    "city.mmdb, into the workspace."
)
NO_CITIES: Final = (
    "address: Only the country is known; the position is its centre. 'fencewright setup --cities' downloads the cities "
    "of IP addresses."
)
NO_CITY: Final = "address: Only the country is known; the position is its centre. The city data has no such address."
NO_PRIVATE_IP: Final = (
    f"The location of this machine is unknown: no area is in use, and the workspace has no home.json. {RUN}"
)


class AbsentGeocoder:
    """The geocoder without a world pack or an area. It cannot even report that an address does not exist."""

    def forward(self, query: ForwardQuery) -> tuple[Address, ...]:
        """Raise `NoGeocodingData`."""
        self._refuse(query)

    def reverse(self, query: ReverseQuery) -> tuple[Address, ...]:
        """Raise `NoGeocodingData`."""
        self._refuse(query)

    def autocomplete(self, query: AutocompleteQuery) -> tuple[Address, ...]:
        """Raise `NoGeocodingData`."""
        self._refuse(query)

    def _refuse(self, _: object) -> NoReturn:
        raise NoGeocodingData(NO_ADDRESSES)
