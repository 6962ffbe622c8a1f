"""Geofabrik's extracts: listing regions, and downloading one even if the connection breaks repeatedly."""

import difflib
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from types import TracebackType
from typing import Any, Final, Self

import httpx
import orjson
from msgspec import Struct

from engine.domain.errors import FencewrightError, NotFound
from engine.domain.nesting import not_too_deep
from engine.domain.ports import Progress, no_progress
from engine.outbound.loop import LoopThread
from engine.outbound.trust import usual_trust

INDEX: Final = "https://download.geofabrik.de/index-v1.json"
INDEX_VARIABLE: Final = "FENCEWRIGHT_REGIONS"
"""Environment variable with the address of another index in Geofabrik's format."""

_TIMEOUT: Final = httpx.Timeout(30.0, connect=15.0)
_TRIES: Final = 4
_WAIT_S: Final = 0.5
_NOTHING_LEFT: Final = 416


class DownloadFailed(FencewrightError):
    """Error for a region that could not be downloaded; the text gives the reason and whether a retry continues."""


class Region(Struct, frozen=True):
    """A part of the world that can be downloaded."""

    id: str
    parent: str
    name: str
    url: str

    @property
    def path(self) -> str:
        """Path of the region below its parent, as in the server's addresses."""
        return f"{self.parent}/{self.id}" if self.parent and "/" not in self.id else self.id


class _Fetched(Struct):
    """Number of bytes of an extract received so far, and the expected total if known."""

    done: int = 0
    total: int = 1


class Regions:
    """A connection to the server with the regions.

    An exception from a `progress` callback stops waiting for the server at once, even if it sends nothing.
    """

    def __init__(self, index: str | None = None) -> None:
        """Use the index at this address, else the one of the environment, else Geofabrik's."""
        self._index = index or os.environ.get(INDEX_VARIABLE) or INDEX
        self._client = httpx.AsyncClient(timeout=_TIMEOUT, follow_redirects=True, verify=usual_trust())
        self._loop = LoopThread()

    def find(self, name: str, progress: Progress = no_progress) -> Region:
        """Return the region with this ID, path or name. Raises `NotFound` ``region``, `DownloadFailed`."""
        wanted = name.strip().strip("/").casefold()
        regions = self._regions(progress)
        for spelled in ("id", "path", "name"):
            for region in regions:
                if getattr(region, spelled).casefold() == wanted:
                    return region
        known = {region.id: region.id for region in regions} | {region.name.casefold(): region.id for region in regions}
        near = {known[match] for match in difflib.get_close_matches(wanted, known, n=3)}
        hint = f"; did you mean {' or '.join(sorted(near))}?" if near else "."
        raise NotFound("region", f"region: {name!r} is not a region at {httpx.URL(self._index).host}{hint}")

    def download(self, region: Region, folder: Path, progress: Progress) -> Path:
        """Download a region's extract into `folder`, resuming a partial download, and return the file.

        `progress` receives bytes. Raises `DownloadFailed`.
        """
        checksum = self._checksum(region, progress)
        folder.mkdir(parents=True, exist_ok=True)
        stem = region.id.replace("/", "-")
        whole, part = folder / f"{stem}-{checksum}.osm.pbf", folder / f"{stem}-{checksum}.part"
        for old in folder.glob(f"{stem}-*"):
            # An extract that the server no longer has.
            if re.fullmatch(r"[0-9a-f]{32}\.(osm\.pbf|part)", old.name[len(stem) + 1 :]) and old not in (whole, part):
                old.unlink()
        if whole.exists():
            return whole
        self._fetch_patiently(region, part, progress)
        if _md5(part) != checksum:
            part.unlink()
            raise DownloadFailed(f"The download from {region.url} does not match its checksum and was discarded.")
        return part.rename(whole)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.close(self._client.aclose)

    def _regions(self, progress: Progress) -> list[Region]:
        answer = self._get(self._index, progress)
        try:
            return list(_read_regions(orjson.loads(not_too_deep(answer.content))))
        except (ValueError, KeyError, TypeError) as error:
            raise DownloadFailed(f"{self._index} did not return an index of regions.") from error

    def _get(self, url: str, progress: Progress) -> httpx.Response:
        with self._asking(url):
            return self._loop.run(self._client.get(url), lambda: progress(0, 1)).raise_for_status()

    def _checksum(self, region: Region, progress: Progress) -> str:
        answer = self._get(f"{region.url}.md5", progress)
        if (found := re.match(r"[0-9a-fA-F]{32}\b", answer.text)) is None:
            raise DownloadFailed(f"{region.url}.md5 did not return a checksum.")
        return found.group().lower()

    def _fetch_patiently(self, region: Region, part: Path, progress: Progress) -> None:
        """Fetch the missing part, reconnecting until several attempts in a row have fetched nothing."""
        tries = _TRIES
        while True:
            before = _size(part)
            try:
                with self._asking(region.url, part):
                    return self._fetch_rest(region.url, part, progress)
            except DownloadFailed as failed:
                tries = _TRIES if _size(part) > before else tries - 1
                if tries == 0 or not isinstance(failed.__cause__, httpx.TransportError):
                    raise
            sleep(_WAIT_S)

    def _fetch_rest(self, url: str, part: Path, progress: Progress) -> None:
        fetched = _Fetched()
        self._loop.run(self._fetch(url, part, fetched), lambda: progress(fetched.done, fetched.total))
        progress(fetched.done, fetched.total)

    async def _fetch(self, url: str, part: Path, fetched: "_Fetched") -> None:
        start = _size(part)
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={start}-"} if start else {})
        async with self._client.stream("GET", url, headers=headers) as answer:
            if answer.status_code == _NOTHING_LEFT:
                fetched.done = fetched.total = start
                return
            answer.raise_for_status()
            continued = answer.status_code == httpx.codes.PARTIAL_CONTENT
            fetched.done = start if continued else 0
            fetched.total = fetched.done + int(answer.headers.get("Content-Length", 0))
            with part.open("ab" if continued else "wb") as stream:
                async for piece in answer.aiter_raw():
                    stream.write(piece)
                    fetched.done += len(piece)
                    fetched.total = max(fetched.total, fetched.done)

    @contextmanager
    def _asking(self, url: str, part: Path | None = None) -> Iterator[None]:
        try:
            yield
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            if isinstance(error, httpx.HTTPStatusError):
                message = f"{url} returned the status {error.response.status_code}."
            else:
                message = f"{url} cannot be reached: {error or type(error).__name__}. Check the network connection."
            if part is not None and (kept := _size(part)):
                message += f" {kept:,} bytes are kept; the next attempt resumes from there."
            raise DownloadFailed(message) from error


def _read_regions(index: Mapping[str, Any]) -> Iterator[Region]:
    for feature in index["features"]:
        about = feature["properties"]
        if url := about["urls"].get("pbf"):
            yield Region(str(about["id"]), str(about.get("parent") or ""), str(about["name"]), str(url))


def _size(file: Path) -> int:
    with suppress(OSError):
        return file.stat().st_size
    return 0


def _md5(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
