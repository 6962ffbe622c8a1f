"""The private scheme of the map's page, which loads everything from the disk, by name."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QBuffer, QByteArray, QFile, QIODevice, QObject, QUrl, Signal
from PySide6.QtWebEngineCore import QWebEngineUrlRequestJob, QWebEngineUrlScheme, QWebEngineUrlSchemeHandler
from shiboken6 import isValid

from app.desktop.language.catalogue import ENGLISH, language
from app.desktop.language.page_texts import page_texts
from app.desktop.map.imagery import ImageryDesk
from app.desktop.map.kept import Kept
from app.desktop.map.page import inputs_of_page, page_from, write_template

if TYPE_CHECKING:
    from engine.maps.world_atlas import Detail

_log = logging.getLogger(__name__)

SCHEME = b"fencewright"
PAGE_URL = QUrl("fencewright://map/")

_CODE = Path(__file__).parent / "web"
_RESOURCES = Path(__file__).parents[3] / "resources"
_ASSETS = _RESOURCES / "web" / "assets"
_LOOK = _RESOURCES / "map"
_CHANNEL = ":/qtwebchannel/qwebchannel.js"
_TYPES = {
    ".css": b"text/css",
    ".js": b"text/javascript",
    ".json": b"application/json",
    ".png": b"image/png",
    ".svg": b"image/svg+xml",
}
_TILES = re.compile(r"(/tiles/[0-9a-f]+)/(\d{1,15})-(\d{1,9})")
_BYTES = b"application/octet-stream"
_WORLDS: Final[tuple[Detail, ...]] = ("50m", "10m")


def register_scheme() -> None:
    """Register the scheme with WebEngine; once, before a QApplication exists."""
    if QWebEngineUrlScheme.schemeByName(QByteArray(SCHEME)).name():
        return
    scheme = QWebEngineUrlScheme(QByteArray(SCHEME))
    scheme.setSyntax(QWebEngineUrlScheme.Syntax.Host)
    scheme.setFlags(
        QWebEngineUrlScheme.Flag.SecureScheme
        | QWebEngineUrlScheme.Flag.CorsEnabled
        | QWebEngineUrlScheme.Flag.FetchApiAllowed
    )
    QWebEngineUrlScheme.registerScheme(scheme)


def assets_folder() -> Path:
    """Return the folder of the built web assets that the page loads."""
    return _ASSETS


class _Made(QObject):
    """Content made in a thread, on request or in advance. It is dropped after it has been served."""

    _ended = Signal()

    def __init__(
        self, make: Callable[[], bytes], reply: Callable[[QWebEngineUrlRequestJob, bytes], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._make, self._reply = make, reply
        self._content: bytes | None = None
        self._waiting: list[QWebEngineUrlRequestJob] = []
        self._thread: Thread | None = None
        self._is_made = False
        self._ended.connect(self._answer)

    def start(self) -> None:
        """Start to make the content."""
        if self._thread is None:
            self._thread = Thread(target=self._run, name="map-content", daemon=True)
            self._thread.start()

    def ask(self, job: QWebEngineUrlRequestJob) -> None:
        """Answer a request when the content is ready."""
        self.start()
        self._waiting.append(job)
        self._answer()

    def close(self) -> None:
        """Wait for the thread, which must not outlive the handler."""
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            self._content = self._make()
        except Exception as error:  # noqa: BLE001 - the page says what it could not load
            _log.warning("a part of the map is not there: %s", error)
        finally:
            self._is_made = True
            self._ended.emit()

    def _answer(self) -> None:
        if not (self._is_made and self._waiting):
            return
        waiting, self._waiting = self._waiting, []
        for job in filter(isValid, waiting):
            if self._content is None:
                job.fail(QWebEngineUrlRequestJob.Error.RequestFailed)
            else:
                self._reply(job, self._content)
        self._content, self._thread, self._is_made = None, None, False


class MapSchemeHandler(QWebEngineUrlSchemeHandler):
    """Serves the page of the map and everything that it loads.

    The paths are `/` for the page, `/texts.json` for its texts, `/code/…` for our own files, `/assets/…` for the built
    ones, `/look/…` for the files shared with the endpoint's maps, and `/world/50m` and `/world/10m` for the world.

    `/tiles/NAME/OFFSET-LENGTH` is a part of an offered file, under a name that is generated here: no path from the page
    is used. The page does not send Range headers, since WebEngine returns too much if more than 64 KiB are requested.
    `/imagery/NAME/ZOOM/X/Y` is a tile of a source offered in the same way, `/once/NAME` is content that is fetched
    once.

    The page and the world are made in threads and cached from run to run, because folium takes a second to import and
    the window must not wait. Each response with the page has its own nonce.
    """

    def __init__(self, kept: Kept, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._roots = {"code": _CODE.resolve(), "assets": _ASSETS.resolve(), "look": _LOOK.resolve()}
        self._tiles: dict[str, Path] = {}
        self._once: dict[str, bytes] = {}
        self._names = count(1)
        self.imagery = ImageryDesk(self)
        page = _Made(lambda: kept.get("page", inputs_of_page(), write_template), _reply_page, self)
        self._made = {"/": page} | {
            f"/world/{detail}": _Made(partial(_world, kept, detail), _reply_world, self) for detail in _WORLDS
        }
        page.start()

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:  # noqa: N802 (Qt's name)
        """Answer a request; a name outside these folders does not exist."""
        path = job.requestUrl().path()
        if job.requestMethod() != QByteArray(b"GET"):
            job.fail(QWebEngineUrlRequestJob.Error.RequestDenied)
        elif path in self._made:
            self._made[path].ask(job)
        elif (content := self._once.pop(path, None)) is not None:
            _reply_bytes(job, _BYTES, content)
        elif path == "/texts.json":
            _reply_bytes(job, _TYPES[".json"], page_texts(_CODE))
        elif path == "/qwebchannel.js":
            self._reply_file(job, b"text/javascript", _CHANNEL)
        elif (piece := _TILES.fullmatch(path)) is not None and piece[1] in self._tiles:
            self._reply_piece(job, self._tiles[piece[1]], int(piece[2]), int(piece[3]))
        elif self.imagery.ask(job, path):
            pass
        elif (file := self._find(path)) is not None:
            self._reply_file(job, _TYPES[file.suffix], str(file))
        else:
            job.fail(QWebEngineUrlRequestJob.Error.UrlNotFound)

    def offer_tiles(self, files: Iterable[Path]) -> dict[Path, str]:
        """Serve exactly these files and return the address of each.

        A file that was rewritten has another address, so that its parts are not mixed with those read earlier.
        """
        names = {file: f"/tiles/{_fingerprint(file)}" for file in files}
        self._tiles = {name: file for file, name in names.items()}
        return {file: f"{SCHEME.decode()}://map{name}" for file, name in names.items()}

    def offer_once(self, content: bytes) -> str:
        """Serve some bytes to the first request, and return their address."""
        name = f"/once/{next(self._names)}"
        self._once[name] = content
        return f"{SCHEME.decode()}://map{name}"

    def close(self) -> None:
        """Wait for the threads, which must not outlive the handler."""
        self._once.clear()
        self.imagery.close()
        for made in self._made.values():
            made.close()

    def _find(self, path: str) -> Path | None:
        """Return the file of a path, or None; `..` never leads out of a root."""
        root_name, _, rest = path.lstrip("/").partition("/")
        root = self._roots.get(root_name)
        if root is None:
            return None
        file = (root / rest).resolve()
        inside = file.is_relative_to(root) and file.is_file() and file.suffix in _TYPES
        return file if inside else None

    def _reply_piece(self, job: QWebEngineUrlRequestJob, file: Path, offset: int, length: int) -> None:
        try:
            with file.open("rb") as stream:
                stream.seek(offset)
                data = stream.read(length)
        except OSError:
            job.fail(QWebEngineUrlRequestJob.Error.RequestFailed)
        else:
            _reply_bytes(job, _BYTES, data)

    def _reply_file(self, job: QWebEngineUrlRequestJob, content_type: bytes, name: str) -> None:
        file = QFile(name, job)
        if file.open(QIODevice.OpenModeFlag.ReadOnly):
            job.reply(QByteArray(content_type), file)
        else:
            job.fail(QWebEngineUrlRequestJob.Error.RequestFailed)


def _world(kept: Kept, detail: Detail) -> bytes:
    # Shapely is imported when the world is needed, not while the window is created.
    from engine.maps.packed_world import pack_world, world_inputs

    kind = "world" if language() == ENGLISH else f"world-{language()}"
    return kept.get(f"{kind}-{detail}", world_inputs(detail), partial(pack_world, detail, language()))


def _reply_page(job: QWebEngineUrlRequestJob, template: bytes) -> None:
    _reply_bytes(job, b"text/html", page_from(template))


def _reply_world(job: QWebEngineUrlRequestJob, packed: bytes) -> None:
    _reply_bytes(job, _BYTES, packed)


def _reply_bytes(job: QWebEngineUrlRequestJob, content_type: bytes, data: bytes) -> None:
    buffer = QBuffer(job)
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    job.reply(QByteArray(content_type), buffer)


def _fingerprint(file: Path) -> str:
    """Return a name for the current version of a file."""
    try:
        state = file.stat()
    except OSError:  # it was just deleted: reading it will fail and report an error
        return sha256(str(file).encode()).hexdigest()[:24]
    return sha256(f"{file} {state.st_mtime_ns} {state.st_size} {state.st_ino}".encode()).hexdigest()[:24]
