"""A real ``fencewright serve`` in a process of its own, for tests of clients."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from tests.app.program import Program

STORE: Final = {"description": "Store", "type": "circle", "coordinates": [24.9414, 60.1719], "radius": 60}
"""A geofence in the centre of Helsinki, in the bundled area."""


@dataclass(frozen=True)
class Served:
    """A running server: its address, its keys for Test, and requests with the secret key."""

    url: str
    publishable: str
    secret: str
    http: httpx.Client

    def change_settings(self, **settings: object) -> None:
        """Change settings of Test."""
        self.http.patch("/v1/settings", json=settings).raise_for_status()

    def add_store(self) -> None:
        """Add the geofence `STORE` with the tag ``store`` and the external ID ``1``."""
        self.http.put("/v1/geofences/store/1", json=STORE).raise_for_status()

    def logged(self) -> list[dict[str, Any]]:
        """Return the request log, oldest first."""
        logged: list[dict[str, Any]] = self.http.get("/v1/requests?order=asc&limit=1000").json()["requests"]
        return logged

    def forget_requests(self) -> None:
        """Clear the request log."""
        self.http.delete("/v1/requests").raise_for_status()


@contextmanager
def served(home: Path, workspace: object = ":memory:") -> Iterator[Served]:
    """Run a server without limits for updates of a device during the block. Its requests are logged from then on."""
    with Program(home).serve(workspace) as serving:
        secret = serving.key()
        with httpx.Client(base_url=serving.url, headers={"Authorization": secret}, timeout=30) as http:
            server = Served(serving.url, serving.key(level="publishable"), secret, http)
            server.change_settings(rateLimit=False)
            server.forget_requests()
            yield server
