"""The OpenAPI document and its page."""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator
from referencing.jsonschema import DRAFT202012

from app.api.server.application import create_app
from app.api.server.docs import ASSETS, document
from app.api.server.routing import ResourceRoute
from app.api.server.server import ApiServer
from app.api.wire.settings.request import NAMES
from engine.domain.settings import SEGMENT_FIELDS, Comparison
from engine.engine import Engine


class OpenApiValidator(OpenAPIV31SpecValidator):
    """A validator that scans the schema of OpenAPI only once, rather than for each reference to an anchor in it."""

    schema_validator: Any = OpenAPIV31SpecValidator.schema_validator
    _schema = DRAFT202012.create_resource(schema_validator.schema)
    _known = schema_validator._registry.with_resource(_schema.id(), _schema).crawl()
    schema_validator = schema_validator.evolve(_resolver=_known.resolver(base_uri=_schema.id()))


def test_the_document_is_valid_openapi_31() -> None:
    OpenApiValidator(document()).validate()
    assert document()["openapi"].startswith("3.1")


def test_every_route_is_documented(engine: Engine) -> None:
    routes = [route for route in create_app(engine).routes if isinstance(route, ResourceRoute)]
    served = {(route.path_format, method.lower()) for route in routes for method in route.resource.operations}
    paths = document()["paths"]
    documented = {(path, method) for path, item in paths.items() for method in item if method != "parameters"}
    assert served == documented
    assert len(served) >= 15


def test_operations_have_names_of_their_own() -> None:
    names = [
        operation["operationId"]
        for item in document()["paths"].values()
        for method, operation in item.items()
        if method != "parameters"
    ]
    assert len(names) == len(set(names))


def free_form(schema: object, path: str) -> list[str]:
    """Return the places in which a schema allows objects of any shape."""
    if isinstance(schema, list):
        return [found for index, part in enumerate(schema) for found in free_form(part, f"{path}/{index}")]
    if not isinstance(schema, dict):
        return []
    free = schema == {} or (schema.get("type") == "object" and not {"properties", "additionalProperties"} & set(schema))
    here = [path] if free or schema.get("additionalProperties") is True else []
    return here + [found for name, part in schema.items() for found in free_form(part, f"{path}/{name}")]


def test_nothing_is_free_form_but_metadata() -> None:
    schemas = document()["components"]["schemas"]
    assert free_form(schemas, "") == []
    open_ended = [name for name, schema in schemas.items() if "additionalProperties" in str(schema.get("properties"))]
    assert open_ended == []


def test_answers_allow_no_null_and_no_other_fields() -> None:
    for name, schema in document()["components"]["schemas"].items():
        if name.endswith(("Answer", "Record", "Meta")):
            assert "null" not in str(schema), name
            assert schema["additionalProperties"] is False, name


def test_the_document_is_served(server: ApiServer) -> None:
    assert httpx.get(f"{server.url}/openapi.json").json() == document()


def test_the_page_needs_no_network_and_lists_everything(server: ApiServer) -> None:
    page = httpx.get(f"{server.url}/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "http://" not in page.text
    assert "https://" not in page.text
    assert all(path in page.text for path in document()["paths"])
    assert "SwaggerUIBundle" in httpx.get(f"{server.url}/docs/start.js").text


@pytest.mark.parametrize("name", ["swagger-ui.css", "swagger-ui-bundle.js"])
def test_the_pages_files(server: ApiServer, name: str) -> None:
    response = httpx.get(f"{server.url}/docs/{name}")
    if (ASSETS / name).exists():
        assert response.status_code == 200
        assert len(response.content) > 1000
    else:
        assert response.status_code == 404


@pytest.mark.parametrize("path", ["/docs", "/docs/page.css", "/docs/start.js", "/docs/swagger-ui-bundle.js"])
def test_the_page_is_shown_in_no_frame_and_runs_only_its_own_files(server: ApiServer, path: str) -> None:
    response = httpx.get(f"{server.url}{path}")
    if path.endswith("bundle.js") and not ASSETS.exists():
        pytest.skip("the web assets have not been built")
    assert response.headers["x-frame-options"] == "DENY"
    assert response.headers["x-content-type-options"] == "nosniff"
    policy = dict(part.split(" ", 1) for part in response.headers["content-security-policy"].split("; "))
    assert policy["frame-ancestors"] == policy["default-src"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert " style=" not in httpx.get(f"{server.url}/docs").text


@pytest.mark.parametrize("path", ["/docs/%2e%2e/x", "/docs/index.html", "/docs/"])
def test_no_other_file_is_served(server: ApiServer, path: str) -> None:
    with httpx.Client(base_url=server.url) as client:
        request = client.build_request("GET", "/")
        request.url = request.url.copy_with(raw_path=path.encode())
        assert client.send(request).status_code == 404


DOCS = Path(__file__).parents[4] / "docs"
PAGE = (DOCS / "api.md").read_text(encoding="utf-8")
SETTINGS = (DOCS / "api-settings.md").read_text(encoding="utf-8")


def test_the_documentation_names_every_setting() -> None:
    table = SETTINGS.partition("\n## Settings\n")[2].partition("\n##")[0]
    assert set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\|([^|]+)\|", table, re.MULTILINE)))) == set(NAMES)


def test_the_fields_and_comparisons_of_segments_are_documented() -> None:
    section = SETTINGS.partition("\n### Segments\n")[2].partition("\n##")[0]
    names = re.findall(r"`([\w.{}]+)`", "".join(re.findall(r"^\|([^|]+)\|", section, re.MULTILINE)))
    fields = [f"{field}.{{key}}" if field == "metadata" else field for field in SEGMENT_FIELDS]
    assert sorted(set(names) - {"field", "comparison"}) == sorted([*fields, *Comparison])
    condition = document()["components"]["schemas"]["ConditionBody"]["properties"]
    assert set(condition["comparison"]["enum"]) == set(Comparison)
    for field in fields:
        assert field in condition["field"]["description"]
        assert re.search(condition["field"]["pattern"], field)
    assert not re.search(condition["field"]["pattern"], "country")


def test_the_documentation_names_every_path() -> None:
    table = PAGE.partition("## Keys")[2].partition("##")[0]
    documented = {re.sub(r"\{[^}]*\}", "{}", path) for path in re.findall(r"/(?:v1|maps)/[^`]+", table)}
    assert documented == {re.sub(r"\{[^}]*\}", "{}", path) for path in document()["paths"]}
