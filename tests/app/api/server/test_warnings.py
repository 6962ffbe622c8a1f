"""Warnings in `meta.warnings` about accepted parameters without effect, and other warnings of handlers."""

import json
from collections.abc import Iterator
from typing import Annotated, Any

import httpx
import pytest

from app.api.server import application
from app.api.server.docs import document
from app.api.server.server import ApiServer
from app.api.v1.operations import Call, Operation, Resource
from app.api.wire.common.answers import EmptyAnswer
from app.api.wire.common.decoding import NotServed
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.common.requests import RequestModel
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from tests.app.api.conftest import Api, fix

WISHES = "wishes: wishes are not served; this parameter was ignored."
DREAMS = "dreamList: dreams are not served; this parameter was ignored."
MOVED = "origin: the nearest road is 120 m away; the way begins there."


class WarnedBody(RequestModel):
    """A body whose fields have no effect."""

    wishes: Annotated[Any, NotServed("wishes")] = None
    dream_list: Annotated[Any, NotServed("dreams")] = None
    count: int = 0


@pytest.fixture(scope="module")
def warned(engine: Engine) -> Iterator[httpx.Client]:
    """A client of a server with an operation whose parameters mostly have no effect."""

    async def handler(call: Call[None, WarnedBody]) -> Encoded:
        call.warnings += [MOVED] * call.body.count
        return encode_answer({})

    operation = Operation(
        name="warned", summary="Warn", level=KeyLevel.PUBLISHABLE, handler=handler, body=WarnedBody, answer=EmptyAnswer
    )
    patch = pytest.MonkeyPatch()
    patch.setattr(application, "RESOURCES", (Resource("/v1/warned", {"POST": operation}),))
    headers = {"Authorization": engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)}
    with ApiServer(engine, port=0) as server, httpx.Client(base_url=server.url, headers=headers) as client:
        yield client
    patch.undo()


def warnings_of(response: httpx.Response) -> list[str]:
    assert response.status_code == 200, response.text
    return list(response.json()["meta"].get("warnings", []))


def test_served_fields_give_no_warning(publishable: Api, name: str) -> None:
    answer = publishable.post("/v1/track", json=fix(name, stopped=True, locationMs=5, whatever={"a": 1})).json()
    assert answer["meta"] == {"code": 200}


@pytest.mark.parametrize("empty", [None, "", [], {}, "null", "[]", "{}"])
def test_an_empty_value_is_absent(warned: httpx.Client, empty: object) -> None:
    assert warnings_of(warned.post("/v1/warned", json={"wishes": empty, "dreamList": empty})) == []


@pytest.mark.parametrize("odd", [{"a": 1}, json.dumps({"a": 1}), "x", 0, 5, True, False, [1], [[[None]]]])
def test_whatever_it_holds(warned: httpx.Client, odd: object) -> None:
    assert warnings_of(warned.post("/v1/warned", json={"wishes": odd})) == [WISHES]


@pytest.mark.parametrize(
    "form",
    [
        [("wishes", json.dumps({"a": 1})), ("dreamList", "[1]")],
        # How the official Python client flattens dictionaries and lists:
        [("wishes", "a"), ("wishes", "b"), ("dreamList", "a"), ("dreamList", "b")],
        [("wishes[a]", "299"), ("wishes[b]", "car"), ("dreamList[0][a]", "b9")],
        [("wishes.a", "299"), ("dreamList[]", "b9"), ("dreamList[]", "c0")],
    ],
)
def test_forms(warned: httpx.Client, form: list[tuple[str, str]]) -> None:
    content = "&".join(f"{key}={value}" for key, value in form)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert warnings_of(warned.post("/v1/warned", content=content, headers=headers)) == [WISHES, DREAMS]


def test_a_form_with_empty_values(warned: httpx.Client) -> None:
    assert warnings_of(warned.post("/v1/warned", data={"wishes": "", "dreamList": "[]"})) == []


def test_an_error_is_still_an_error(warned: httpx.Client) -> None:
    answer = warned.post("/v1/warned", json={"wishes": 1, "count": "many"})
    assert (answer.status_code, answer.json()["meta"]["param"]) == (400, "count")


def test_a_handler_may_warn_too_and_each_warning_appears_once(warned: httpx.Client) -> None:
    for _ in range(2):
        assert warnings_of(warned.post("/v1/warned", json={"wishes": 1, "count": 2})) == [WISHES, MOVED]


def test_the_document_describes_them() -> None:
    schemas = document()["components"]["schemas"]
    for meta in ("Meta", "PageMeta"):
        described = schemas[meta]["properties"]["warnings"]
        assert described["type"] == "array"
        assert described["items"]["type"] == "string"
        assert "have no effect" in described["description"]
