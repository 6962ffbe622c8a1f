"""The map's browser profile: leaves nothing on the disk and reaches nothing it was not told to."""

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
    """Blocks every request that is not for our own files; map tiles pass while they are switched on."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tiles_allowed = False

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:  # noqa: N802 (Qt's name)
        """Let a request pass or block it."""
        url = info.requestUrl()
        is_tile = url.scheme() == "https" and url.host() == TILE_HOST
        if url.scheme() not in _OWN_SCHEMES and not (is_tile and self.tiles_allowed):
            info.block(True)


class MapProfile(QWebEngineProfile):
    """An off-the-record profile that owns the scheme's handler and the interceptor.

    It must outlive every page made with it; `shared()` gives one that lives as long as the application.
    """

    _shared: MapProfile | None = None

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.requests = OnlyOurs(self)
        self.handler = MapSchemeHandler(Kept(cache_folder()), self)
        self.installUrlSchemeHandler(QByteArray(SCHEME), self.handler)
        self.setUrlRequestInterceptor(self.requests)
        # The tile servers ask every program to say its name.
        self.setHttpUserAgent(f"{self.httpUserAgent()} Fencewright")

    @classmethod
    def shared(cls) -> MapProfile:
        """The application's one profile, made when it is first needed."""
        if cls._shared is None or not isValid(cls._shared):
            application = QCoreApplication.instance()
            cls._shared = cls(application)
            if application is not None:
                application.aboutToQuit.connect(cls._shared.handler.close)
        return cls._shared

    @classmethod
    def release_shared(cls) -> None:
        """End the shared profile, if there is one; every page made with it must have gone before."""
        shared, cls._shared = cls._shared, None
        if shared is not None and isValid(shared):
            shared.handler.close()
            delete(shared)

    def offer_imagery(self, sources: Sequence[TileSource]) -> list[str]:
        """Let the page have tiles of these sources, and of none that were offered before; return each one's address."""
        return [f"{SCHEME.decode()}://map{path}" for path in self.handler.imagery.offer(sources)]
