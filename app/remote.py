"""A workspace that another process has open, reached through the address that process published in it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
import orjson

from app.api.encoding import Encoded, encode_time
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import Conflict, FencewrightError, InvalidParameter, NotFound, WorkspaceError, WorkspaceGone
from engine.domain.ports import Progress, no_progress
from engine.domain.tracking import LocationUpdate
from engine.store.workspace import Endpoint, read_keys

_ANSWER_WITHIN_S = 30.0

_ERRORS: Mapping[int, type[InvalidParameter] | type[NotFound] | type[Conflict]] = {
    400: InvalidParameter,
    404: NotFound,
    409: Conflict,
}


class RemoteWorkspace:
    """Does on an open workspace what a command would do itself on a closed one."""

    def __init__(self, folder: Path, endpoint: Endpoint) -> None:
        self._folder = folder
        self._endpoint = endpoint
        # Never through a proxy: the address is one of this machine.
        self._client = httpx.Client(
            base_url=endpoint.control_url,
            headers={"Authorization": endpoint.control_token},
            timeout=_ANSWER_WITHIN_S,
            trust_env=False,
        )

    def check(self) -> None:
        """Raise `WorkspaceGone` unless the process still has the workspace open."""
        self._request("GET", "/_workspace/status")

    def rotate(self, environment: Environment, level: KeyLevel) -> None:
        """Replace one key of the workspace."""
        params = {"environment": environment.value, "level": level.value}
        self._request("POST", "/_workspace/keys/rotate", params=params)

    def track(self, environment: Environment, update: LocationUpdate) -> Encoded:
        """Send a location update as a client would, and return the answer of ``/v1/track``."""
        key = read_keys(self._folder).value(environment, KeyLevel.PUBLISHABLE)
        return self._request("POST", "/v1/track", content=_track_body(update), headers={"Authorization": key})

    def import_csv(
        self, environment: Environment, data: bytes, *, dry_run: bool = False, progress: Progress = no_progress
    ) -> Encoded:
        """Import a table and return its encoded report; what `progress` raises ends the import."""
        params = {"environment": environment.value, "dryRun": "true" if dry_run else "false"}
        try:
            with self._client.stream(
                "POST",
                "/_workspace/import",
                params=params,
                content=data,
                headers={"Content-Type": "text/csv"},
                timeout=httpx.Timeout(_ANSWER_WITHIN_S, read=None),
            ) as response:
                if response.status_code != 200:
                    response.read()
                    raise _error_of(response)
                return _read_import(response.iter_lines(), progress)
        except httpx.HTTPError as error:
            raise self._gone(error) from error

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _request(self, method: str, path: str, **kwargs: Any) -> Encoded:
        try:
            response = self._client.request(method, path, **kwargs)
        except httpx.HTTPError as error:
            raise self._gone(error) from error
        if response.status_code != 200:
            raise _error_of(response)
        answer: Encoded = orjson.loads(response.content)
        return answer

    def _gone(self, error: httpx.HTTPError) -> WorkspaceGone:
        return WorkspaceGone(
            f"The process that has {self._folder} open (number {self._endpoint.pid}) does not answer: {error}."
        )


def _track_body(update: LocationUpdate) -> bytes:
    body: Encoded = {
        "deviceId": update.device_id,
        "latitude": update.point.latitude,
        "longitude": update.point.longitude,
        "accuracy": update.accuracy_m,
    }
    if update.user_id is not None:
        body["userId"] = update.user_id
    if update.at is not None:
        body["updatedAt"] = encode_time(update.at)
    return orjson.dumps(body)


def _read_import(lines: Iterator[str], progress: Progress) -> Encoded:
    for line in lines:
        message = orjson.loads(line)
        if "report" in message:
            report: Encoded = message["report"]
            return report
        if "error" in message:
            error = message["error"]
            raise InvalidParameter(str(error.get("param", "file")), str(error.get("message", "The import failed.")))
        progress(int(message["done"]), int(message["total"]))
    raise WorkspaceGone("The process that has the workspace open ended before the import did; nothing was imported.")


def _error_of(response: httpx.Response) -> FencewrightError:
    try:
        meta = orjson.loads(response.content)["meta"]
        message = str(meta["message"])
    except (ValueError, KeyError, TypeError):
        return WorkspaceError(f"The process that has the workspace open answered {response.status_code}.")
    kind = _ERRORS.get(response.status_code)
    return kind(str(meta.get("param", "")), message) if kind else FencewrightError(message)
