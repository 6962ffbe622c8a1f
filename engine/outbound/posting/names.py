"""Looking up names, each in a thread of its own.

The event loop has few threads for that, which names that nobody answers for would take for half a minute each; all
other receivers would wait.
"""

import asyncio
import socket
from contextlib import suppress
from threading import Thread

_asked: dict[tuple[str, int], asyncio.Future[list[str]]] = {}
"""The names that are being looked up: who asks for one of them waits for the same answer."""


async def addresses_of(host: str, port: int) -> list[str]:
    """Return the addresses of a name; raises `OSError` or `UnicodeError` where there are none."""
    future = _asked.get((host, port))
    if future is None:
        future = _asked[host, port] = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda done: _forget(host, port, done))
        Thread(target=_look_up, args=(host, port, asyncio.get_running_loop(), future), daemon=True).start()
    # Who stops waiting does not end it for the others.
    return await asyncio.shield(future)


def _look_up(host: str, port: int, loop: asyncio.AbstractEventLoop, future: asyncio.Future[list[str]]) -> None:
    outcome: list[str] = []
    failure: Exception | None = None
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        outcome = list(dict.fromkeys(str(each[4][0]) for each in found))
    except Exception as error:  # noqa: BLE001 - handed to whoever asked
        failure = error
    with suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(_settle, future, outcome, failure)


def _settle(future: asyncio.Future[list[str]], outcome: list[str], failure: Exception | None) -> None:
    if future.done():
        return
    if failure is None:
        future.set_result(outcome)
    else:
        future.set_exception(failure)


def _forget(host: str, port: int, future: asyncio.Future[list[str]]) -> None:
    _asked.pop((host, port), None)
    if not future.cancelled():
        future.exception()  # nobody may have waited any more
