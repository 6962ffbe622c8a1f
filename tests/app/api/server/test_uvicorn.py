"""The parts of uvicorn on which the server's own connections are built, limited to the reviewed versions."""

import hashlib
import inspect
import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from types import FunctionType

import pytest
import uvicorn
from packaging.requirements import Requirement
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from app.api.server.protocol import BoundedProtocol
from app.api.server.reading import ReadingProtocol
from app.api.server.server import _Server

PROJECT = Path(__file__).parents[4] / "pyproject.toml"

READ = (FlowControl, HttpToolsProtocol, RequestResponseCycle)

REVIEWED = {
    "FlowControl.__init__": "0152d94a040758b54ff88c0aa6482659",
    "FlowControl.drain": "4bda6b61c277ae871e75274d7a5f0758",
    "FlowControl.pause_reading": "7c27388bb984e9ed9f1967b00795330c",
    "FlowControl.pause_writing": "93d4a08a9f2da9d6532e3ecf83e00c75",
    "FlowControl.resume_reading": "a0429d30857e8488e04dd7a9e23d4648",
    "FlowControl.resume_writing": "a343e8b0baf0890164c688def084a448",
    "HttpToolsProtocol.__init__": "4f08999410347141468656d82e71ffeb",
    "HttpToolsProtocol._get_upgrade": "7b1305aac7b87064538f10f2c7bd80ac",
    "HttpToolsProtocol._should_upgrade": "8fcad1ab8e0967397808d644a390da64",
    "HttpToolsProtocol._should_upgrade_to_ws": "d580849b4df878c3611d759367fc9cb9",
    "HttpToolsProtocol._start_asgi_task": "9c08c2571ae9b0380320a24c20c3af18",
    "HttpToolsProtocol._unset_keepalive_if_required": "00a6a4e47214e68edef469a2a8f21ade",
    "HttpToolsProtocol._unsupported_upgrade_warning": "55bbd2762b189d9a9d833d550e80b7e2",
    "HttpToolsProtocol.connection_lost": "c91a4c9bf2e29c554a97418b5f3064e9",
    "HttpToolsProtocol.connection_made": "6efb565ff3d36b916c29bd42330a2b99",
    "HttpToolsProtocol.data_received": "010a7ae59a5d3b1a5e7326ce24687856",
    "HttpToolsProtocol.eof_received": "5652627579a023693f90c79a707af5b0",
    "HttpToolsProtocol.handle_websocket_upgrade": "179c4f769386ab8909f529350d350eba",
    "HttpToolsProtocol.on_body": "dba9c32aeba35b6ae10722f86232d44d",
    "HttpToolsProtocol.on_header": "65d62c044f61fdbd354dcb3401aa5907",
    "HttpToolsProtocol.on_headers_complete": "1ea8589acfad92d8ff9182775f337d98",
    "HttpToolsProtocol.on_message_begin": "96d377fdc7c2baef943c2bd245003abc",
    "HttpToolsProtocol.on_message_complete": "1fbad42dc31fc01fd4106a9885b2a2e0",
    "HttpToolsProtocol.on_response_complete": "64e254f28e389e7614f2c828176d6391",
    "HttpToolsProtocol.on_url": "37be44e962b04ca87f76428ff8d7a330",
    "HttpToolsProtocol.pause_writing": "17a8fd215d96a13cc140babd064bae54",
    "HttpToolsProtocol.resume_writing": "7844bbaa8cceb1ef14d74f44c229ecf7",
    "HttpToolsProtocol.send_400_response": "ae5a4a3782b646fdd2d0ec5cfc28814f",
    "HttpToolsProtocol.shutdown": "d7351fa33f00d430e0a4179912a4ed47",
    "HttpToolsProtocol.timeout_keep_alive_handler": "8b53bf5f2e202970f6f6c0338a5c381c",
    "RequestResponseCycle.__init__": "4d2f220910c33c12f2891cbf2fb89ad3",
    "RequestResponseCycle.receive": "8124ae006be71184810da91d586b97c4",
    "RequestResponseCycle.run_asgi": "0f33f2449a444bc210e26187fae751e6",
    "RequestResponseCycle.send": "abdd8601b326a8da972436918d3a954e",
    "RequestResponseCycle.send_500_response": "37c64da40eedaeaf3d560824cd6be55e",
    "Server.__init__": "c150b55284f7511eba734c0219b897d3",
    "Server.main_loop": "afccb353a119333f206ffa120abc9efd",
    "Server.on_tick": "60ea49b06ccf68c11e91a3b8676b56f3",
    "Server.shutdown": "9b33c50562992b1e3cef2a9611408ece",
    "Server.serve": "112ef41af52167e35ebf82b8570d4aec",
    "Server.startup": "2aa1d70a244bfcf21a1ae57e0152f9c2",
}
"""Digests of the source of all methods of the connection and its parts, and of the server methods built upon.

`BoundedProtocol` overrides some of them and creates the request cycles itself, and its short path replaces one. After a
change, compare the new source with `ReadingProtocol`, `BoundedProtocol`, `Flow`, `ExpressRequest` and `_Server`, run
the tests of the endpoint, then raise the range in pyproject.toml and replace the digest.
"""


def methods(owner: type) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield all methods that a class defines itself."""
    return ((name, value) for name, value in vars(owner).items() if isinstance(value, FunctionType))


def digest(method: Callable[..., object]) -> str:
    """Return the first half of a digest of a method's source."""
    return hashlib.sha256(inspect.getsource(method).encode()).hexdigest()[:32]


def installed() -> dict[str, str]:
    """Return the values of REVIEWED for the installed uvicorn."""
    found = {f"{owner.__name__}.{name}": digest(method) for owner in READ for name, method in methods(owner)}
    relied_on = {name for name, _ in methods(_Server) if name in vars(uvicorn.Server)} | {"serve", "on_tick"}
    return found | {f"Server.{name}": digest(getattr(uvicorn.Server, name)) for name in sorted(relied_on)}


def test_the_installed_uvicorn_is_in_the_reviewed_range() -> None:
    lines = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]
    requirement = next(each for each in map(Requirement, lines) if each.name == "uvicorn")
    assert {each.operator for each in requirement.specifier} == {">=", "<"}, "the range has two ends"
    assert requirement.specifier.contains(version("uvicorn"))


def test_the_methods_built_upon_are_those_that_were_reviewed() -> None:
    found = installed()
    changed = sorted(name for name in found.keys() | REVIEWED.keys() if found.get(name) != REVIEWED.get(name))
    assert changed == [], "uvicorn changed: review these against app/api before the digests are replaced"


def test_every_override_has_something_to_override() -> None:
    inherited = {name for each in (HttpToolsProtocol, ReadingProtocol) for name, _ in methods(each)}
    for owner in (ReadingProtocol, BoundedProtocol):
        own = {name for name, method in methods(owner) if getattr(method, "__override__", False)}
        assert own
        assert own <= inherited


def test_another_source_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def on_message_begin(self: HttpToolsProtocol) -> None:
        self.url = b""

    monkeypatch.setattr(HttpToolsProtocol, "on_message_begin", on_message_begin)
    changed = [name for name, value in installed().items() if REVIEWED.get(name) != value]
    assert changed == ["HttpToolsProtocol.on_message_begin"]
