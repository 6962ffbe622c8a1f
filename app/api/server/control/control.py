"""Private routes by which other commands of this machine reach the process that has the workspace open.

They exist only on a server made with a control token, which the workspace publishes in a file that only its owner
can read; no page in a browser may call them.
"""

import asyncio
import logging
import os
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any, Final

import orjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from app.api.http.admission import check_token
from app.api.http.headers import raw_headers
from app.api.http.limits import MAX_BODY, MAX_IMPORT, read_body, refuse_announced
from app.api.http.responses import JSON_TYPE, JsonResponse
from app.api.http.services import Services
from app.api.records import records_of
from app.api.server.control.progress import (
    CANCELLED,
    NDJSON,
    ProgressLines,
    ProgressResponse,
    WorkInProgress,
    stopped_line,
)
from app.api.server.control.requests import (
    ClearBody,
    EnvironmentQuery,
    ExplainBody,
    ExportQueryModel,
    ImportQuery,
    RecordedBody,
    RecordsBody,
    RotateQuery,
    SyncQuery,
)
from app.api.server.control.review import ReviewControl
from app.api.wire.common.decoding import decode_body, decode_query
from app.api.wire.common.encoding import OK, Encoded, encode_time, on_the_wire
from app.api.wire.common.requests import RequestModel
from app.api.wire.explanation import encode_explained_update, encode_replay_report
from app.api.wire.imports import encode_preview, encode_report
from app.api.wire.integrations.nightly_sync import encode_run
from app.api.wire.replaying import ReplayBody
from app.api.wire.snapshot import encode_cleared, encode_snapshot
from app.exports import Batches, RecordKind
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import FencewrightError
from engine.domain.imports import ImportFile, ImportKind
from engine.domain.ports import Cancelled, Stopped
from engine.domain.tracking.explaining import ReplayReport
from engine.geofences.imports.exporting import ExportFormat
from engine.importing import import_file
from engine.simulation.writing.writing import TrackFormat, write_track

logger = logging.getLogger(__name__)

_END: Final = orjson.dumps({"end": True}) + b"\n"


class Control:
    """The control routes of one server."""

    def __init__(self, services: Services, token: str) -> None:
        self._services = services
        self._token = token
        self._works = WorkInProgress()
        self._review = ReviewControl(services, self._check, self._works)

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/_workspace/status", self.status, methods=["GET"]),
            Route("/_workspace/import", self.import_csv, methods=["POST"]),
            Route("/_workspace/cancel", self.cancel, methods=["POST"]),
            Route("/_workspace/export", self.export, methods=["GET"]),
            Route("/_workspace/sync", self.sync, methods=["POST"]),
            Route("/_workspace/keys/rotate", self.rotate, methods=["POST"]),
            Route("/_workspace/explain", self.explain, methods=["POST"]),
            Route("/_workspace/replay", self.replay, methods=["POST"]),
            Route("/_workspace/recorded", self.recorded, methods=["POST"]),
            Route("/_workspace/clear", self.clear, methods=["POST"]),
            Route("/_workspace/snapshot", self.snapshot, methods=["GET"]),
            Route("/_workspace/areas", self.areas, methods=["POST"]),
            Route("/_workspace/events/newest", self.newest_event, methods=["GET"]),
            Route("/_workspace/records", self.records, methods=["POST"]),
            *self._review.routes(),
        ]

    async def status(self, request: Request) -> Response:
        """Answer who has the workspace open, its clocks, and the address of the public endpoint when it runs."""
        self._check(request)
        engine = self._services.engine
        workspace = engine.workspace
        endpoint = workspace.endpoint
        url = {} if endpoint is None or endpoint.url is None else {"url": endpoint.url}
        now = {environment.value: encode_time(engine.clock_of(environment).now()) for environment in Environment}
        status = {"meta": OK, "pid": os.getpid(), "folder": str(workspace.folder), "now": now}
        return JsonResponse(status | url)

    async def rotate(self, request: Request) -> Response:
        """Replace a key; the old one is invalid at once."""
        self._check(request)
        query = decode_query(RotateQuery, request.scope["query_string"])
        rotate = self._services.engine.workspace.keys.rotate
        key = await self._services.run(rotate, Environment(query.environment), KeyLevel(query.level))
        return JsonResponse({"meta": OK, "key": key.value})

    async def explain(self, request: Request) -> Response:
        """Answer a past update and what it meant for each geofence near."""
        body = await self._body(request, ExplainBody)
        explain = self._services.engine.tracking.explain
        explained = await self._services.run(explain, Environment(body.environment), body.query())
        return JsonResponse({"meta": OK, **encode_explained_update(explained)})

    async def replay(self, request: Request) -> Response:
        """Run past updates again and answer the difference; it ends early when nobody waits for it any more."""
        body = await self._body(request, ReplayBody, MAX_IMPORT)
        left = threading.Event()
        leaving = asyncio.create_task(_when_left(request, left.set))

        def progress(_done: int, _total: int) -> None:
            if left.is_set():
                raise Cancelled

        engine, environment = self._services.engine, Environment(body.environment)

        def replay() -> ReplayReport:
            edits = engine.imports.tried(environment, body.edits(), progress)
            return engine.tracking.replay(environment, replace(body.query(), edits=edits), progress)

        try:
            report = await self._services.run(replay)
        except Stopped:
            raise
        except Cancelled:
            raise ClientDisconnect from None
        finally:
            left.set()
            leaving.cancel()
        return JsonResponse({"meta": OK, **encode_replay_report(report)})

    async def recorded(self, request: Request) -> Response:
        """Answer the kept updates of a device as the table of a track."""
        body = await self._body(request, RecordedBody)
        recorded = self._services.engine.tracking.recorded
        track = await self._services.run(recorded, Environment(body.environment), body.query())
        content = await self._services.heavy.run(lambda: write_track(track, TrackFormat.CSV))
        return Response(content, media_type="text/csv")

    async def clear(self, request: Request) -> Response:
        """Remove what Test holds, and answer how much that was."""
        body = await self._body(request, ClearBody)
        clear = self._services.engine.history.clear_test_data
        cleared = await self._services.run(clear, body.device_id, geofences=body.geofences, beacons=body.beacons)
        return JsonResponse({"meta": OK, **encode_cleared(cleared)})

    async def snapshot(self, request: Request) -> Response:
        """Answer what the workspace holds, as one commit left it."""
        self._check(request)
        services = self._services
        taken = await services.run(services.engine.seeding.snapshot)
        check = services.engine.stop.check
        return await services.heavy.run(lambda: JsonResponse({"meta": OK, **encode_snapshot(taken, check)}))

    async def areas(self, request: Request) -> Response:
        """Look again at the areas on disk, which another process changed."""
        self._check(request)
        await self._services.run(self._services.engine.areas.refresh)
        return JsonResponse({"meta": OK})

    async def newest_event(self, request: Request) -> Response:
        """Answer the `_id` of the event that was stored last, after which a stream can go on."""
        self._check(request)
        query = decode_query(EnvironmentQuery, request.scope["query_string"])
        newest = self._services.engine.history.newest_id
        event_id = await self._services.run(newest, Environment(query.environment))
        return JsonResponse({"meta": OK} | ({} if event_id is None else {"_id": event_id}))

    async def records(self, request: Request) -> Response:
        """Answer how many events or users there are and then all of them, a line of JSON for each batch."""
        body = await self._body(request, RecordsBody)
        total, batches = await self._services.run(
            records_of, self._services.engine, Environment(body.environment), RecordKind(body.kind), body.wanted()
        )
        return StreamingResponse(self._record_lines(total, batches), media_type=NDJSON)

    async def _record_lines(self, total: int, batches: Batches) -> AsyncIterator[bytes]:
        def next_line() -> bytes:
            self._services.engine.stop.check()
            batch = next(batches, None)
            return orjson.dumps({"end": True} if batch is None else {"records": batch}) + b"\n"

        yield orjson.dumps({"total": total}) + b"\n"
        line = b""
        while line != _END:
            try:
                line = await self._services.run(next_line)
            except FencewrightError as error:
                yield orjson.dumps({"error": {"message": error.message}}) + b"\n"
                return
            yield line

    async def import_csv(self, request: Request) -> Response:
        """Import a table, answering a line of JSON for each bit of progress and one for the report or the error."""
        self._check(request)
        query = decode_query(ImportQuery, request.scope["query_string"])
        refuse_announced(request, MAX_IMPORT)
        data = await read_body(request, MAX_IMPORT)
        lines = self._works.begin(request)
        asyncio.get_running_loop().run_in_executor(None, self._import, query, data, lines)
        return ProgressResponse(lines)

    async def cancel(self, request: Request) -> Response:
        """Cancel long work; what came of it is the last line of its answer."""
        self._check(request)
        self._works.cancel(request)
        return JsonResponse({"meta": OK})

    async def export(self, request: Request) -> Response:
        """Answer a file of geofences."""
        self._check(request)
        query = decode_query(ExportQueryModel, request.scope["query_string"])
        export = self._services.engine.imports.export
        content = await self._services.heavy.run(
            lambda: export(Environment(query.environment), ExportFormat(query.format), query.query())
        )
        return Response(content, media_type="application/octet-stream")

    def _import(self, query: ImportQuery, data: bytes, lines: ProgressLines) -> None:
        try:
            lines.tell(self._outcome(query, data, lines))
        finally:
            lines.tell(None)

    def _outcome(self, query: ImportQuery, data: bytes, lines: ProgressLines) -> Encoded:
        environment = Environment(query.environment)
        try:
            kind = None if query.kind is None else ImportKind(query.kind)
            report = import_file(
                self._services.engine,
                environment,
                ImportFile(data, query.file_name),
                query.options(),
                kind,
                dry_run=query.dry_run,
                progress=lines.progress,
            )
        except Stopped:
            return stopped_line("nothing was imported")
        except FencewrightError as error:
            param: dict[str, Any] = {"param": error.param} if hasattr(error, "param") else {}
            return {"error": param | {"message": error.message}}
        except Cancelled:
            return CANCELLED
        except Exception:
            logger.exception("An import failed")
            message = "Something went wrong inside Fencewright; its log has the details. Nothing was imported."
            return {"error": {"message": message}}
        rows = encode_preview(report) if query.preview else {}
        return {"report": {**encode_report(report), **rows}}

    async def sync(self, request: Request) -> Response:
        """Sync now, answering as an import does; the sync is cancelled when nobody waits for it any more."""
        self._check(request)
        query = decode_query(SyncQuery, request.scope["query_string"])
        lines = self._works.begin(request)
        asyncio.get_running_loop().run_in_executor(None, self._sync, query, lines)
        return ProgressResponse(lines)

    def _sync(self, query: SyncQuery, lines: ProgressLines) -> None:
        nightly = self._services.engine.nightly
        try:
            run = nightly.run(Environment(query.environment), force=query.force, progress=lines.progress)
            if run.cancelled and self._services.engine.stop.begun:
                lines.tell(stopped_line("files imported so far stay imported"))
            elif run.cancelled and lines.cancelled:
                lines.tell(CANCELLED)
            else:
                lines.tell({"report": encode_run(run)})
        except FencewrightError as error:
            error = on_the_wire(error)
            lines.tell({"error": {"param": getattr(error, "param", ""), "message": error.message}})
        except Exception:
            logger.exception("A sync failed")
            message = "Something went wrong inside Fencewright; its log has the details."
            lines.tell({"error": {"message": message}})
        finally:
            lines.tell(None)

    async def _body[B: RequestModel](self, request: Request, model: type[B], limit: int = MAX_BODY) -> B:
        self._check(request)
        return decode_body(model, await read_body(request, limit), JSON_TYPE)

    def _check(self, request: Request) -> None:
        check_token(self._token, raw_headers(request.scope).get(b"authorization"))
        self._services.admission.check_workspace()


async def _when_left(request: Request, react: Callable[[], None]) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    react()
