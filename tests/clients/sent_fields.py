"""The parameters that the vendor's browser SDKs add to requests by themselves, as the request log saw them."""

import json
from collections import defaultdict
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from app.api.server.server import ApiServer
from app.api.v1 import RESOURCES
from app.api.v1.operations import Operation
from app.api.v1.request_log.near_misses import names_of
from app.api.v1.request_log.sdk_fields import FIELDS_OF_SDKS, NOT_LOOKED_AT, Sdk
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from tests.app.api.request_log.sdk_requests import REQUESTS

type Logged = list[dict[str, Any]]


def logged_at(server: ApiServer, engine: Engine) -> Logged:
    """Return the request log of a server, oldest first."""
    key = engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)
    answer = httpx.get(f"{server.url}/v1/requests?order=asc&limit=1000", headers={"Authorization": key})
    logged: Logged = answer.json()["requests"]
    return logged


def check_requests(version: str, logged: Logged) -> None:
    """Check that no parameter is reported, and that a version adds those of the table, and no others."""
    sdk = Sdk(f"JavaScript {version.rpartition('.')[0]}")
    assert [each["nearMisses"] for each in logged if each["nearMisses"]] == []
    added: defaultdict[str, set[str]] = defaultdict(set)
    for each in logged:
        operation = _operation_of(each) if each["method"] != "OPTIONS" else None
        if operation is not None and operation.name not in NOT_LOOKED_AT:
            query = {name.partition("[")[0] for name in parse_qs(urlsplit(each["path"]).query)}
            sent = query | set(json.loads(each.get("body") or "{}"))
            added[operation.name] |= sent - names_of(operation.query) - names_of(operation.body)
    operations = {each.name: each for resource in RESOURCES for each in resource.operations.values()}
    for name, names in added.items():
        known = names_of(operations[name].query) | names_of(operations[name].body)
        assert names == FIELDS_OF_SDKS[sdk].get(name, frozenset()) - known, name
    assert FIELDS_OF_SDKS[sdk].keys() <= added.keys() <= {each.operation for each in REQUESTS[sdk]}


def _operation_of(logged: dict[str, Any]) -> Operation | None:
    """Return the operation of a logged request, all of which are without parameters in the path except for trips."""
    path = urlsplit(logged["path"]).path
    if path.startswith("/v1/trips/"):
        path = "/v1/trips/{id}/update"
    found = next((each for each in RESOURCES if each.path == path), None)
    return None if found is None else found.operations.get(logged["method"])
