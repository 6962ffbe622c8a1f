"""The page docs/not-served.md, compared with the specification, the SDKs and the served operations."""

import re
from pathlib import Path

import httpx
import pytest

from app.api.server.docs import document
from app.api.server.server import ApiServer
from app.api.v1 import RESOURCES
from app.api.v1.request_log.sdk_fields import FIELDS_OF_SDKS, UNSERVED_FIELDS, UNSERVED_PATHS
from app.api.wire.common.decoding import names_not_served, refused
from engine.domain.tracking.updates import EventType
from tests.app.api.conftest import Api
from tests.app.api.not_served.documentation import operations, parameters_of, written
from tests.app.api.not_served.reference import REFERENCE, SDK_ENDPOINTS, placed
from tests.app.api.not_served.table import FEATURES, KNOWN_EVENTS, RECORDS
from tests.shared import SharedData

PAGE = (Path(__file__).parents[4] / "docs" / "not-served.md").read_text()
TABLE = "\n".join(line for line in PAGE.splitlines() if line.startswith("|"))
MODELS = tuple(
    {
        model.__name__: model
        for resource in RESOURCES
        for operation in resource.operations.values()
        for model in (operation.query, operation.body)
        if model is not None
    }.values()
)
FEATURES_PART = PAGE.partition("\n## Features\n")[2].partition("\n## ")[0]
PATHS = sorted(
    pair
    for line in FEATURES_PART.splitlines()
    if line.startswith("|")
    for pair in re.findall(r"`(GET|POST|PUT|PATCH|DELETE) (/[^`?]+)`", line.split("|")[2])
)


def test_the_page_is_generated() -> None:
    assert written(PAGE) == PAGE, "run python -m tests.app.api.not_served.documentation"


def test_every_known_endpoint_is_served_or_listed() -> None:
    served = {
        (method.upper(), placed(path))
        for path, item in document()["paths"].items()
        for method in item
        if method != "parameters"
    }
    known = {(method, placed(path)) for method, path in (*REFERENCE, *SDK_ENDPOINTS)}
    assert {(method, placed(path)) for method, path in PATHS} == known - served


def test_every_parameter_of_the_reference_is_documented_or_listed() -> None:
    listed = {
        (target.strip(" `"), name)
        for line in TABLE.splitlines()
        for _, target, names, *_ in [line.split("|")]
        for name in re.findall(r"`([^`]+)`", names)
    }
    served = {(method, placed(path)): operation for method, path, operation in operations()}
    for (method, path), parameters in REFERENCE.items():
        if (operation := served.get((method, placed(path)))) is not None:
            models = [model for model in (operation.query, operation.body) if model is not None]
            declared = {name for model in models for name in names_not_served(model) | refused(model).keys()}
            known = parameters_of(operation) - declared
            for name in parameters:
                assert (name.partition("[")[0] in known) != ((f"{method} {path}", name) in listed), (method, path, name)


def test_every_parameter_that_an_sdk_adds_is_documented_or_listed() -> None:
    by_name = {operation.name: (f"{method} {path}", operation) for method, path, operation in operations()}
    lines = [line.split("|") for line in TABLE.splitlines()]
    for sdk, fields in FIELDS_OF_SDKS.items():
        for name, parameters in fields.items():
            target, operation = by_name[name]
            rows = [line[2] for line in lines if line[1].strip() == f"`{target}`" and sdk in line[3]]
            for parameter in parameters:
                listed = any(f"`{parameter}`" in row for row in rows)
                assert listed != (parameter in parameters_of(operation)), (sdk, parameter)


def test_every_field_that_an_sdk_reads_is_sent_or_listed() -> None:
    schemas = document()["components"]["schemas"]
    for feature in FEATURES:
        row = next(line for line in FEATURES_PART.splitlines() if line.startswith(f"| {feature.name} |"))
        for place, names in (feature.fields or {}).items():
            sent = {name for record in RECORDS[place] for name in schemas[record]["properties"]}
            for name in names:
                assert (f"`{name}`" in row) != (name in sent), (place, name)


@pytest.mark.parametrize("feature", ["in-app messages", "location insights", "`revealRisk`", "verified tracking"])
def test_the_page_says_what_each_sdk_does_without(feature: str) -> None:
    sdks = PAGE.partition("<!-- SDKs:")[2].partition("<!-- end")[0]
    (row,) = [line for line in sdks.splitlines() if feature in line]
    assert all(cell.strip() for cell in row.strip("|").split("|"))
    assert row.count("|") == 5


@pytest.mark.slow
def test_the_table_has_the_whole_reference(shared_data: SharedData) -> None:
    known: dict[tuple[str, str], tuple[str, ...]] = {}
    for line in shared_data.reference().read_text(encoding="utf-8").splitlines()[1:]:
        operation, _, parameter = line.partition("\t")
        method, _, path = re.sub(r":(\w+)", r"{\1}", operation).partition(" ")
        known.setdefault((method, path), ())
        known[method, path] += () if parameter == "-" else (parameter,)
    assert known == REFERENCE


def test_listed_paths_answer_404(secret: Api) -> None:
    for method, path in PATHS:
        response = secret.request(method, re.sub(r"\{\w+\}", "x", path))
        assert response.status_code == 404
        assert "Nothing is served at" in response.json()["meta"]["message"]


def test_the_request_log_and_the_page_name_the_same_paths_and_parameters(secret: Api) -> None:
    column = "".join(line.split("|")[2] for line in FEATURES_PART.splitlines() if line.startswith("|"))
    assert set(re.findall(r"`(/[^`]+)`", column)) == set(UNSERVED_PATHS)
    for path in UNSERVED_PATHS:
        assert secret.get(f"{path}/x").status_code == 404
    for name in UNSERVED_FIELDS:
        assert f"`{name}`" in TABLE


def test_every_known_event_can_come_or_is_listed() -> None:
    listed = set(re.findall(r"`(user\.[a-z_]+)`", TABLE))
    assert listed == set(KNOWN_EVENTS.split()) - {kind.value for kind in EventType}


def test_every_parameter_without_effect_and_every_refused_one_is_listed() -> None:
    declared = {name for model in MODELS for name in names_not_served(model) | refused(model).keys()}
    assert {"verified", "geometryPoints", "expandUnits"} <= declared
    for name in declared:
        assert f"`{name}`" in TABLE


def test_every_parameter_that_the_page_calls_ignored_is_declared() -> None:
    declared = {name for model in MODELS for name in names_not_served(model)}
    ignored = [line.split("|") for line in TABLE.splitlines() if "ignored, with a warning" in line]
    names = {name for line in ignored for name in re.findall(r"`(\w+)`", line[2])}
    assert names == declared - {"beacons"}


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/v1/search/autocomplete?query=Helsinki", ("expandUnits", "mailable", "postalCode")),
        ("/v1/route/distance?origin=60.17,24.94&destination=60.17,24.95&modes=car", ("geometryPoints",)),
    ],
)
def test_parameters_of_queries_are_named(publishable: Api, path: str, names: tuple[str, ...]) -> None:
    for name in names:
        answer = publishable.get(f"{path}&{name}=5")
        assert answer.status_code in (200, 503)
        if answer.status_code == 200:
            assert any(warning.startswith(f"{name}: ") for warning in answer.json()["meta"]["warnings"])
        plain = publishable.get(f"{path}&{name}=false").json()["meta"]
        assert not any(warning.startswith(f"{name}: ") for warning in plain.get("warnings", ()))


def test_the_endpoint_has_the_page_and_a_link_to_it(server: ApiServer) -> None:
    for path in ("/docs", "/openapi.json"):
        assert "/docs/not-served" in httpx.get(server.url + path).text
    answer = httpx.get(f"{server.url}/docs/not-served")
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    page = answer.text
    assert page.count("<tr>") == TABLE.count("\n") + 1 - TABLE.count("|---|\n"), "a row for each, without the rules"
    for text in ("<h1>What is not served</h1>", "<code>user.fired_trip_orders</code>", "<code>authToken</code>"):
        assert text in page
    assert not re.search(r"\]\(|`|\||--", page), "no marks are left"


def test_transit_alone_is_refused(publishable: Api) -> None:
    response = publishable.get("/v1/route/distance?origin=47.1,9.5&destination=47.2,9.5&modes=transit")
    assert response.json()["meta"]["param"] == "modes"


@pytest.mark.parametrize("word", ["orders", "traffic", "attestation", "event integrations", "indoor positioning"])
def test_the_list_has(word: str) -> None:
    assert word in TABLE
