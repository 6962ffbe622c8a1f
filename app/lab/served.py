"""A served instance for tests: a separate process with an empty workspace for a test to fill, move and query.

Like a client, it communicates by HTTP. It uses only the standard library, since it runs in other people's tests.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from http import HTTPStatus
from http.client import HTTPException, IncompleteRead
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote, urlencode

from app.lab.expecting import Body, ExpectsEvents, tag_and_id

START_S: Final = 60.0
STOP_S: Final = 20.0
DEFAULT_SEED: Final[Mapping[str, Any]] = {
    "version": 2,
    "settings": {"test": {"rateLimit": False}},
    "clock": {"now": "2026-01-05T12:00:00Z", "frozen": True},
}
"""A seed with a clock that stands still on a Monday, and without rate limits for devices."""

__tracebackhide__ = True
"""A failing test shows the line of the test instead of those of this file."""


class RequestRefused(Exception):
    """A response other than 200. `status` and `meta` are the server's."""

    def __init__(self, request: str, status: int, meta: Body) -> None:
        super().__init__(f"{request}: {status}: {meta.get('message', '')}")
        self.status = status
        self.meta = meta


class NoAnswer(Exception):
    """A request without a complete response, because of an injected fault."""


class Clock:
    """The clock of Test, which stands still until it is moved."""

    def __init__(self, served: Fencewright) -> None:
        self._served = served

    @property
    def now(self) -> datetime:
        """Current time of the clock."""
        return self._moment(self._served.request("GET", "/v1/clock"))

    def set(self, moment: datetime | str) -> datetime:
        """Set the clock to a time and stop it there."""
        text = moment if isinstance(moment, str) else moment.astimezone(UTC).isoformat()
        return self._moment(self._served.request("POST", "/v1/clock", now=text, frozen=True))

    def advance(self, seconds: float = 0, *, minutes: float = 0) -> datetime:
        """Advance the clock. Everything that expires in the meantime has expired on return."""
        return self._moment(self._served.request("POST", "/v1/clock", advanceSeconds=seconds + 60 * minutes))

    @staticmethod
    def _moment(answer: Body) -> datetime:
        return datetime.fromisoformat(answer.get("clock", answer)["now"])


class Fencewright(ExpectsEvents):
    """A served instance: its address, its keys of Test, its clock, and operations for tests."""

    def __init__(self, ready: Mapping[str, Any]) -> None:
        self.url: str = ready["url"]
        self.publishable_key: str = ready["keys"]["test"]["publishable"]
        self.secret_key: str = ready["keys"]["test"]["secret"]
        self.clock = Clock(self)
        super().__init__()

    def request(self, method: str, path: str, /, **body: Any) -> Body:
        """Send a request with the secret key and return the response. Raises `RequestRefused` and `NoAnswer`."""
        data = json.dumps(body).encode() if body else None
        request = urllib.request.Request(self.url + path, data, method=method)
        request.add_header("Authorization", self.secret_key)
        request.add_header("Content-Type", "application/json")
        description = f"{method} {path}"
        try:
            with _OPENER.open(request, timeout=START_S) as answer:
                return _decoded(description, answer.read())
        except urllib.error.HTTPError as error:
            with error:
                meta = _decoded(description, error.read()).get("meta", {})
            raise RequestRefused(description, error.code, meta) from None
        except IncompleteRead as error:
            raise NoAnswer(f"{description}: the answer broke off after {len(error.partial):,} bytes.") from None
        except (HTTPException, OSError) as error:
            # urllib wraps errors that occur before the response, but not those while it is read.
            reason = getattr(error, "reason", error)
            raise NoAnswer(f"{description}: no answer: {reason or type(reason).__name__}") from None

    def reset(self) -> None:
        """Restore the seed: geofences, users, settings and clock are reset, and events are deleted."""
        self.request("POST", "/v1/reset")
        self._seen.clear()
        self._explained.clear()

    def settings(self, **changes: Any) -> Body:
        """Change settings, spelled as on the wire, and return all of them."""
        found: Body = self.request("PATCH", "/v1/settings", **changes)["settings"]
        return found

    def geofence(self, name: str, coordinates: Any, radius: float | None = None, **fields: Any) -> Body:
        """Create or update the geofence ``tag/externalId``: a circle if a radius is given, else a polygon."""
        tag, external_id = tag_and_id(name)
        body = {"description": name, "type": "polygon", "coordinates": coordinates}
        if radius is not None:
            body |= {"type": "circle", "radius": radius}
        path = f"/v1/geofences/{quote(tag, safe='')}/{quote(external_id, safe='')}"
        found: Body = self.request("PUT", path, **body | fields)["geofence"]
        return found

    def track(
        self, device_id: str, longitude: float, latitude: float, accuracy: float = 10.0, **fields: Any
    ) -> list[Body]:
        """Send a location update, with further fields spelled as on the wire, and return the events that it causes."""
        body = {"deviceId": device_id, "longitude": longitude, "latitude": latitude, "accuracy": accuracy}
        answer = self.request("POST", "/v1/track?explain=true", **body | fields)
        self._explained.append(answer)
        events: list[Body] = answer["events"]
        return events

    def events(self, **query: str) -> list[Body]:
        """Return events, newest first. The parameters are those of ``GET /v1/events``."""
        found: list[Body] = self.request("GET", f"/v1/events?{urlencode(query)}")["events"]
        return found

    def find_geofence(self, tag: str, external_id: str) -> Body | None:
        """Return a geofence, or None if it does not exist."""
        try:
            found: Body = self.request("GET", f"/v1/geofences/{quote(tag, safe='')}/{quote(external_id, safe='')}")
        except RequestRefused as error:
            if error.status == HTTPStatus.NOT_FOUND:
                return None
            raise
        geofence: Body = found["geofence"]
        return geofence


def _decoded(request: str, answer: bytes) -> Body:
    try:
        decoded: Body = json.loads(answer)
    except ValueError:
        raise NoAnswer(f"{request}: the answer is no JSON: {answer[:80]!r}") from None
    return decoded


_OPENER: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Opener without a proxy, since a test connects to its own machine."""


@contextmanager
def served(seed: Mapping[str, Any] | Path | None = None) -> Iterator[Fencewright]:
    """Start an instance filled from a seed or a seed file, and stop it at the end."""
    with TemporaryDirectory(prefix="fencewright-") as folder:
        ready, log = Path(folder, "ready.json"), Path(folder, "log.txt")
        file = seed if isinstance(seed, Path) else Path(folder, "seed.json")
        if not isinstance(seed, Path):
            file.write_text(json.dumps(DEFAULT_SEED if seed is None else dict(seed)), encoding="utf-8")
        # The folder of the tests is not searched, since it may contain a package of the same name.
        command = [sys.executable, "-P", "-m", "app.main", "serve", "--workspace", ":memory:", "--port", "0"]
        # If the test run is killed, its end of the pipe closes, and the server exits, too.
        command.append("--stop-on-eof")
        with (
            log.open("wb") as output,
            subprocess.Popen(
                [*command, "--seed", str(file), "--ready-file", str(ready)],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
            ) as process,
        ):
            try:
                _wait(process, ready, log)
                yield Fencewright(json.loads(ready.read_text(encoding="utf-8")))
            finally:
                _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()


def _wait(process: subprocess.Popen[bytes], ready: Path, log: Path) -> None:
    deadline = time.monotonic() + START_S
    while not ready.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            output = log.read_text(encoding="utf-8", errors="replace").strip()
            raise RuntimeError(f"fencewright has not started: {output or 'it said nothing'}")
        time.sleep(0.05)
