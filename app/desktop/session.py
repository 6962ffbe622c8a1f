"""The window's view of an open workspace: the engine, and an endpoint to start and stop."""

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
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.tracks import Track
from engine.domain.tracking.updates import Event
from engine.engine import Engine
from engine.geofences.promotion.differences import ChangeSet
from engine.simulation.writing.writing import TrackFormat
from engine.store.certificates.keeping import AuthorityCertificate


class Session(Protocol):
    """An open workspace with its public endpoint.

    The methods block, so the window calls them from other threads.
    """

    @property
    def engine(self) -> Engine:
        """The engine over the open workspace."""
        ...

    @property
    def url(self) -> str | None:
        """URL of the public endpoint, or None while it is stopped."""
        ...

    @property
    def sightings(self) -> Sightings:
        """SDKs that have sent a request to the public endpoint."""
        ...

    @property
    def options(self) -> EndpointOptions:
        """Options with which the endpoint was or will be started."""
        ...

    @property
    def reach(self) -> Reach | None:
        """Addresses of the public endpoint, or None while it is stopped."""
        ...

    @property
    def requests(self) -> Requests:
        """Request log of the endpoint."""
        ...

    @property
    def faults(self) -> Faults:
        """Injected faults, which affect requests in Test to the endpoint."""
        ...

    def certificate(self) -> AuthorityCertificate:
        """Return the certificate that devices must trust. Raises `WorkspaceError`."""
        ...

    def renew_certificate(self) -> AuthorityCertificate:
        """Replace the certificate that devices must trust. Raises `WorkspaceError`."""
        ...

    def change_endpoint(self, options: EndpointOptions) -> str:
        """Start the public endpoint with other options and return its address.

        If this fails, the endpoint is running or stopped with its previous options, as before.
        """
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
        """Write events or users to a file atomically, and return their number."""
        ...

    def export_events(
        self,
        file: Path,
        file_format: FileFormat,
        environment: Environment,
        passes: Callable[[Event], bool],
        progress: Progress,
    ) -> int:
        """Write the events that pass the filter to a file atomically, and return their number."""
        ...

    def event_json(self, event: Event) -> str:
        """Return an event as the JSON that is sent."""
        ...

    def geofence_json(self, geofence: Geofence) -> str:
        """Return the JSON body of the request that would create such a geofence."""
        ...

    def read_geofence_json(self, text: str) -> GeofenceChange:
        """Return the change described by the body of a request to create a geofence. Raises `InvalidParameter`."""
        ...

    def sent_track(self, environment: Environment, device_id: str) -> Track:
        """Return the updates of a device in the request log. Raises `NotFound` ``device`` if there are none."""
        ...

    def export_track(self, file: Path, track: Track, track_format: TrackFormat) -> None:
        """Write a track to a file atomically. Raises `InvalidParameter` ``output``."""
        ...

    def save_scenario(self, file: Path, environment: Environment, recording: Recording) -> Saved:
        """Write settings, geofences, a track and its events as a scenario, and return its expectations."""
        ...

    def save_change_set(self, file: Path, changes: ChangeSet) -> None:
        """Write a change set to a file atomically. Raises `InvalidParameter` ``output``."""
        ...

    def start_endpoint(self) -> str:
        """Start the public endpoint and return its address. Raises `AddressInUse` if the port is taken."""
        ...

    def stop_endpoint(self) -> None:
        """Stop the public endpoint if it is running."""
        ...

    def close(self) -> None:
        """Stop everything and release the workspace."""
        ...


class OtherWorkspaces(Protocol):
    """Reads workspaces that the window does not have open, through the process that has one open if there is one.

    `progress` may raise `Cancelled`, also while another process opens or closes the workspace. Methods raise
    `WorkspaceError`. A folder without a workspace is one, too.
    """

    def set_up(
        self, folder: Path, environment: Environment, progress: Progress
    ) -> tuple[ProjectSettings, tuple[Geofence, ...]]:
        """Return the settings and geofences of an environment, exactly as they are stored."""
        ...

    def count_updates(self, folder: Path, environment: Environment, progress: Progress) -> int:
        """Return how many updates are kept."""
        ...

    def write_kept(
        self, folder: Path, environment: Environment, place: Path, progress: Progress, *, updates: bool
    ) -> None:
        """Write the circumstances of kept updates into the folder `place`, and the updates if these are wanted."""
        ...


type OpenFolder = Callable[[Path | str, Progress], Session]
"""Opens the workspace in a folder with the options that the window uses for all workspaces."""


class OpenSession(Protocol):
    """Opens a workspace.

    The caller that starts the window provides it, because the desktop package does not import the web server.
    """

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
        """Open the workspace in `folder` (or ":memory:") without starting its public endpoint.

        `host`, `port`, `tls` and `allow_hosts` configure that endpoint. `progress` follows the upgrade of a workspace
        from an earlier version and may raise `Cancelled`. Raises `WorkspaceBusy` or `WorkspaceError`.
        """
        ...
