"""A served instance for tests: a process with a workspace for a test to fill, move and query.

Like any client, it communicates by HTTP.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote, urlsplit

import httpx

from pytest_fencewright.expecting import Body, ExpectsEvents, tag_and_id
from pytest_fencewright.program import START_S, NotStarted, running_server, serving

DEFAULT_SEED: Final[Mapping[str, Any]] = {
    "version": 2,
    "settings": {"test": {"rateLimit": False}},
    "clock": {"now": "2026-01-05T12:00:00Z", "frozen": True},
}
"""A seed with a clock that stands still on a Monday, and without rate limits for devices."""

_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")

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
        text = moment if isinstance(moment, str) else moment.astimezone(timezone.utc).isoformat()
        return self._moment(self._served.request("POST", "/v1/clock", now=text, frozen=True))

    def advance(self, seconds: float = 0, *, minutes: float = 0) -> datetime:
        """Advance the clock. Everything that expires in the meantime has expired on return."""
        return self._moment(self._served.request("POST", "/v1/clock", advanceSeconds=seconds + 60 * minutes))

    @staticmethod
    def _moment(answer: Body) -> datetime:
        return datetime.fromisoformat(answer.get("clock", answer)["now"].replace("Z", "+00:00"))


class Fencewright(ExpectsEvents):
    """A served instance: its address, its keys of Test, its clock, and operations for tests."""

    def __init__(self, ready: Mapping[str, Any], client: httpx.Client) -> None:
        self.url: str = ready["url"]
        self.publishable_key: str = ready["keys"]["test"]["publishable"]
        self.secret_key: str = ready["keys"]["test"]["secret"]
        self.clock = Clock(self)
        self._client = client
        super().__init__()

    def request(self, method: str, path: str, /, **body: Any) -> Body:
        """Send a request with the secret key and return the response. Raises `RequestRefused` and `NoAnswer`."""
        description = f"{method} {path}"
        headers = {"Authorization": self.secret_key}
        try:
            answer = self._client.request(method, self.url + path, json=body or None, headers=headers)
        except httpx.HTTPError as error:
            raise NoAnswer(f"{description}: no complete answer: {error or type(error).__name__}") from None
        decoded = _decoded(description, answer.content)
        if answer.status_code != httpx.codes.OK:
            raise RequestRefused(description, answer.status_code, decoded.get("meta", {}))
        return decoded

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
        found: list[Body] = self.request("GET", f"/v1/events?{httpx.QueryParams(query)}")["events"]
        return found

    def find_geofence(self, tag: str, external_id: str) -> Body | None:
        """Return a geofence, or None if it does not exist."""
        try:
            found: Body = self.request("GET", f"/v1/geofences/{quote(tag, safe='')}/{quote(external_id, safe='')}")
        except RequestRefused as error:
            if error.status == httpx.codes.NOT_FOUND:
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


@contextmanager
def served(seed: Mapping[str, Any] | Path | None = None) -> Iterator[Fencewright]:
    """Start an instance with a seed or a seed file and stop it at the end, or use the server in ``FENCEWRIGHT``.

    Raises `NotStarted`, also for a seed if the server is a running one, which has its own.
    """
    running = running_server()
    if running is not None:
        if seed is not None:
            raise NotStarted(f"the server at {running['url']} has a seed of its own, so fencewright_seed has no effect")
        with _client(running["url"]) as client:
            yield Fencewright(running, client)
        return
    with TemporaryDirectory(prefix="fencewright-") as folder:
        file = seed if isinstance(seed, Path) else Path(folder, "seed.json")
        if not isinstance(seed, Path):
            file.write_text(json.dumps(DEFAULT_SEED if seed is None else dict(seed)), encoding="utf-8")
        with serving(file.resolve()) as ready, _client(ready["url"]) as client:
            yield Fencewright(ready, client)


def _client(url: str) -> httpx.Client:
    """Return a client, which needs no proxy for a server on the same computer."""
    return httpx.Client(timeout=START_S, trust_env=urlsplit(url).hostname not in _LOOPBACK)
