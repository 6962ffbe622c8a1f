"""Picture of a map's ground, drawn by a page of its own so that the displayed map does not change."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from msgspec import Struct
from PySide6.QtCore import QObject, QRect, Qt, QTimer
from PySide6.QtGui import QImage

from app.desktop.map.profile import MapProfile
from app.desktop.map.values import Position, Theme
from app.desktop.map.view import MapView

_LOOK_EVERY_MS = 50
_DEADLINE_S = 30.0
_MORE_PX = 2
"""Width of the edge that is cut off. It contains the pixel by which the page reports that it is drawn."""


class View(Struct, frozen=True):
    """The section of a picture: the position of its centre, a whole zoom, and its size in pixels of the map."""

    center: Position
    zoom: float
    size: tuple[int, int]


class Ground(Struct, frozen=True):
    """The map below the geofences, as a picture with the position of its upper left corner.

    `complete` is false if parts of it did not load in time.
    """

    image: QImage
    corner: Position
    zoom: float
    size: tuple[int, int]
    attribution: str
    complete: bool = True


class GroundCamera(QObject):
    """Takes one picture of a map's ground, then calls `done`, with None on failure, unless `stop` is called before.

    It shows the same section as the map, or another `view`.
    """

    def __init__(
        self,
        map_view: MapView,
        profile: MapProfile | None,
        theme: Theme,
        scale: int,
        done: Callable[[Ground | None], None],
        view: View | None = None,
    ) -> None:
        super().__init__(map_view.window())
        self._done, self._scale = done, scale
        self._view = view
        self._size = view.size if view is not None else (map_view.width(), map_view.height())
        self._attribution: str | None = None
        self._requested = self._late = False
        self._until = monotonic() + _DEADLINE_S
        self._page = MapView(profile=profile)
        self._page.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        factor = scale / self._page.devicePixelRatioF()
        self._page.setMinimumSize(1, 1)
        self._page.resize(*(round((length + _MORE_PX) * factor) for length in self._size))
        self._page.ready.connect(lambda: self._shoot(map_view, theme, factor))
        self._page.show()
        self._timer = QTimer(self, interval=_LOOK_EVERY_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def stop(self) -> None:
        """Cancel the picture."""
        self._timer.stop()
        self._page.close()
        self._page.deleteLater()
        self.deleteLater()

    def _shoot(self, map_view: MapView, theme: Theme, factor: float) -> None:
        self._page.scale_page(factor)
        self._page.set_theme(theme)
        self._page.show_ground_of(map_view)
        if self._view is not None:
            self._page.show_point(*self._view.center, zoom=self._view.zoom)
        self._page.when_settled(self._on_settled)

    def _on_settled(self) -> None:
        if not self._requested:
            self._requested = True
            self._page.ask_attributions(self._on_attributed)

    def _on_attributed(self, text: str) -> None:
        self._attribution = text

    def _look(self) -> None:
        late = monotonic() > self._until
        if self._attribution is not None:
            self._finish(self._ground(self._attribution))
        elif late and self._page.is_ready() and not self._requested:
            # Leave out data that has not loaded by now, but still name the sources of the rest.
            self._late, self._until = True, monotonic() + _DEADLINE_S
            self._on_settled()
        elif late:
            self._finish(None)

    def _finish(self, ground: Ground | None) -> None:
        self.stop()
        self._done(ground)

    def _ground(self, attribution: str) -> Ground:
        shown = self._page.render_widget() or self._page
        image = shown.grab().toImage()
        image.setDevicePixelRatio(1.0)
        image = image.copy(QRect(0, 0, *(length * self._scale for length in self._size)))
        west, _, _, north = self._page.bounds()
        return Ground(image, (west, north), self._page.zoom(), self._size, attribution, not self._late)
