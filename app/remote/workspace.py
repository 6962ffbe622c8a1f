"""A workspace that another process has open, reached through the address that process published in it."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote
from uuid import uuid4

import httpx
import orjson

from app.api.wire.common.encoding import Encoded
from app.api.wire.event import HEARTBEAT_S
from app.api.wire.replaying import encode_replay_body
from app.api.wire.review.change_sets import encode_promotion_query
from app.api.wire.review.checks import CheckQuery, encode_check_query
from app.exports import Batches, RecordFilter, RecordKind
from app.remote.answers import error_of, read_records, read_report, read_stream, without_meta
from app.remote.bodies import event_params, flag, json_text, time_text, track_body
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import (
    AnswerLost,
    Conflict,
    FencewrightError,
    InvalidParameter,
    NotFound,
    WorkspaceError,
    WorkspaceGone,
)
from engine.domain.imports import DEFAULT_OPTIONS, ImportFile, ImportKind, ImportOptions
from engine.domain.ports import Cancelled, Progress, no_progress
from engine.domain.queries import EventFilter
from engine.domain.tracking.explaining import ReplayQuery, UpdateQuery
from engine.domain.tracking.tracks import RecordedQuery, Track
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.tracking.whatif import NOTHING_ASKED, AskedEdits
from engine.geofences.imports.exporting import ExportFormat, ExportQuery
from engine.geofences.promotion.promotions import PromotionQuery
from engine.simulation.formats.reading import parse_track
from engine.store.workspace import Endpoint, read_keys

_ANSWER_WITHIN_S = 30.0
_AT_ONCE = 8
_WHILE_IT_BEATS = httpx.Timeout(_ANSWER_WITHIN_S, read=3 * HEARTBEAT_S)
_HOWEVER_LONG = httpx.Timeout(_ANSWER_WITHIN_S, read=None)

_KEPT_OPEN_S = 2.0
"""How long an idle connection is used again: less than the server keeps it, so that no request meets its end."""

_NOT_SENT = httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout


class RemoteWorkspace:
    """Does on an open workspace what a command would do itself on a closed one."""

    def __init__(self, folder: Path, endpoint: Endpoint) -> None:
        self._folder = folder
        self._endpoint = endpoint
        self._pool: ThreadPoolExecutor | None = None
        # Never through a proxy, and without certificates, which take long to read: the address is one of this machine.
        self._client = httpx.Client(
            base_url=endpoint.control_url,
            headers={"Authorization": endpoint.control_token},
            timeout=_ANSWER_WITHIN_S,
            limits=httpx.Limits(keepalive_expiry=_KEPT_OPEN_S),
            trust_env=False,
            verify=SSLContext(PROTOCOL_TLS_CLIENT),
        )

    @property
    def is_brief(self) -> bool:
        """Whether the process is a command, which ends when its own work is done."""
        return self._endpoint.brief

    def check(self) -> None:
        """Raise `WorkspaceGone` unless the process still has the workspace open."""
        self._request("GET", "/_workspace/status")

    def now(self, environment: Environment) -> datetime:
        """Return the present moment, as the clock of an environment has it."""
        status = self._request("GET", "/_workspace/status")
        return datetime.fromisoformat(status["now"][environment.value])

    def rotate(self, environment: Environment, level: KeyLevel) -> None:
        """Replace one key of the workspace."""
        params = {"environment": environment.value, "level": level.value}
        self._request("POST", "/_workspace/keys/rotate", params=params)

    def track(self, environment: Environment, update: LocationUpdate) -> Encoded:
        """Send a location update of a track that is played, and return the answer of ``/v1/track``."""
        return self._v1("POST", "/v1/track", environment, KeyLevel.PUBLISHABLE, track_body(update))

    def track_all(self, environment: Environment, updates: Sequence[LocationUpdate]) -> list[Encoded | BaseException]:
        """Send updates of different devices, some at once, and return the answer of each, or its error."""

        def send(update: LocationUpdate) -> Encoded | BaseException:
            try:
                return self.track(environment, update)
            except (InvalidParameter, NotFound, Conflict) as error:
                return error

        if self._pool is None:
            self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="updates")
        return list(self._pool.map(send, updates))

    def ask_v1(self, method: str, path: str, environment: Environment, body: object = None) -> Encoded:
        """Return what an operation for the secret key answers."""
        content = None if body is None else orjson.dumps(body)
        return without_meta(self._v1(method, path, environment, KeyLevel.SECRET, content))

    def settings(self, environment: Environment) -> Encoded:
        """Return the settings, as ``/v1/settings`` spells them."""
        settings: Encoded = self._v1("GET", "/v1/settings", environment, KeyLevel.SECRET)["settings"]
        return settings

    def change_settings(self, environment: Environment, change: Mapping[str, object]) -> Encoded:
        """Change settings, all or none, and return all of them."""
        answer = self._v1("PATCH", "/v1/settings", environment, KeyLevel.SECRET, orjson.dumps(change))
        settings: Encoded = answer["settings"]
        return settings

    def sync(self, environment: Environment) -> Encoded:
        """Return the settings of the nightly sync, and what came of the last one."""
        state: Encoded = self._v1("GET", "/v1/imports/sync", environment, KeyLevel.SECRET)["sync"]
        return state

    def change_sync(self, environment: Environment, change: Mapping[str, object]) -> Encoded:
        """Change settings of the nightly sync, all or none, and return all of them."""
        answer = self._v1("PATCH", "/v1/imports/sync", environment, KeyLevel.SECRET, orjson.dumps(change))
        state: Encoded = answer["sync"]
        return state

    def run_sync(self, environment: Environment, *, force: bool, progress: Progress = no_progress) -> Encoded:
        """Sync now and return what came of it; what `progress` raises cancels the sync."""
        params = {"environment": environment.value, "force": "true" if force else "false"}
        return self._followed("/_workspace/sync", params, b"", progress)

    def explain(self, environment: Environment, query: UpdateQuery) -> Encoded:
        """Return a past update and its explanations."""
        body = {"deviceId": query.device_id, "userId": query.user_id, "at": time_text(query.at)}
        return self._ask("explain", {"environment": environment.value, **body})

    def replay(
        self,
        environment: Environment,
        query: ReplayQuery,
        settings: Mapping[str, object],
        edits: AskedEdits = NOTHING_ASKED,
        _progress: Progress = no_progress,
        /,
    ) -> Encoded:
        """Run updates again in a sandbox and return the difference; nothing is told meanwhile."""
        return self._ask("replay", encode_replay_body(environment, query, settings, edits))

    def recorded(self, environment: Environment, query: RecordedQuery) -> Track:
        """Return the kept updates of a device as a track."""
        body = {
            "environment": environment.value,
            "deviceId": query.device_id,
            "userId": query.user_id,
            "after": time_text(query.after),
            "before": time_text(query.before),
        }
        content = orjson.dumps(body)
        answer = self._response("POST", "/_workspace/recorded", content=content, timeout=_HOWEVER_LONG)
        return parse_track(answer.content, query.device_id)

    def clear(self, device_id: str | None, *, geofences: bool, beacons: bool) -> Encoded:
        """Remove data of Test and return how much that was."""
        return self._ask("clear", {"deviceId": device_id, "geofences": geofences, "beacons": beacons})

    def snapshot(self) -> Encoded:
        """Return the settings, geofences and users, and the Test clock."""
        return without_meta(self._request("GET", "/_workspace/snapshot", timeout=_HOWEVER_LONG))

    def newest_event(self, environment: Environment) -> str | None:
        """Return the `_id` of the event that was stored last; None where there is none."""
        found = self._request("GET", "/_workspace/events/newest", params={"environment": environment.value})
        return found.get("_id")

    def events(self, environment: Environment, wanted: EventFilter, limit: int) -> list[Encoded]:
        """Return the newest events, newest first."""
        params = {**event_params(wanted), "limit": str(limit)}
        events: list[Encoded] = self._v1("GET", "/v1/events", environment, KeyLevel.SECRET, params=params)["events"]
        return events

    def follow(self, environment: Environment, wanted: EventFilter, after: str | None) -> Iterator[Encoded]:
        """Yield events as they are stored, beginning after one, until the stream ends; raises `WorkspaceGone`.

        Raises `InvalidParameter` where there is no event that it is to begin after.
        """
        headers = {"Authorization": read_keys(self._folder).value(environment, KeyLevel.SECRET)}
        if after is not None:
            headers["Last-Event-ID"] = after
        params = event_params(wanted)
        try:
            with self._client.stream(
                "GET", "/v1/events/stream", params=params, headers=headers, timeout=_WHILE_IT_BEATS
            ) as response:
                if response.status_code != 200:
                    response.read()
                    raise error_of(response)
                yield from read_stream(response.iter_lines())
        except httpx.HTTPError as error:
            raise self._gone(error) from error

    @contextmanager
    def records(
        self, environment: Environment, kind: RecordKind, wanted: RecordFilter
    ) -> Iterator[tuple[int, Batches]]:
        """Yield how many events or users there are, and all of them, some at a time."""
        body = {
            "environment": environment.value,
            "kind": kind.value,
            "userId": wanted.user_id,
            "deviceId": wanted.device_id,
            "types": sorted(wanted.types),
            "tags": sorted(wanted.tags),
            "after": time_text(wanted.after),
            "before": time_text(wanted.before),
        }
        content = orjson.dumps(body)
        try:
            with self._client.stream("POST", "/_workspace/records", content=content, timeout=_HOWEVER_LONG) as response:
                if response.status_code != 200:
                    response.read()
                    raise error_of(response)
                lines = response.iter_lines()
                yield int(orjson.loads(next(lines))["total"]), read_records(lines)
        except httpx.HTTPError as error:
            raise self._gone(error) from error

    def refresh_areas(self) -> None:
        """Let the process look again at the areas on disk."""
        self._request("POST", "/_workspace/areas")

    def check_geofences(self, environment: Environment, query: CheckQuery, progress: Progress = no_progress) -> Encoded:
        """Check geofences and return the report; what `progress` raises ends the work."""
        content = orjson.dumps(encode_check_query(environment, query))
        return self._followed("/_workspace/check", {}, content, progress)

    def plan_promotion(self, query: PromotionQuery, progress: Progress = no_progress) -> Encoded:
        """Return what a promotion would change."""
        content = orjson.dumps(encode_promotion_query(query))
        return self._followed("/_workspace/promotion/plan", {}, content, progress)

    def apply_change_set(self, content: bytes, *, dry_run: bool, progress: Progress = no_progress) -> Encoded:
        """Apply a change set, and return how much that was; what `progress` raises ends the work."""
        return self._followed("/_workspace/promotion/apply", {"dryRun": flag(dry_run)}, content, progress)

    def imports(self, environment: Environment, limit: int) -> list[Encoded]:
        """Return the last imports, newest first, as ``/v1/imports`` spells them."""
        answer = self._v1("GET", f"/v1/imports?limit={limit}", environment, KeyLevel.SECRET)
        imports: list[Encoded] = answer["imports"]
        return imports

    def undo_import(self, environment: Environment, import_id: str) -> Encoded:
        """Put back what there was before an import, and return its record."""
        answer = self._v1("POST", f"/v1/imports/{quote(import_id, safe='')}/undo", environment, KeyLevel.SECRET)
        record: Encoded = answer["importRecord"]
        return record

    def export(
        self,
        environment: Environment,
        format: ExportFormat,
        query: ExportQuery,
        _progress: Progress = no_progress,
        /,
    ) -> bytes:
        """Return a file of geofences; nothing is told meanwhile."""
        params = {"environment": environment.value, "format": format.value, "tags": json_text(sorted(query.tags))}
        if query.enabled is not None:
            params["enabled"] = flag(query.enabled)
        return self._response("GET", "/_workspace/export", params=params, timeout=_HOWEVER_LONG).content

    def import_file(
        self,
        environment: Environment,
        file: ImportFile,
        options: ImportOptions = DEFAULT_OPTIONS,
        kind: ImportKind | None = None,
        *,
        dry_run: bool = False,
        preview: bool = False,
        progress: Progress = no_progress,
    ) -> Encoded:
        """Import a file and return its encoded report; what `progress` raises ends the import."""
        params = {
            "environment": environment.value,
            "dryRun": flag(dry_run),
            "preview": flag(preview),
            "fileName": file.name,
            "keepGoodRows": flag(options.keep_good_rows),
            "map": json_text(dict(options.mapping)),
            "set": json_text(dict(options.fixed)),
        }
        if options.layer is not None:
            params["layer"] = options.layer
        if kind is not None:
            params["kind"] = kind.value
        return self._followed("/_workspace/import", params, file.data, progress)

    def close(self) -> None:
        """Close the connections."""
        if self._pool is not None:
            self._pool.shutdown()
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _v1(
        self,
        method: str,
        path: str,
        environment: Environment,
        level: KeyLevel,
        body: bytes | None = None,
        params: Mapping[str, str] | None = None,
    ) -> Encoded:
        key = read_keys(self._folder).value(environment, level)
        return self._request(method, path, content=body, params=params, headers={"Authorization": key})

    def _followed(self, path: str, params: Mapping[str, str], content: bytes, progress: Progress) -> Encoded:
        """Return the report of long work, whose progress is told line by line; leaving early ends the work."""
        work = {"X-Fencewright-Work": uuid4().hex}
        try:
            with self._client.stream(
                "POST",
                path,
                params=params,
                content=content,
                headers={"Content-Type": "application/octet-stream", **work},
                timeout=_HOWEVER_LONG,
            ) as response:
                if response.status_code != 200:
                    response.read()
                    raise error_of(response)
                return read_report(response.iter_lines(), self._cancelling(work, progress))
        except httpx.HTTPError as error:
            raise self._unanswered(error) from error

    def _cancelling(self, work: Mapping[str, str], progress: Progress) -> Progress:
        """Return a progress that has work cancelled when `progress` wants it to end.

        What came of the work is said by its last line: it may have been done by then.
        """
        asked = False

        def note(done: int, total: int) -> None:
            nonlocal asked
            try:
                if not asked:
                    progress(done, total)
            except Cancelled:
                asked = True
                try:
                    self._request("POST", "/_workspace/cancel", headers=work)
                except FencewrightError:
                    raise Cancelled from None

        return note

    def _ask(self, what: str, body: Encoded) -> Encoded:
        content = orjson.dumps(body)
        return without_meta(self._request("POST", f"/_workspace/{what}", content=content, timeout=_HOWEVER_LONG))

    def _request(self, method: str, path: str, **kwargs: Any) -> Encoded:
        answer: Encoded = orjson.loads(self._response(method, path, **kwargs).content)
        return answer

    def _response(self, method: str, path: str, **kwargs: Any) -> httpx.Response:
        try:
            response = self._client.request(method, path, **kwargs)
        except httpx.HTTPError as error:
            raise self._unanswered(error) from error
        if response.status_code != 200:
            raise error_of(response)
        return response

    def _unanswered(self, error: httpx.HTTPError) -> WorkspaceError:
        """Return the error of a request without a response, by what is known of the request."""
        if isinstance(error, _NOT_SENT):
            return self._gone(error)
        if isinstance(error, httpx.TimeoutException):
            return WorkspaceError(
                f"{self._process} has not answered within {_ANSWER_WITHIN_S:g} s. It may still do what was requested: "
                "check that before you run the command again."
            )
        return AnswerLost(
            f"{self._process} ended before it answered: {error}. It may have done what was requested: "
            "check that before you run the command again."
        )

    def _gone(self, error: httpx.HTTPError) -> WorkspaceGone:
        return WorkspaceGone(f"{self._process} does not answer: {error}.")

    @property
    def _process(self) -> str:
        return f"The process that has {self._folder} open (process {self._endpoint.pid})"
