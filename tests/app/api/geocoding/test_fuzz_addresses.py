"""Arbitrary searches on real areas: the response is never a 500 and always as documented."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engine.engine import Engine
from tests.app.api.conftest import Api, unlimited
from tests.real_areas import workspace_with_areas

fuzz = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@pytest.fixture(scope="module")
def engine(built_areas: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine with Liechtenstein and State College."""
    folder = workspace_with_areas(tmp_path_factory.mktemp("real") / "workspace", built_areas)
    with Engine.open(folder) as engine:
        unlimited(engine)
        yield engine


WORDS = (
    *(
        "126",
        "12a",
        "West",
        "Mitchell",
        "Ave",
        "avenue",
        "State",
        "College",
        "PA",
        "16803",
        "Torkelgass",
        "Landstr.",
        "13",
    ),
    *(
        "Schaan",
        "9494",
        "Vaduz",
        "Liechtenstein",
        "Starbucks",
        "new",
        "york",
        "New",
        "São",
        "Zürich",
        "Straße",
        "東京",
        "서울",
    ),
    *(
        '"',
        "'",
        "*",
        "^",
        "(",
        ")",
        "NEAR",
        "AND",
        "OR",
        "NOT",
        "-",
        "--",
        ";",
        ",",
        ",,",
        "%",
        "_",
        "\\",
        "#",
        "/",
        "&",
        "+",
    ),
    *(
        "№",
        "⁄",
        "½",
        "²",
        "١٢",
        "9" * 40,
        "a" * 60,
        "\u200b",
        "\u202e",
        "🇺🇸",
        "é",
        "e\u0301",
        "ﬁ",
        "İ",
        "ẞ",
        "\t",
        "\n",
    ),
)
queries = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join) | st.text(max_size=30)
layers = st.lists(st.sampled_from(["place", "address", "locality", "coarse", "fine", "x", ""]), max_size=3).map(
    ",".join
)
countries = st.sampled_from(["US", "li", "US,LI", "", "null", "XX", "FR", ","])
degrees = st.floats(-200, 200) | st.sampled_from([0, 90, -90, 180, -180, 47.14, 9.52, 40.8, -77.87])
positions = st.tuples(degrees, degrees).map(lambda pair: f"{pair[0]},{pair[1]}") | st.text(max_size=8)
near_here = st.tuples(st.floats(47.05, 47.27), st.floats(9.47, 9.63)).map(lambda pair: f"{pair[0]},{pair[1]}")
numbers = st.sampled_from(["1", "3", "100", "0", "101", "-1", "1e2", "nan", "null", ""]) | st.text(max_size=4)
languages = st.sampled_from(["ar", "de", "en", "es", "fr", "ja", "ko", "pt", "ru", "zh", "it", "null", ""])
chains = st.sampled_from(["mcdonalds", "starbucks,subway", "no-such", "", "null"]) | st.text(max_size=8)
kinds = st.sampled_from(["food-beverage", "coffee", "airports", "coffee-shop", "x", ""]) | st.text(max_size=8)
parts = st.text(max_size=12) | st.sampled_from(
    ["126", "West Mitchell Avenue", "PO Box 3", "RR 2 Box 4", "APT 5", "16803-1234"]
)

FIELDS: dict[str, dict[str, st.SearchStrategy[str]]] = {
    "geocode/forward": {"layers": layers, "country": countries, "countryCode": countries, "lang": languages},
    "geocode/reverse": {"layers": layers, "lang": languages},
    "geocode/ip": {
        "ip": st.text(max_size=12) | st.sampled_from(["1.1.1.1", "::1", "10.0.0.1", "ff02::1", "fe80::1%1"])
    },
    "search/autocomplete": {
        "layers": layers,
        "country": countries,
        "lang": languages,
        "near": positions | near_here,
        "limit": numbers,
    },
    "search/places": {
        "near": positions | near_here,
        "chains": chains,
        "categories": kinds,
        "groups": kinds,
        "iataCode": st.sampled_from(["SCE", "sfo", "QQQ", "1", ""]) | st.text(max_size=3),
        "chainMetadata[a]": st.text(max_size=5),
        "radius": numbers,
        "limit": numbers,
        "country": countries,
    },
    "addresses/validate": {
        "city": parts,
        "stateCode": st.sampled_from(["PA", "NY", "ON", "XX"]) | st.text(max_size=2),
        "postalCode": parts,
        "countryCode": st.sampled_from(["US", "CA", "LI"]) | st.text(max_size=2),
        "number": parts,
        "street": parts,
        "unit": parts,
        "addressLabel": parts,
    },
}
REQUIRED: dict[str, dict[str, st.SearchStrategy[str]]] = {
    "geocode/forward": {"query": queries},
    "geocode/reverse": {"coordinates": positions | near_here},
    "search/autocomplete": {"query": queries},
}
VALID = {
    "city": "State College",
    "stateCode": "PA",
    "postalCode": "16803",
    "countryCode": "US",
    "addressLabel": "126 West Mitchell Avenue",
}


@pytest.mark.slow
@pytest.mark.parametrize("path", FIELDS)
def test_nothing_is_a_500(publishable: Api, path: str) -> None:
    @fuzz
    @given(st.fixed_dictionaries(REQUIRED.get(path, {}), optional=FIELDS[path]))
    def ask(params: dict[str, str]) -> None:
        given_before: dict[str, Any] = VALID if path == "addresses/validate" else {}
        sent = given_before | params
        query = "&".join(f"{quote(name, safe='[]')}={quote(value, safe='')}" for name, value in sent.items())
        answer = publishable.get(f"/v1/{path}?{query}")
        assert answer.status_code in (200, 400), answer.text
        if answer.status_code == 400:
            missing = {"chains", "near", "number", "street"}
            assert answer.json()["meta"]["param"] in {name.partition("[")[0] for name in sent} | missing

    ask()


@example(query="፩")
@example(query="5² Street")
@fuzz
@given(query=queries)
def test_everything_that_is_a_query_is_answered(publishable: Api, query: str) -> None:
    for path in ("geocode/forward", "search/autocomplete"):
        answer = publishable.get(f"/v1/{path}?query={quote(query, safe='')}")
        is_text = bool(query.split()) and "\0" not in query
        assert answer.status_code == (200 if is_text else 400), answer.text
