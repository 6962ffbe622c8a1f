"""The map's browser profile, which writes nothing to disk and loads only from allowed addresses."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QCoreApplication, QObject
from PySide6.QtWebEngineCore import (
    QWebEngineProfile,
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
)
from shiboken6 import delete, isValid

from app.desktop.map.kept import Kept, cache_folder
from app.desktop.map.scheme import SCHEME, MapSchemeHandler
from app.desktop.map.values import TileSource

TILE_HOST = "tile.openstreetmap.org"
_OWN_SCHEMES = {SCHEME.decode(), "data", "blob"}


class OnlyOurs(QWebEngineUrlRequestInterceptor):
    """Blocks all requests except for our own files, and for map tiles while they are enabled."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tiles_allowed = False

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:  # noqa: N802 (Qt's name)
        """Allow or block a request."""
        url = info.requestUrl()
        is_tile = url.scheme() == "https" and url.host() == TILE_HOST
        if url.scheme() not in _OWN_SCHEMES and not (is_tile and self.tiles_allowed):
            info.block(True)


class MapProfile(QWebEngineProfile):
    """An off-the-record profile that owns the scheme's handler and the interceptor.

    It must outlive every page made with it. `shared()` returns one that lives as long as the application.
    """

    _shared: MapProfile | None = None

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.requests = OnlyOurs(self)
        self.handler = MapSchemeHandler(Kept(cache_folder()), self)
        self.installUrlSchemeHandler(QByteArray(SCHEME), self.handler)
        self.setUrlRequestInterceptor(self.requests)
        # The tile servers require every program to identify itself.
        self.setHttpUserAgent(f"{self.httpUserAgent()} Fencewright")

    @classmethod
    def shared(cls) -> MapProfile:
        """Return the application's profile, which is created on first use."""
        if cls._shared is None or not isValid(cls._shared):
            application = QCoreApplication.instance()
            cls._shared = cls(application)
            if application is not None:
                application.aboutToQuit.connect(cls._shared.handler.close)
        return cls._shared

    @classmethod
    def release_shared(cls) -> None:
        """Delete the shared profile, if any. Every page made with it must have been deleted before."""
        shared, cls._shared = cls._shared, None
        if shared is not None and isValid(shared):
            shared.handler.close()
            delete(shared)

    def offer_imagery(self, sources: Sequence[TileSource]) -> list[str]:
        """Let the page load tiles of exactly these sources, and return the address of each."""
        return [f"{SCHEME.decode()}://map{path}" for path in self.handler.imagery.offer(sources)]
