"""Requests that a browser sends again by itself after 408, which it takes for a connection that had timed out.

Chromium and Firefox do so on a connection that they had opened before the request, at once and on another one, and the
page notices nothing. As soon as they have the head of the 408 they close the connection; so what follows is known.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from starlette.types import Scope

from app.faults.book import Hit

HELD_S: Final = 0.25
"""For so long the last byte of a 408 is held back: a browser that sends again has closed the connection by then."""

EXPECTED_S: Final = 2.0
"""For so long a request is expected again."""

type Request = tuple[object, ...]
type HasLeft = Callable[[], bool]


class Resends:
    """The requests that may be sent again, each with the fault that it met, on one event loop."""

    def __init__(self) -> None:
        self._expected: dict[Request, tuple[Hit, HasLeft]] = {}

    def __bool__(self) -> bool:
        return bool(self._expected)

    def expect(self, request: Request, hit: Hit, has_left: HasLeft) -> None:
        """Expect a request again for a while, once its client has left."""
        self._expected[request] = hit, has_left
        asyncio.get_running_loop().call_later(EXPECTED_S, self.forget, request)

    def forget(self, request: Request) -> None:
        """Expect a request no more: its client has the whole answer."""
        self._expected.pop(request, None)

    def take(self, request: Request) -> Hit | None:
        """Return the fault that a request has met before, if it is one that was sent again."""
        hit, has_left = self._expected.get(request, (None, None))
        if has_left is None or not has_left():
            return None
        self.forget(request)
        return hit


def request_of(scope: Scope, device_id: str | None) -> Request:
    """Return what is the same when a request is sent again; the address is that of the client without its port."""
    address = (scope["client"] or ("",))[0]
    return address, scope["method"], scope["raw_path"], scope["query_string"], tuple(scope["headers"]), device_id
