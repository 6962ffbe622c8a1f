"""Addresses in the order used by their countries."""

import pytest

from engine.geocoding.formatting import Parts, formatted, street_line


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (
            Parts(
                number="120",
                street="East Main Street",
                city="State College",
                state_code="PA",
                postal_code="16801",
                country_code="US",
            ),
            "120 East Main Street, State College, PA 16801 US",
        ),
        (
            Parts(number="12", street="Äulestrasse", city="Vaduz", postal_code="9490", country_code="LI"),
            "Äulestrasse 12, 9490 Vaduz LI",
        ),
        (
            Parts(number="12", street="Rua Augusta", city="Lisboa", postal_code="1100-053", country_code="PT"),
            "Rua Augusta, 12, 1100-053 Lisboa PT",
        ),
        (
            Parts(number="221B", street="Baker Street", city="London", postal_code="NW1 6XE", country_code="GB"),
            "221B Baker Street, London NW1 6XE GB",
        ),
        (
            Parts(number="12", street="Rue de Rivoli", city="Paris", postal_code="75001", country_code="FR"),
            "12 Rue de Rivoli, 75001 Paris FR",
        ),
        (Parts(street="Landstrasse", city="Vaduz", country_code="LI"), "Landstrasse, Vaduz LI"),
        (Parts(street="Landstrasse", country_code="LI"), "Landstrasse, LI"),
        (Parts(street="Landstrasse", city="Vaduz"), "Landstrasse, Vaduz"),
        (Parts(name="Pennsylvania", country_code="US"), "Pennsylvania, US"),
        (Parts(state_code="PA", postal_code="16801", country_code="US"), "PA 16801 US"),
        (Parts(name="Vaduz", city="Vaduz", country_code="LI"), "Vaduz LI"),
        (Parts(country_code="US"), "US"),
        (Parts(), ""),
    ],
)
def test_addresses_are_written_in_the_order_of_their_country(parts: Parts, expected: str) -> None:
    assert formatted(parts) == expected


def test_a_number_without_a_street_is_no_line() -> None:
    assert street_line(None, "12", "US") is None
