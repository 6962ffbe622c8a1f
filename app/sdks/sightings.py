"""Which SDKs have sent a request, found by the headers that each sends."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Final

from app.sdks.snippets import Sdk

type RawHeaders = Mapping[bytes, bytes]

MAX_REMEMBERED: Final = 256
"""How many spellings of these headers are remembered, so that most requests cost one look."""

_KIND: Final = b"x-radar-device-type"
_AROUND: Final = b"x-radar-x-platform-sdk-type"
_PROGRAM: Final = b"user-agent"
_VERSIONS: Final = (b"x-radar-x-platform-sdk-version", b"x-radar-sdk-version")

_BY_KIND: Final = {b"web": Sdk.JAVASCRIPT, b"ios": Sdk.IOS, b"android": Sdk.ANDROID}
_BY_WRAPPER: Final = {b"reactnative": Sdk.REACT_NATIVE, b"flutter": Sdk.FLUTTER}
_PYTHON: Final = b"radar-python/"


@dataclass(frozen=True, slots=True)
class Sighting:
    """The first request of an SDK: when it came, the SDK's version if it says so, and whether its key was accepted."""

    at: datetime
    version: str | None
    accepted: bool


def sdk_of(headers: RawHeaders) -> Sdk | None:
    """Return the SDK that sent a request with these headers; None for any other client."""
    around = headers.get(_AROUND, b"").lower()
    if around in _BY_WRAPPER:
        return _BY_WRAPPER[around]
    if (kind := headers.get(_KIND)) is not None:
        return _BY_KIND.get(kind.lower())
    return Sdk.PYTHON if headers.get(_PROGRAM, b"").startswith(_PYTHON) else None


class Sightings:
    """The first request of each SDK since the workspace was opened. May be used from any thread.

    One whose key was accepted takes the place of one whose key was not.
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        """`now` tells the time of a request."""
        self._now = now
        self._lock = Lock()
        self._seen: dict[Sdk, Sighting] = {}
        self._settled: set[tuple[bytes | None, bytes | None, bytes | None]] = set()
        self._listeners: tuple[Callable[[], None], ...] = ()

    def first(self, sdk: Sdk) -> Sighting | None:
        """Return the first request of an SDK."""
        return self._seen.get(sdk)

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` from the server's thread when there is another first request; return what ends that."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def unsubscribe() -> None:
            with self._lock:
                self._listeners = tuple(other for other in self._listeners if other is not listener)

        return unsubscribe

    def note(self, headers: RawHeaders, *, accepted: bool = True) -> None:
        """Note a request; all but the first few of a client cost next to nothing."""
        spelling = headers.get(_KIND), headers.get(_AROUND), headers.get(_PROGRAM)
        if spelling in self._settled:
            return
        sdk = sdk_of(headers)
        if sdk is not None:
            self._take(sdk, Sighting(self._now(), _version_of(headers, sdk), accepted))
        if accepted and len(self._settled) < MAX_REMEMBERED:
            self._settled.add(spelling)

    def _take(self, sdk: Sdk, sighting: Sighting) -> None:
        with self._lock:
            before = self._seen.get(sdk)
            if before is not None and (before.accepted or not sighting.accepted):
                return
            self._seen[sdk] = sighting
            listeners = self._listeners
        for listener in listeners:
            listener()


def _version_of(headers: RawHeaders, sdk: Sdk) -> str | None:
    if sdk is Sdk.PYTHON:
        said = headers[_PROGRAM].removeprefix(_PYTHON).partition(b" ")[0]
    else:
        said = next((headers[name] for name in _VERSIONS if name in headers), b"")
    text = said.decode("latin-1").strip()
    return text if text.isprintable() and 0 < len(text) <= 20 else None
