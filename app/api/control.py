"""Private routes by which other commands of this machine reach the process that has the workspace open.

They exist only on a server made with a control token, which the workspace publishes in a file that only its owner
can read; no page in a browser may call them.
"""

import asyncio
import logging
import os
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, Final, Literal

import orjson

from app.api.authentication import check_token
from app.api.decoding import decode_body, decode_query
from app.api.encoding import OK, Encoded, encode_report, encode_time
from app.api.errors import Disconnected
from app.api.exchange import JSON_TYPE, Exchange
from app.api.explanations import encode_cleared, encode_explained_update, encode_replay_report
from app.api.fields import Identifier, Moment
from app.api.limits import MAX_IMPORT, read_body, refuse_announced
from app.api.requests import RequestModel
from app.api.routing import ExchangeRoute
from app.api.services import Services
from app.api.settings_wire import decode_settings_change
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import FencewrightError
from engine.domain.explaining import ReplayFences, ReplayQuery, UpdateQuery
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


class ExplainBody(RequestModel):
    """Which update to explain: the device's last one at or before `at`, or its last of all."""

    environment: Literal["test", "live"] = "test"
    device_id: Identifier
    user_id: Identifier | None = None
    at: Moment | None = None

    def query(self) -> UpdateQuery:
        """Return what the engine is asked."""
        return UpdateQuery(device_id=self.device_id, user_id=self.user_id, at=self.at)


class ReplayBody(RequestModel):
    """Whose updates to run again, under which settings (those that differ) and geofences."""

    environment: Literal["test", "live"] = "test"
    device_id: Identifier
    user_id: Identifier | None = None
    after: Moment | None = None
    before: Moment | None = None
    settings: dict[str, Any] | None = None
    fences: Literal["then", "now"] = "then"

    def query(self) -> ReplayQuery:
        """Return what the engine is asked."""
        return ReplayQuery(
            device_id=self.device_id,
            user_id=self.user_id,
            after=self.after,
            before=self.before,
            change=decode_settings_change(self.settings or {}),
            fences=ReplayFences(self.fences),
        )


class ClearBody(RequestModel):
    """What to remove of Test: everything tracked, or one device's; with `geofences` these too."""

    device_id: Identifier | None = None
    geofences: bool = False


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
            ExchangeRoute("/_workspace/explain", "POST", self.explain),
            ExchangeRoute("/_workspace/replay", "POST", self.replay),
            ExchangeRoute("/_workspace/clear", "POST", self.clear),
            ExchangeRoute("/_workspace/areas", "POST", self.areas),
        ]

    async def status(self, exchange: Exchange) -> None:
        """Answer who has the workspace open, its clocks, and the address of the public endpoint when it runs."""
        self._check(exchange)
        engine = self._services.engine
        workspace = engine.workspace
        endpoint = workspace.endpoint
        url = {} if endpoint is None or endpoint.url is None else {"url": endpoint.url}
        now = {environment.value: encode_time(engine.clock_of(environment).now()) for environment in Environment}
        status = {"meta": OK, "pid": os.getpid(), "folder": str(workspace.folder), "now": now}
        await exchange.answer_json(200, status | url)

    async def rotate(self, exchange: Exchange) -> None:
        """Replace a key; the old one is invalid at once."""
        self._check(exchange)
        query = decode_query(RotateQuery, exchange.scope["query_string"])
        rotate = self._services.engine.workspace.keys.rotate
        key = await self._services.run(rotate, Environment(query.environment), KeyLevel(query.level))
        await exchange.answer_json(200, {"meta": OK, "key": key.value})

    async def explain(self, exchange: Exchange) -> None:
        """Answer a past update and what it meant for each geofence near."""
        body = await self._body(exchange, ExplainBody)
        explain = self._services.engine.explain
        explained = await self._services.run(explain, Environment(body.environment), body.query())
        await exchange.answer_json(200, {"meta": OK, **encode_explained_update(explained)})

    async def replay(self, exchange: Exchange) -> None:
        """Run past updates again and answer the difference; it ends early when nobody waits for it any more."""
        body = await self._body(exchange, ReplayBody)
        left = threading.Event()
        leaving = asyncio.create_task(_when_left(exchange, left.set))

        def progress(_done: int, _total: int) -> None:
            if left.is_set():
                raise Cancelled

        replay = self._services.engine.replay
        try:
            report = await self._services.run(replay, Environment(body.environment), body.query(), progress)
        except Cancelled:
            raise Disconnected from None
        finally:
            left.set()
            leaving.cancel()
        await exchange.answer_json(200, {"meta": OK, **encode_replay_report(report)})

    async def clear(self, exchange: Exchange) -> None:
        """Remove what Test holds, and answer how much that was."""
        body = await self._body(exchange, ClearBody)
        clear = self._services.engine.clear_test_data
        cleared = await self._services.run(clear, body.device_id, geofences=body.geofences)
        await exchange.answer_json(200, {"meta": OK, **encode_cleared(cleared)})

    async def areas(self, exchange: Exchange) -> None:
        """Look again at the areas on disk, which another process changed."""
        self._check(exchange)
        await self._services.run(self._services.engine.areas.refresh)
        await exchange.answer_json(200, {"meta": OK})

    async def import_csv(self, exchange: Exchange) -> None:
        """Import a table, answering a line of JSON for each bit of progress and one for the report or the error."""
        self._check(exchange)
        query = decode_query(ImportQuery, exchange.scope["query_string"])
        refuse_announced(exchange, MAX_IMPORT)
        data = await read_body(exchange, MAX_IMPORT)
        lines = ProgressLines(asyncio.get_running_loop())
        work = asyncio.create_task(asyncio.to_thread(self._import, query, data, lines))
        leaving = asyncio.create_task(_when_left(exchange, lines.cancel))
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

    async def _body[B: RequestModel](self, exchange: Exchange, model: type[B]) -> B:
        self._check(exchange)
        return decode_body(model, await read_body(exchange), JSON_TYPE)

    def _check(self, exchange: Exchange) -> None:
        check_token(self._token, exchange.headers.get(b"authorization"))


async def _when_left(exchange: Exchange, react: Callable[[], None]) -> None:
    while (await exchange.receive())["type"] != "http.disconnect":
        pass
    react()
