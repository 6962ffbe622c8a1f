"""An open workspace: its engine, the address for other commands that use it, and the endpoint for clients."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from secrets import token_urlsafe
from threading import RLock, Timer
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import orjson

from app.endpoint import DEFAULT_PORT, LOOPBACK, EndpointOptions, Reach
from app.exchanges import Exchange, LoggedRequest, Requests, RequestSummary
from app.exporting.files import write_records
from app.exports import EVERYTHING, FileFormat, RecordFilter, RecordKind
from app.faults.book import Faults
from app.faults.served import Served
from app.files import write_file
from app.open_workspaces import list_workspace, unlist_workspace
from app.recordings import Recording, Saved
from app.sdks.sightings import Sightings
from engine.domain.environment import Environment
from engine.domain.errors import NotFound, WorkspaceError
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.ports import Clock, Listeners, Progress, no_progress
from engine.domain.tracking.snapshots import Seed
from engine.domain.tracking.tracks import Track
from engine.domain.tracking.updates import Event
from engine.domain.webhooks.webhook import Payloads
from engine.engine import Engine
from engine.geofences.promotion.differences import ChangeSet
from engine.simulation.writing.writing import TrackFormat, write_track
from engine.store.certificates.keeping import AuthorityCertificate
from engine.store.workspace import Endpoint

if TYPE_CHECKING:
    from app.api.server.server import ApiServer

log = logging.getLogger(__name__)

SEARCHES_GRACE_S: Final = 1.0
"""How long route searches may continue while the workspace is being closed, in seconds."""


class WorkspaceSession:
    """An open workspace, whose published address is kept up to date until it is closed.

    Other commands reach the workspace through a private server on its own port, guarded by a random token that only the
    workspace's owner can read. The endpoint for clients is a second server that starts and stops independently. All
    methods block and may be called from any thread.

    Methods that need the modules of `app.api` import them, since the window shows a workspace before they are loaded.
    """

    def __init__(
        self,
        folder: Path | str,
        *,
        host: str = LOOPBACK,
        port: int = DEFAULT_PORT,
        tls: bool = False,
        allow_hosts: Sequence[str] = (),
        clock: Clock | None = None,
        frozen_at: datetime | None = None,
        areas: Sequence[str] = (),
        router_url: str | None = None,
        geocoder_url: str | None = None,
        seed: Seed | None = None,
        nightly: bool = False,
        reachable: bool = True,
        brief: bool = False,
        listed: bool = False,
        progress: Progress = no_progress,
    ) -> None:
        """Open or create the workspace in `folder` (":memory:" for a temporary one), without the endpoint.

        `host`, `port`, `tls` and `allow_hosts` are the initial options of the endpoint, as described in
        `EndpointOptions`. `frozen_at` is the initial time of the Test clock, regardless of the seed. `seed` is the
        initial content of an empty workspace. `nightly` enables its nightly sync, which also makes up for a missed one.
        Unless it is `reachable`, other commands wait for it until the endpoint is started for the first time. A `brief`
        session ends when a command has done its own work. Other commands repeat any work that this interrupts. While a
        `listed` workspace is open, it is the default of other commands. For the other parameters see `Engine.open`.

        Raises `WorkspaceBusy` if another process has it open, `WorkspaceError` if it cannot be used or a seed is given
        and it is not empty, and `InvalidParameter` for errors in the seed.
        """
        self._options = EndpointOptions(host, port, tls, tuple(allow_hosts))
        self._brief = brief
        self._lock = RLock()
        self._control: ApiServer | None = None
        self._public: ApiServer | None = None
        self._closed = False
        with ExitStack() as undo:
            self.engine = undo.enter_context(
                Engine.open(
                    folder,
                    clock=clock,
                    frozen_at=frozen_at,
                    areas=areas,
                    router_url=router_url,
                    geocoder_url=geocoder_url,
                    payloads=_payloads,
                    progress=progress,
                )
            )
            self.sightings = Sightings(self.engine.clock_of(Environment.LIVE).now)
            if seed is not None:
                self.engine.seeding.load(seed)
            if (lack := self.engine.geocoding.lack()) is not None:
                log.warning(lack)
            self._requests = _LateRequests()
            self.faults = Faults(_hittable)
            self._token = token_urlsafe(32)
            self._listed = listed
            if listed:
                undo.callback(self._unlist)
                list_workspace(self.engine.workspace.folder)
            if reachable:
                undo.callback(self._withdraw)
                self._become_reachable()
            if nightly:
                self.engine.nightly.start()
            undo.pop_all()

    @property
    def url(self) -> str | None:
        """The address of the endpoint for clients, or None while it is stopped."""
        public = self._public  # without the lock, which is held while a server stops
        return public.url if public is not None else None

    @property
    def requests(self) -> Requests:
        """The request log of the endpoint."""
        return self._requests

    @property
    def options(self) -> EndpointOptions:
        """Options that the endpoint was, or will be, started with."""
        return self._options

    @property
    def reach(self) -> Reach | None:
        """The addresses of the endpoint for clients, or None while it is stopped."""
        public = self._public
        return public.reach if public is not None else None

    def certificate(self) -> AuthorityCertificate:
        """Return the certificate for devices to trust, and create it if necessary. Raises `WorkspaceError`."""
        return self.engine.workspace.certificates.authority(self._certified_names())

    def renew_certificate(self) -> AuthorityCertificate:
        """Replace the certificate for devices to trust, for the endpoint's current names. Raises `WorkspaceError`.

        The endpoint uses it from the next connection on. Devices must then trust the new certificate.
        """
        return self.engine.workspace.certificates.renew(self._certified_names())

    def _certified_names(self) -> frozenset[str]:
        from app.api.http.hosts import OwnNames

        return OwnNames().all.union(self.options.allow_hosts)

    def export_records(
        self,
        file: Path,
        file_format: FileFormat,
        environment: Environment,
        kind: RecordKind,
        wanted: RecordFilter = EVERYTHING,
        progress: Progress = no_progress,
    ) -> int:
        """Write events or users to a file and return how many. See `write_records`."""
        from app.api.commands.records import records_of

        total, batches = records_of(self.engine, environment, kind, wanted)
        return write_records(file, file_format, kind, total, batches, progress)

    def export_events(
        self,
        file: Path,
        file_format: FileFormat,
        environment: Environment,
        passes: Callable[[Event], bool],
        progress: Progress = no_progress,
    ) -> int:
        """Write the events that pass a filter to a file and return how many. See `write_records`."""
        from app.api.commands.records import passing_events

        batches = passing_events(self.engine, environment, passes, progress)
        return write_records(file, file_format, RecordKind.EVENTS, 0, batches)

    def event_json(self, event: Event) -> str:
        """Return an event as JSON, as it is sent."""
        from app.api.wire.event import encode_event

        return orjson.dumps(encode_event(event), option=orjson.OPT_INDENT_2).decode()

    def geofence_json(self, geofence: Geofence) -> str:
        """Return the body of the request that creates such a geofence, as JSON."""
        from app.api.wire.geofence import encode_body

        return orjson.dumps(encode_body(geofence), option=orjson.OPT_INDENT_2).decode()

    def read_geofence_json(self, text: str) -> GeofenceChange:
        """Return the geofence in the body of a create request. Raises `InvalidParameter`."""
        from app.api.v1.geofences import change_of
        from app.api.wire.common.decoding import decode_body
        from app.api.wire.geofence import GeofenceCreate

        return change_of(decode_body(GeofenceCreate, text.encode(errors="replace"), b"application/json"))

    def save_scenario(self, file: Path, environment: Environment, recording: Recording) -> Saved:
        """Write settings, geofences, a track and its events as a scenario. See `app.lab.saving.save_scenario`."""
        from app.lab.saving import save_scenario  # loaded only when a scenario is saved

        return save_scenario(self.engine, file, environment, recording)

    def start_endpoint(self) -> str:
        """Start the endpoint for clients, if it is not running, and return its address.

        Raises `AddressInUse` if another program uses the port, and `WorkspaceError` if the workspace is closed.
        """
        with self._lock:
            if self._closed:
                raise WorkspaceError("The workspace is closed; open it again to serve it.")
            requests = self._become_reachable().requests
            if self._public is None:
                from app.api.server.server import ApiServer

                options = self._options
                server = ApiServer(
                    self.engine,
                    options.host,
                    options.port,
                    tls=options.tls,
                    allow_hosts=options.allow_hosts,
                    requests=requests,
                    sightings=self.sightings,
                    faults=self.faults,
                )
                server.start()
                self._public = server
                self._publish()
            return self._public.url

    def change_endpoint(self, options: EndpointOptions) -> str:
        """Start the endpoint with other options, replacing the running one, and return its address.

        Raises the exceptions of `start_endpoint` and `InvalidParameter`, and then leaves the endpoint as it was.
        """
        with self._lock:
            before, ran = self._options, self._public is not None
            self.stop_endpoint()
            self._options = options
            try:
                return self.start_endpoint()
            except Exception:
                self._options = before
                if ran and not self._closed:
                    self.start_endpoint()
                raise

    def sent_track(self, environment: Environment, device_id: str) -> Track:
        """Return the track of a device in the request log, as the SDK sent it. Raises `NotFound` for ``device``."""
        from app.api.wire.request import encode_request
        from engine.simulation.formats.reading import parse_track  # loaded only when a track is requested

        requests = self.requests
        kept = [each for each in requests.snapshot() if each.live is environment.live]
        found = [each for each in kept if requests.summary(each).device_id == device_id]
        records = [encode_request(requests.read(each)) for each in found]
        tracked = [each for each in records if "/v1/track" in each["path"]]
        if not tracked:
            raise NotFound("device", f"The request log has no location update from the device {device_id!r}.")
        return parse_track(orjson.dumps({"requests": tracked}), device_id, device_id)

    def export_track(self, file: Path, track: Track, track_format: TrackFormat) -> None:
        """Write a track to a file atomically. Raises `InvalidParameter` for ``output``."""
        write_file(file, write_track(track, track_format), owner_only=True)

    def save_change_set(self, file: Path, changes: ChangeSet) -> None:
        """Write a change set to a file atomically. Raises `InvalidParameter` for ``output``."""
        from app.api.wire.review.change_sets import encode_change_set
        from app.seeds import write_seed

        write_file(file, write_seed(encode_change_set(changes)))

    def stop_endpoint(self) -> None:
        """Stop the endpoint for clients after the requests in progress. Does nothing if it is not running."""
        with self._lock:
            if self._public is not None:
                server, self._public = self._public, None
                server.stop()
                if not self._closed:
                    self._publish()

    def stop_work(self) -> None:
        """Cancel imports, exports and other long work without waiting for its end. Call `close` afterwards."""
        self.engine.stop_work()

    def close(self) -> None:
        """Cancel long work, stop serving, then close the engine, which withdraws the address. May be called again."""
        self.stop_work()
        with self._lock:
            if self._closed:
                return
            self._closed = True
            searches = Timer(SEARCHES_GRACE_S, self.engine.end_searches)
            searches.daemon = True
            searches.start()
            with ExitStack() as closing:
                closing.callback(searches.join)
                closing.callback(searches.cancel)
                # Closed in reverse order: clients first, then other commands, then the engine that both need.
                closing.callback(self.engine.close)
                closing.callback(self._unlist)
                closing.callback(self._withdraw)
                closing.callback(self.stop_endpoint)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _become_reachable(self) -> ApiServer:
        """Return the private server, after starting it and publishing its address if necessary."""
        if self._control is None:
            from app.api.server.server import ApiServer

            control = ApiServer(self.engine, port=0, control_token=self._token, faults=self.faults)
            control.start()
            self._requests.begin(control.requests)
            self._control = control
            self._publish()
        return self._control

    def _withdraw(self) -> None:
        if self._control is not None:
            self._control.stop()

    def _unlist(self) -> None:
        if self._listed:
            unlist_workspace(self.engine.workspace.folder)

    def _publish(self) -> None:
        if self._control is not None:
            workspace, url = self.engine.workspace, self._control.url
            workspace.publish(
                Endpoint(os.getpid(), url, self._token, self.url, brief=self._brief, temporary=workspace.temporary)
            )


class _LateRequests:
    """The request log of a workspace, which is empty until there is a server."""

    def __init__(self) -> None:
        self._log: Requests | None = None
        self._listeners: Listeners[[]] = Listeners()

    def begin(self, requests: Requests) -> None:
        """Show the contents of this log from now on."""
        requests.subscribe(self._listeners.notify)
        self._log = requests

    def snapshot(self) -> Sequence[Exchange]:
        """Return all requests in the log, oldest first."""
        return () if self._log is None else self._log.snapshot()

    def summary(self, exchange: Exchange) -> RequestSummary:
        """Return the one-line summary of a request."""
        return self._begun.summary(exchange)

    def read(self, exchange: Exchange) -> LoggedRequest:
        """Return a request with all known details."""
        return self._begun.read(exchange)

    def clear(self, *, live: bool) -> int:
        """Delete the requests of an environment and those without a key, and return how many there were."""
        return 0 if self._log is None else self._log.clear(live=live)

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call `listener` after each request, from the thread that answers all requests. Returns a function to
        unsubscribe."""
        return self._listeners.add(listener)

    @property
    def _begun(self) -> Requests:
        if self._log is None:
            raise RuntimeError("nothing has been requested yet")
        return self._log


def _payloads() -> Payloads:
    from app.api.wire.webhook import WirePayloads

    return WirePayloads()


def _hittable() -> Sequence[Served]:
    from app.api.v1 import HITTABLE

    return HITTABLE
