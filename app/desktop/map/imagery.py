"""Tiles of imagery for the page, loaded here so that the page reaches no host and knows no address."""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from secrets import token_hex
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QTimer, Signal
from PySide6.QtGui import QImageReader
from PySide6.QtWebEngineCore import QWebEngineUrlRequestJob
from shiboken6 import isValid

from app.desktop.map.values import TileSource
from engine.domain.errors import FencewrightError

_log = logging.getLogger(__name__)

AT_ONCE: Final = 6
MAX_SIDE_PX: Final = 2_048

_PATH: Final = re.compile(r"/imagery/([0-9a-f]{32})/(\d{1,2})/(\d{1,8})/(\d{1,8})(@2x)?")
_AFTER_REST_MS: Final = 100
_TYPES: Final = {"png": b"image/png", "jpeg": b"image/jpeg", "webp": b"image/webp", "gif": b"image/gif"}

type _Tile = tuple[int, int, int, bool]


class _Wanted(Struct, frozen=True, eq=False):
    job: QWebEngineUrlRequestJob
    source: TileSource
    tile: _Tile


class _Picture(Struct, frozen=True):
    content: bytes
    type: bytes


class ImageryDesk(QObject):
    """Answers requests for tiles of the offered sources, a few at a time. Other requests are refused.

    `troubled` carries the error of a source, or "" after it ended. `rested` reports that a source which paused after
    failures can be asked again.
    """

    troubled = Signal(str)
    rested = Signal()
    _loaded = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sources: dict[str, TileSource] = {}
        self._waiting: deque[_Wanted] = deque()
        self._under_way = 0
        self._pool: ThreadPoolExecutor | None = None
        self._trouble = ""
        self._loaded.connect(self._answer)
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self.rested)

    def offer(self, sources: Sequence[TileSource]) -> list[str]:
        """Serve exactly these sources and return the path of each.

        A path is random, and stays the same for as long as its source is offered.
        """
        names = {id(source): name for name, source in self._sources.items()}
        paths = [names.get(id(source)) or token_hex(16) for source in sources]
        self._sources = dict(zip(paths, sources, strict=True))
        self._report_trouble()
        if not sources:
            self._end_pool()
            self._rest.stop()
        return [f"/imagery/{path}" for path in paths]

    def ask(self, job: QWebEngineUrlRequestJob, path: str) -> bool:
        """Answer a request when its tile is loaded, and return whether the tile belongs to an offered source."""
        found = _PATH.fullmatch(path)
        source = self._sources.get(found[1]) if found is not None else None
        if found is None or source is None:
            return False
        self._waiting.append(_Wanted(job, source, (int(found[2]), int(found[3]), int(found[4]), bool(found[5]))))
        self._pump()
        return True

    def close(self) -> None:
        """Stop loading."""
        self._sources.clear()
        self._end_pool()
        self._rest.stop()

    def _pump(self) -> None:
        while self._waiting and self._under_way < AT_ONCE:
            wanted = self._waiting.popleft()
            # Requests for tiles out of view are cancelled.
            if isValid(wanted.job):
                if self._pool is None:
                    self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="map-imagery")
                self._under_way += 1
                self._pool.submit(self._load, wanted)

    def _load(self, wanted: _Wanted) -> None:
        picture: _Picture | None = None
        try:
            zoom, x, y, fine = wanted.tile
            picture = _picture(wanted.source.tile(zoom, x, y, fine=fine))
        except FencewrightError:
            pass  # the source reports its error
        except Exception:  # noqa: BLE001 - the request is answered, whatever it was
            _log.exception("a tile cannot be loaded")
        with suppress(RuntimeError):  # the program has ended in the meantime
            self._loaded.emit(wanted, picture)

    def _answer(self, wanted: _Wanted, picture: _Picture | None) -> None:
        self._under_way -= 1
        if isValid(wanted.job):
            if picture is None:
                wanted.job.fail(QWebEngineUrlRequestJob.Error.RequestFailed)
                self._wait_for(wanted.source)
            else:
                _reply(wanted.job, picture)
        self._report_trouble()
        self._pump()

    def _wait_for(self, source: TileSource) -> None:
        """Schedule a report of the end of a source's pause, if it has one, to request the missing tiles again."""
        left, is_offered = source.rests_s, any(each is source for each in self._sources.values())
        if left > 0 and is_offered and not self._rest.isActive():
            self._rest.start(int(left * 1000) + _AFTER_REST_MS)

    def _report_trouble(self) -> None:
        trouble = next(filter(None, (source.trouble for source in self._sources.values())), "")
        if trouble != self._trouble:
            self._trouble = trouble
            self.troubled.emit(trouble)

    def _end_pool(self) -> None:
        pool, self._pool = self._pool, None
        for wanted in self._waiting:
            if isValid(wanted.job):
                wanted.job.fail(QWebEngineUrlRequestJob.Error.RequestAborted)
        self._waiting.clear()
        if pool is not None:
            pool.shutdown(wait=False)


def _picture(content: bytes) -> _Picture | None:
    """Return a picture of tile size, or None for any other content, regardless of the server's content type."""
    buffer = QBuffer()
    buffer.setData(QByteArray(content))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setDecideFormatFromContent(True)
    size, kind = reader.size(), bytes(reader.format().data()).decode("ascii", "replace")
    if kind not in _TYPES or not (0 < size.width() <= MAX_SIDE_PX and 0 < size.height() <= MAX_SIDE_PX):
        return None
    return _Picture(content, _TYPES[kind])


def _reply(job: QWebEngineUrlRequestJob, picture: _Picture) -> None:
    buffer = QBuffer(job)
    buffer.setData(QByteArray(picture.content))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    job.reply(QByteArray(picture.type), buffer)
