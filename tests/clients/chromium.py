"""Debian's Chromium in headless mode, driven by playwright-core, which returns the outcome of a page to Python.

    seen = browse("http://127.0.0.1:4711/", geolocation=Position(latitude=60.17, longitude=24.94))
    assert seen.result["name"] == "Helsinki"

A page reports its result with ``console.log("result:" + JSON.stringify(found))``, as in `tests.clients.browser`, and is
then closed. `await moveTo({latitude, longitude, accuracy})` in a page moves a browser that has a `geolocation`; `await
typeText(text)`, `pressKey(key)` and `clickOn(selector)` are input of the user. Mark tests with `needs_chromium`. Its
requirements are installed by ``python -m tests.node_packages`` and ``apt-get install
chromium``.
"""

import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypedDict

import pytest

from tests.node_packages import ROOT, find_node, is_fetched

FOLDER: Final = Path("tests/clients")
MODULES: Final = ROOT / FOLDER / "node_modules"
NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
LONGEST_S: Final = 60
ARGUMENTS: Final = (
    "--disable-gpu",
    # MapLibre draws with WebGL, which is rendered in software here.
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Only this machine may be contacted.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)


class Position(TypedDict, total=False):
    """A position as a browser reports it. `accuracy` is in metres, and 0 by default."""

    latitude: float
    longitude: float
    accuracy: float


@dataclass(frozen=True)
class PageRequest:
    """A request of a page, with the status and headers of its response. `failure` says why that is missing or
    incomplete."""

    method: str
    url: str
    kind: str
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    failure: str | None = None


@dataclass(frozen=True)
class Seen:
    """The outcome of a page: its result, its other log messages, its uncaught errors, and its requests."""

    result: Any
    console: list[str]
    errors: list[str]
    requests: list[PageRequest]

    def failed(self, ours: Callable[[str], bool] = lambda _url: True) -> list[PageRequest]:
        """Return the requests to addresses that are `ours` without a response, or with an error status."""
        return [
            request
            for request in self.requests
            if ours(request.url) and (request.status is None or request.status >= 400)
        ]


def missing_requirement() -> str | None:
    """Return why Chromium cannot be run here, or None if it can."""
    if find_chromium() is None:
        return "there is no Chromium here: apt-get install chromium"
    if find_node() is None:
        return "there is no Node.js here"
    if not is_fetched(FOLDER):
        return "the packages are not here: python -m tests.node_packages"
    return None


def find_chromium() -> str | None:
    """Return the path of Chromium on this machine."""
    return next(filter(None, map(shutil.which, NAMES)), None)


_MISSING: Final = missing_requirement()
needs_chromium: Final = pytest.mark.skipif(_MISSING is not None, reason=_MISSING or "")


def browse(
    url: str,
    *,
    geolocation: Position | None = None,
    picture: Path | None = None,
    size: tuple[int, int] = (1024, 768),
    arguments: Sequence[str] = (),
) -> Seen:
    """Open a page in a new profile, wait for its result, and return the outcome.

    `picture` is a PNG of its final state.
    """
    with TemporaryDirectory(prefix="chromium-") as profile:
        job = {
            "url": url,
            "chromium": find_chromium(),
            "arguments": (*ARGUMENTS, *arguments),
            "profile": profile,
            "viewport": {"width": size[0], "height": size[1]},
            "geolocation": geolocation,
            "picture": None if picture is None else str(picture),
            "timeout_ms": LONGEST_S * 1000,
        }
        node = find_node()
        assert node is not None
        command = [node, str(ROOT / FOLDER / "visit.mjs")]
        done = subprocess.run(command, input=json.dumps(job).encode(), capture_output=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr.decode()
    outcome = json.loads(done.stdout)
    return Seen(**{**outcome, "requests": [PageRequest(**request) for request in outcome["requests"]]})
