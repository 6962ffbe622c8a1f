"""The window's view of whoever opened the workspace: the engine, and an endpoint to switch on and off."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from app.endpoint import EndpointOptions, Reach
from app.exchanges import Requests
from app.exports import FileFormat, RecordFilter, RecordKind
from app.faults.book import Faults
from app.recordings import Recording, Saved
from app.sdks.sightings import Sightings
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.ports import Progress, no_progress
from engine.domain.tracking.tracks import Track
from engine.domain.tracking.updates import Event
from engine.engine import Engine
from engine.geofences.promotion.differences import ChangeSet
from engine.simulation.writing.writing import TrackFormat
from engine.store.certificates.keeping import AuthorityCertificate


class Session(Protocol):
    """An open workspace with its public endpoint. The calls block: the window makes them off its thread."""

    @property
    def engine(self) -> Engine:
        """The engine over the open workspace."""
        ...

    @property
    def url(self) -> str | None:
        """The address of the public endpoint, None while it is stopped."""
        ...

    @property
    def sightings(self) -> Sightings:
        """SDKs that have sent a request to the public endpoint."""
        ...

    @property
    def options(self) -> EndpointOptions:
        """Options that the endpoint was, or will be, started with."""
        ...

    @property
    def reach(self) -> Reach | None:
        """The addresses of the public endpoint, None while it is stopped."""
        ...

    @property
    def requests(self) -> Requests:
        """The request log of its endpoint."""
        ...

    @property
    def faults(self) -> Faults:
        """The injected faults, which hit requests of Test to its endpoint."""
        ...

    def certificate(self) -> AuthorityCertificate:
        """Return the certificate that devices are to trust; raises `WorkspaceError`."""
        ...

    def renew_certificate(self) -> AuthorityCertificate:
        """Replace the certificate that devices are to trust; raises `WorkspaceError`."""
        ...

    def change_endpoint(self, options: EndpointOptions) -> str:
        """Start the public endpoint with other options and return its address; where that fails it is as before."""
        ...

    def export_records(
        self,
        file: Path,
        file_format: FileFormat,
        environment: Environment,
        kind: RecordKind,
        wanted: RecordFilter,
        progress: Progress,
    ) -> int:
        """Write events or users to a file, which appears whole or not at all, and return how many there were."""
        ...

    def export_events(
        self,
        file: Path,
        file_format: FileFormat,
        environment: Environment,
        passes: Callable[[Event], bool],
        progress: Progress,
    ) -> int:
        """Write the events that pass to a file, as `export_records` does."""
        ...

    def event_json(self, event: Event) -> str:
        """Return an event as JSON, as it is sent."""
        ...

    def geofence_json(self, geofence: Geofence) -> str:
        """Return the body of the request that creates such a geofence, as JSON."""
        ...

    def read_geofence_json(self, text: str) -> GeofenceChange:
        """Return what the body of a request that creates a geofence asks for; raises `InvalidParameter`."""
        ...

    def sent_track(self, environment: Environment, device_id: str) -> Track:
        """Return what the request log holds of a device; raises `NotFound` ``device`` where that is nothing."""
        ...

    def export_track(self, file: Path, track: Track, track_format: TrackFormat) -> None:
        """Write a track to a file, which appears whole or not at all; raises `InvalidParameter` ``output``."""
        ...

    def save_scenario(self, file: Path, environment: Environment, recording: Recording) -> Saved:
        """Write settings, geofences, a track and its events as a scenario, and return what it expects."""
        ...

    def save_change_set(self, file: Path, changes: ChangeSet) -> None:
        """Write a change set to a file, which appears whole or not at all; raises `InvalidParameter` ``output``."""
        ...

    def start_endpoint(self) -> str:
        """Start the public endpoint and return its address; raises `AddressInUse` where the port is taken."""
        ...

    def stop_endpoint(self) -> None:
        """Stop the public endpoint; does nothing where it is stopped."""
        ...

    def close(self) -> None:
        """Stop everything and release the workspace."""
        ...


type OpenFolder = Callable[[Path | str, Progress], Session]
"""Opens the workspace in a folder, with the options that the window has for all."""


class OpenSession(Protocol):
    """Opens a workspace. Handed in by whoever starts the window, because the desktop does not know the web server."""

    def __call__(
        self,
        folder: Path | str,
        *,
        host: str,
        port: int,
        tls: bool,
        allow_hosts: Sequence[str],
        progress: Progress = no_progress,
    ) -> Session:
        """Open the workspace in `folder` (or ":memory:"), with its public endpoint for that address still stopped.

        `progress` follows the upgrade of a workspace of an earlier version; it may raise `Cancelled`.
        Raises `WorkspaceBusy` or `WorkspaceError`.
        """
        ...
