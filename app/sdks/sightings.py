"""SDKs that have sent a request, recognized by their headers."""

from collections.abc import Callable, Mapping
from datetime import datetime
from threading import Lock
from typing import Final

from msgspec import Struct

from app.sdks.snippets import Sdk
from engine.domain.environment import Environment
from engine.domain.ports import Listeners

type RawHeaders = Mapping[bytes, bytes]

MAX_REMEMBERED: Final = 256
"""Number of header combinations that are remembered, so that most requests need a single lookup."""

_KIND: Final = b"x-radar-device-type"
_AROUND: Final = b"x-radar-x-platform-sdk-type"
_PROGRAM: Final = b"user-agent"
_VERSIONS: Final = (b"x-radar-x-platform-sdk-version", b"x-radar-sdk-version")

_BY_KIND: Final = {b"web": Sdk.JAVASCRIPT, b"ios": Sdk.IOS, b"android": Sdk.ANDROID}
_BY_WRAPPER: Final = {b"reactnative": Sdk.REACT_NATIVE, b"flutter": Sdk.FLUTTER}
_PYTHON: Final = b"radar-python/"


class Sighting(Struct, frozen=True):
    """The first request of an SDK: its time, the SDK's version if it is given, and the environment of its key.

    `environment` is None if it came without a key of the workspace.
    """

    at: datetime
    version: str | None
    environment: Environment | None


def sdk_of(headers: RawHeaders) -> Sdk | None:
    """Return the SDK that sent a request with these headers, or None for any other client."""
    around = headers.get(_AROUND, b"").lower()
    if around in _BY_WRAPPER:
        return _BY_WRAPPER[around]
    if (kind := headers.get(_KIND)) is not None:
        return _BY_KIND.get(kind.lower())
    return Sdk.PYTHON if headers.get(_PROGRAM, b"").startswith(_PYTHON) else None


class Sightings:
    """The first requests of each SDK since the workspace was opened. May be used from any thread."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        """`now` returns the time of a request."""
        self._now = now
        self._lock = Lock()
        self._seen: dict[tuple[Sdk, Environment | None], Sighting] = {}
        self._settled: set[tuple[bytes | None, bytes | None, bytes | None, Environment]] = set()
        self._listeners: Listeners[[]] = Listeners()

    def first(self, sdk: Sdk, environment: Environment) -> Sighting | None:
        """Return the first request of an SDK with a key of an environment.

        If there was no such request, return one with a key of the other environment, or else one without a key of the
        workspace.
        """
        others = (each for each in Environment if each is not environment)
        keys = ((sdk, each) for each in (environment, *others, None))
        return next((self._seen[key] for key in keys if key in self._seen), None)

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` from the server's thread on every new first request. Returns a function to unsubscribe."""
        return self._listeners.add(listener)

    def note(self, headers: RawHeaders, environment: Environment | None) -> None:
        """Record a request with a key of an environment, or None without a key. Most calls cost next to nothing."""
        spelling = None
        if environment is not None:
            spelling = headers.get(_KIND), headers.get(_AROUND), headers.get(_PROGRAM), environment
            if spelling in self._settled:
                return
        sdk = sdk_of(headers)
        if sdk is not None:
            self._take(sdk, Sighting(self._now(), _version_of(headers, sdk), environment))
        if spelling is not None and len(self._settled) < MAX_REMEMBERED:
            self._settled.add(spelling)

    def _take(self, sdk: Sdk, sighting: Sighting) -> None:
        with self._lock:
            if (key := (sdk, sighting.environment)) in self._seen:
                return
            self._seen[key] = sighting
        self._listeners.notify()


def _version_of(headers: RawHeaders, sdk: Sdk) -> str | None:
    if sdk is Sdk.PYTHON:
        version = headers[_PROGRAM].removeprefix(_PYTHON).partition(b" ")[0]
    else:
        version = next((headers[name] for name in _VERSIONS if name in headers), b"")
    text = version.decode("latin-1").strip()
    return text if text.isprintable() and 0 < len(text) <= 20 else None
