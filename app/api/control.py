"""Private routes by which other commands of this machine reach the process that has the workspace open.

They exist only on a server made with a control token, which the workspace publishes in a file that only its owner
can read; no page in a browser may call them.
"""

import asyncio
import logging
import os
import threading
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, Final, Literal

import orjson

from app.api.authentication import check_token
from app.api.decoding import decode_query
from app.api.encoding import OK, Encoded, encode_report
from app.api.exchange import Exchange
from app.api.limits import MAX_IMPORT, read_body, refuse_announced
from app.api.requests import RequestModel
from app.api.routing import ExchangeRoute
from app.api.services import Services
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import FencewrightError
from engine.domain.ports import Cancelled

logger = logging.getLogger(__name__)

NDJSON: Final = b"application/x-ndjson"
LINE_EVERY_S: Final = 0.1
"""Progress is told at most this often; a reader needs no more."""


class ImportQuery(RequestModel):
    """Where to import, and whether for real."""

    environment: Literal["test", "live"] = "test"
    dry_run: bool = False


class RotateQuery(RequestModel):
    """Which key to replace."""

    environment: Literal["test", "live"]
    level: Literal["publishable", "secret"]


class ProgressLines:
    """Carries progress from the importing thread to the event loop, and the wish to stop back."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._queue: asyncio.Queue[Encoded | None] = asyncio.Queue()
        self._cancelled = threading.Event()
        self._next_line = 0.0

    def progress(self, done: int, total: int) -> None:
        """Note how far the work is; raise `Cancelled` when nobody waits for it any more."""
        if self._cancelled.is_set():
            raise Cancelled
        now = time.monotonic()
        if now >= self._next_line or done == total:
            self._next_line = now + LINE_EVERY_S
            self.tell({"done": done, "total": total})

    def tell(self, line: Encoded | None) -> None:
        """Add a line, from any thread; None ends them."""
        with suppress(RuntimeError):  # the loop is closed: nobody reads any more
            self._loop.call_soon_threadsafe(self._queue.put_nowait, line)

    def cancel(self) -> None:
        """Ask the work to stop."""
        self._cancelled.set()

    async def lines(self) -> AsyncIterator[Encoded]:
        """Yield the lines as they come."""
        while (line := await self._queue.get()) is not None:
            yield line


class Control:
    """The control routes of one server."""

    def __init__(self, services: Services, token: str) -> None:
        self._services = services
        self._token = token

    def routes(self) -> list[ExchangeRoute]:
        """Return the routes."""
        return [
            ExchangeRoute("/_workspace/status", "GET", self.status),
            ExchangeRoute("/_workspace/import", "POST", self.import_csv),
            ExchangeRoute("/_workspace/keys/rotate", "POST", self.rotate),
        ]

    async def status(self, exchange: Exchange) -> None:
        """Answer who has the workspace open, and the address of the public endpoint when it runs."""
        self._check(exchange)
        workspace = self._services.engine.workspace
        endpoint = workspace.endpoint
        url = {} if endpoint is None or endpoint.url is None else {"url": endpoint.url}
        await exchange.answer_json(200, {"meta": OK, "pid": os.getpid(), "folder": str(workspace.folder), **url})

    async def rotate(self, exchange: Exchange) -> None:
        """Replace a key; the old one is invalid at once."""
        self._check(exchange)
        query = decode_query(RotateQuery, exchange.scope["query_string"])
        rotate = self._services.engine.workspace.keys.rotate
        key = await self._services.run(rotate, Environment(query.environment), KeyLevel(query.level))
        await exchange.answer_json(200, {"meta": OK, "key": key.value})

    async def import_csv(self, exchange: Exchange) -> None:
        """Import a table, answering a line of JSON for each bit of progress and one for the report or the error."""
        self._check(exchange)
        query = decode_query(ImportQuery, exchange.scope["query_string"])
        refuse_announced(exchange, MAX_IMPORT)
        data = await read_body(exchange, MAX_IMPORT)
        lines = ProgressLines(asyncio.get_running_loop())
        work = asyncio.create_task(asyncio.to_thread(self._import, query, data, lines))
        leaving = asyncio.create_task(_cancel_when_left(exchange, lines))
        try:
            await exchange.begin(200, NDJSON, [])
            async for line in lines.lines():
                await exchange.part(orjson.dumps(line) + b"\n")
            await exchange.part(b"", last=True)
        finally:
            lines.cancel()
            leaving.cancel()
            await work

    def _import(self, query: ImportQuery, data: bytes, lines: ProgressLines) -> None:
        try:
            lines.tell(self._outcome(query, data, lines))
        finally:
            lines.tell(None)

    def _outcome(self, query: ImportQuery, data: bytes, lines: ProgressLines) -> Encoded:
        environment = Environment(query.environment)
        try:
            report = self._services.engine.import_csv(environment, data, dry_run=query.dry_run, progress=lines.progress)
        except FencewrightError as error:
            param: dict[str, Any] = {"param": error.param} if hasattr(error, "param") else {}
            return {"error": param | {"message": error.message}}
        except Cancelled:
            return {"error": {"message": "The import was cancelled; nothing of it is kept."}}
        except Exception:
            logger.exception("An import failed")
            message = "Something went wrong inside Fencewright, whose log says why; nothing was imported."
            return {"error": {"message": message}}
        return {"report": encode_report(report)}

    def _check(self, exchange: Exchange) -> None:
        check_token(self._token, exchange.headers.get(b"authorization"))


async def _cancel_when_left(exchange: Exchange, lines: ProgressLines) -> None:
    while (await exchange.receive())["type"] != "http.disconnect":
        pass
    lines.cancel()
