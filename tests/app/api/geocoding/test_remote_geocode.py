"""Remote geocoders with arbitrary responses, and their effect on the wire."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import orjson
import pytest

from app.api.server.server import ApiServer
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from engine.geocoding.remote import fallback
from tests.app.api.conftest import Api, circle
from tests.app.api.contract import Contract
from tests.engine.geocoding.test_remote_engines import LI_HOUSE, PELIAS_HOUSE, collection, nominatim
from tests.odd_json import changed, oddities
from tests.servers import ReceivedRequest, send, serving

GOOD: Final[dict[str, Any]] = {
    "nominatim": [nominatim()],
    "photon": collection(LI_HOUSE),
    "pelias": collection(PELIAS_HOUSE),
}


@contextmanager
def endpoint_over(kind: str, url: str, folder: Path, contract: Contract) -> Iterator[Api]:
    """An endpoint with a remote geocoder of the given kind."""
    with Engine.open(folder, geocoder_url=f"{kind}+{url}") as engine, ApiServer(engine, port=0) as endpoint:
        api = Api(endpoint.url, engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET), contract)
        try:
            yield api
        finally:
            api.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", GOOD)
@pytest.mark.timeout(400)
def test_no_shape_of_an_answer_is_a_fault_of_ours(
    kind: str, tmp_path: Path, contract: Contract, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fallback, "PAUSE_S", 0.0)
    sent: list[Any] = [GOOD[kind]]

    def reply(handler: Any, request: ReceivedRequest) -> None:
        single = kind == "nominatim" and request.path == "/reverse" and isinstance(sent[0], list) and sent[0]
        send(handler, 200, orjson.dumps(sent[0][0] if single else sent[0]))

    with serving(reply, keeps=True) as server, endpoint_over(kind, server.url, tmp_path / "w", contract) as api:
        forward = api.get("/v1/geocode/forward?query=landstrasse 12a xqz").json()["addresses"]
        assert forward[0]["number"] in ("12a", "123")
        messages = set()
        for way, value in oddities(GOOD[kind]):
            sent[0] = changed(GOOD[kind], way, value)
            answers = [
                api.get("/v1/geocode/forward?query=landstrasse 12a xqz"),
                api.get("/v1/geocode/reverse?coordinates=-60.5,-170.5"),
                api.get("/v1/search/autocomplete?query=landst xqz&near=-60.5,-170.5"),
            ]
            assert {answer.status_code for answer in answers} <= {200, 503}, f"{way} {value!r}"
            messages |= {answer.json()["meta"].get("message", "") for answer in answers}
        sent[0] = "no address"
        fence = api.post("/v1/geofences", json=circle("there") | {"address": "landstrasse 12a xqz"})
        assert fence.status_code in (400, 503), fence.text
    assert any("sends responses that cannot be read" in message for message in messages), messages
