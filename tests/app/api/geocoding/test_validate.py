"""GET /v1/addresses/validate over a real socket, in a real town; expected values were read from the extract."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from engine.engine import Engine
from tests.app.api.conftest import Api, assert_refused, unlimited
from tests.real_areas import workspace_with_areas

HOUSE: Final = {
    "number": "126",
    "street": "W Mitchell Ave",
    "city": "state college",
    "stateCode": "pa",
    "postalCode": "16803",
    "countryCode": "us",
}


@pytest.fixture(scope="module")
def engine(built_areas: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine with Liechtenstein and State College."""
    folder = workspace_with_areas(tmp_path_factory.mktemp("real") / "workspace", built_areas)
    with Engine.open(folder) as engine:
        unlimited(engine)
        yield engine


def validate(api: Api, **params: str) -> tuple[dict[str, Any], dict[str, Any]]:
    response = api.get(
        "/v1/addresses/validate", params={name: value for name, value in (HOUSE | params).items() if value}
    )
    assert response.status_code == 200, response.text
    answer = response.json()
    return answer["address"], answer["result"]


def test_a_house_that_is_known(publishable: Api) -> None:
    address, result = validate(publishable, postalCode="16803-1234")
    assert result == {"verificationStatus": "verified"}
    kind = address.pop("metadata")
    assert kind["recordType"] == "S"
    assert kind["propertyType"] in ("residential", "unknown")
    assert address == {
        "addressLabel": "126 West Mitchell Avenue",
        "number": "126",
        "street": "West Mitchell Avenue",
        "city": "State College",
        "stateCode": "PA",
        "postalCode": "16803",
        "plus4": "1234",
        "county": "Centre County",
        "countryCode": "US",
        "formattedAddress": "126 West Mitchell Avenue, State College, PA 16803 US",
    }


def test_a_wrong_postal_code_or_city_is_corrected(publishable: Api) -> None:
    for params, change in (
        ({"postalCode": "16801-1234"}, "postalCode:corrected"),
        ({"city": "Scranton"}, "city:corrected"),
        ({"street": "W Mitchell Avneue"}, "street:corrected"),
    ):
        address, result = validate(publishable, **params)
        assert result == {"verificationStatus": "partially verified", "analysis": [change]}
        assert address["formattedAddress"] == "126 West Mitchell Avenue, State College, PA 16803 US"
        assert "plus4" not in address


def test_plus4_is_never_made_up(publishable: Api) -> None:
    assert "plus4" not in validate(publishable)[0]


def test_number_and_street_in_one(publishable: Api) -> None:
    label = validate(publishable, number="", street="", addressLabel="126 west mitchell avenue")
    assert label == validate(publishable)


@pytest.mark.parametrize(
    ("params", "status"),
    [
        ({"number": "99999"}, "partially verified"),
        ({"street": "Qqqqzzz Boulevard"}, "unverified"),
        ({"postalCode": "10001"}, "partially verified"),
        ({"postalCode": "10001", "city": "New York"}, "unverified"),
    ],
)
def test_unknown_addresses(publishable: Api, params: dict[str, str], status: str) -> None:
    found = validate(publishable, **params)[1]["verificationStatus"]
    assert found != "verified"
    assert found in ("partially verified", "ambiguous", "unverified")
    if "postalCode" not in params:
        assert found == status


def test_post_office_boxes(publishable: Api) -> None:
    address, _ = validate(publishable, number="", street="", addressLabel="PO Box 12")
    assert address["metadata"]["recordType"] == "P"


BAD = [
    ({"city": ""}, "city", "required"),
    ({"stateCode": ""}, "stateCode", "required"),
    ({"postalCode": ""}, "postalCode", "required"),
    ({"countryCode": ""}, "countryCode", "required"),
    ({"number": ""}, "number", "addressLabel"),
    ({"street": ""}, "street", "addressLabel"),
    ({"stateCode": "Pennsylvania"}, "stateCode", "2 letters"),
    ({"stateCode": "P1"}, "stateCode", "2 letters"),
    ({"countryCode": "USA"}, "countryCode", "2 letters"),
    ({"countryCode": "LI"}, "countryCode", "CA"),
    ({"city": " "}, "city", "blank"),
    ({"city": "a" * 201}, "city", "200"),
    ({"unit": "a\0"}, "unit", "NUL"),
    ({"postalCode": "1"}, "postalCode", "'1'"),
]


@pytest.mark.parametrize(("params", "param", "words"), BAD)
def test_bad_requests(publishable: Api, params: dict[str, str], param: str, words: str) -> None:
    sent = {name: value for name, value in (HOUSE | params).items() if value}
    assert_refused(publishable.get("/v1/addresses/validate", params=sent), param, words)
