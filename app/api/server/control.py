"""Private routes by which other commands of this machine reach the process that has the workspace open.

They exist only on a server made with a control token, which the workspace publishes in a file that only its owner
can read; no page in a browser may call them.
"""

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from typing import Any, Final, override
from weakref import WeakValueDictionary

import orjson
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from app.api.commands.command import Command
from app.api.commands.messages import STILL_AT_WORK, VERSION, WORK, answer, decode_call
from app.api.commands.table import COMMANDS
from app.api.http.admission import check_token
from app.api.http.headers import raw_headers
from app.api.http.limits import MAX_IMPORT, read_body, refuse_announced
from app.api.http.responses import JsonResponse
from app.api.http.services import Services
from app.api.wire.common.encoding import OK
from engine.domain.errors import NotFound
from engine.domain.ports import Cancelled
from engine.engine import Engine

LINE_EVERY_S: Final = 0.1
"""Minimum interval between progress reports; a reader needs no more."""

BEAT_S: Final = 1.0
"""Longest silence, so that commands can notice a hanging process and cancel their work."""


class Control:
    """The control routes of one server."""

    def __init__(self, services: Services, token: str) -> None:
        self._services = services
        self._token = token
        self._running: WeakValueDictionary[bytes, _Running] = WeakValueDictionary()

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/_workspace/status", self.status, methods=["GET"]),
            Route("/_workspace/cancel", self.cancel, methods=["POST"]),
            Route("/_workspace/{name}", self.run, methods=["POST"]),
        ]

    async def status(self, request: Request) -> Response:
        """Return the process that has the workspace open, and the version of its operations."""
        self._check(request)
        folder = str(self._services.engine.workspace.folder)
        return JsonResponse({"meta": OK, "version": VERSION, "pid": os.getpid(), "folder": folder})

    async def run(self, request: Request) -> Response:
        """Run an operation, which is cancelled if the caller disconnects or requests it."""
        self._check(request)
        name = request.path_params["name"]
        if name not in COMMANDS:
            raise NotFound("path", f"There is no operation {name!r}.")
        refuse_announced(request, MAX_IMPORT)
        running = _Running(self._services.engine, COMMANDS[name], await read_body(request, MAX_IMPORT))
        self._running[_work_of(request)] = running
        return running

    async def cancel(self, request: Request) -> Response:
        """Cancel an operation; its own response ends with the outcome."""
        self._check(request)
        if (running := self._running.get(_work_of(request))) is not None:
            running.cancel()
        return JsonResponse({"meta": OK})

    def _check(self, request: Request) -> None:
        check_token(self._token, raw_headers(request.scope).get(b"authorization"))
        self._services.admission.check_workspace()


def _work_of(request: Request) -> bytes:
    return raw_headers(request.scope).get(WORK.lower().encode(), b"")


class _Running(StreamingResponse):
    """Runs an operation in a thread and streams its progress and its answer."""

    def __init__(self, engine: Engine, command: Command[Any, Any], content: bytes) -> None:
        super().__init__(self._lines(), media_type="application/octet-stream")
        self._loop = asyncio.get_running_loop()
        self._parts = answer(command, partial(decode_call, engine, command, content, self._progress))
        self._progress_lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._cancelled = threading.Event()
        self._next_line = 0.0
        self._working = self._loop.run_in_executor(None, next, self._parts)

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            whole = await self._whole()
            await (super().__call__ if whole is None else whole)(scope, receive, send)
        finally:
            self.cancel()

    def cancel(self) -> None:
        """Cancel the operation at its next progress report."""
        self._cancelled.set()

    async def _whole(self) -> Response | None:
        """Return the answer as a single response if the operation is quick, as most are, because streams cost more."""
        done, _ = await asyncio.wait({self._working}, timeout=LINE_EVERY_S)
        part, more = self._working.result() if done else (b"", True)
        if more:
            return None
        lines = [line for _ in range(self._progress_lines.qsize()) if (line := self._progress_lines.get_nowait())]
        return Response(b"".join([*lines, part]), media_type=self.media_type)

    async def _lines(self) -> AsyncIterator[bytes]:
        more = True
        while more:
            self._working.add_done_callback(lambda _: self._progress_lines.put_nowait(None))
            while (line := await self._next_progress_line()) is not None:
                yield line
            part, more = self._working.result()
            yield part
            if more:
                self._working = self._loop.run_in_executor(None, next, self._parts)

    async def _next_progress_line(self) -> bytes | None:
        """Return the next line of progress, or None when the thread has produced a part of the answer."""
        try:
            async with asyncio.timeout(BEAT_S):
                return await self._progress_lines.get()
        except TimeoutError:
            return STILL_AT_WORK

    def _progress(self, done: int, total: int) -> None:
        """Report progress from the worker thread; raises `Cancelled` once the call is cancelled."""
        if self._cancelled.is_set():
            raise Cancelled
        now = time.monotonic()
        if now >= self._next_line or done == total:
            self._next_line = now + LINE_EVERY_S
            line = orjson.dumps({"done": done, "total": total}) + b"\n"
            with suppress(RuntimeError):  # the loop is closed because the caller has disconnected
                self._loop.call_soon_threadsafe(self._progress_lines.put_nowait, line)
