"""A map without a page: it records the commands for the page, and a hand does what the page would report."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from app.desktop.map import MapProfile, MapView, Position
from app.desktop.map.messages import CameraMoved
from app.desktop.map.outbox import Outbox

_PIXELS = 100_000.0
"""Pixels per degree of the map."""
_PIXEL = 1 / _PIXELS
_CLOSE = 16.0
"""Zoom level at which geofences are shown."""

type Command = dict[str, Any]


class SmallMap(MapView):
    """A map that draws nothing and completes each command immediately."""

    def __init__(self, profile: MapProfile) -> None:
        self.commands: list[Command] = []
        """The commands for the page so far, each with its `name` and its fields."""
        self.centres: Callable[[Iterable[str] | None], list[Position]] = lambda _: []
        """Returns the centres of geofences by their IDs, or of all."""
        self.fence_at: Callable[[Position], str | None] = lambda _: None
        """Returns the ID of the circle at a position."""
        super().__init__(profile=profile)
        self.outbox = _Unlimited(self._take, self.outbox._offer)
        self.outbox.open()
        self._ready = True

    def _load_page(self) -> None:
        self._browser = _Canvas(self._handles_key, self._open_menu, self)  # type: ignore[assignment]
        self._page = _Page(self)  # type: ignore[assignment]
        self._bridge = _Bridge(self)  # type: ignore[assignment]

    def _take(self, text: str) -> None:
        command: Command = msgspec.json.decode(text)
        self.commands.append(command)
        match command:
            case {"name": "show_point", "position": [longitude, latitude], "zoom": zoom}:
                self._go((longitude, latitude), zoom or self.zoom())
            case {"name": "fit", "bounds": [west, south, east, north], "max_zoom": zoom}:
                widest = math.log2(self.width() * 360 / 256 / max(east - west, _PIXEL))
                self._go(((west + east) / 2, (south + north) / 2), min(zoom, widest))
            case {"name": "fit_fences", "ids": ids} if centres := self.centres(ids):
                self._go(_middle(centres), _CLOSE)
            case {"name": "fence_reveal", "id": fence_id} if centres := self.centres([fence_id]):
                if not self.rect().contains(self.place(*centres[0])):
                    self._go(centres[0], self.zoom())

    def _go(self, centre: Position, zoom: float) -> None:
        x, y = self.width() / 2 / _PIXELS, self.height() / 2 / _PIXELS
        bounds = centre[0] - x, centre[1] - y, centre[0] + x, centre[1] + y
        self._camera = CameraMoved(centre, zoom, bounds)
        self.camera_changed.emit()

    def sent(self, name: str) -> list[Command]:
        """Return the commands of a name so far."""
        return [command for command in self.commands if command["name"] == name]

    def last(self, name: str) -> Command:
        """Return the latest command of a name."""
        return self.sent(name)[-1]

    def to_widget_position(self, longitude: float, latitude: float, callback: Callable[[QPoint], None]) -> None:
        """Call back with a position's place immediately."""
        callback(self.place(longitude, latitude))

    def place(self, longitude: float, latitude: float) -> QPoint:
        """Return the place of a position on this widget."""
        centre = self.center()
        x, y = (longitude - centre[0]) * _PIXELS, (centre[1] - latitude) * _PIXELS
        return self.rect().center() + QPoint(round(x), round(y))

    def position(self, place: QPoint) -> Position:
        """Return the position of a place on this widget."""
        centre, from_centre = self.center(), place - self.rect().center()
        return centre[0] + from_centre.x() / _PIXELS, centre[1] - from_centre.y() / _PIXELS

    def _open_menu(self, place: QPoint) -> None:
        at = self.position(place)
        self._handle(("context_asked", *at, place.x(), place.y(), self.fence_at(at)))

    def when_settled(self, callback: Callable[[], None]) -> None:
        """Call back immediately."""
        callback()

    def ask_attributions(self, callback: Callable[[str], None]) -> None:
        """Call back immediately, with nothing."""
        callback("")

    def render_widget(self) -> QWidget | None:
        """The widget that receives keys."""
        return self._browser


def _middle(centres: Sequence[Position]) -> Position:
    return sum(x for x, _ in centres) / len(centres), sum(y for _, y in centres) / len(centres)


class _Unlimited(Outbox):
    """An outbox whose page has time for every command."""

    def _room(self) -> int:
        return sys.maxsize


class _Canvas(QWidget):
    """A widget that offers keys and right clicks to the map, as the browser does."""

    def __init__(
        self, handles: Callable[[QKeyEvent, bool], bool], open_menu: Callable[[QPoint], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._handles, self._open_menu = handles, open_menu
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def event(self, event: QEvent) -> bool:
        """Offer a key to the map before the window's shortcuts."""
        kind = event.type()
        if isinstance(event, QKeyEvent) and kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            event.setAccepted(self._handles(event, kind == QEvent.Type.KeyPress))
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Report a right click."""
        if event.button() == Qt.MouseButton.RightButton:
            self._open_menu(event.position().toPoint())

    def zoomFactor(self) -> float:  # noqa: N802 (Qt's name)
        """Return the scale of the page."""
        return 1.0


class _Page(QObject):
    def setBackgroundColor(self, color: QColor) -> None:  # noqa: N802 (Qt's name)
        """Ignore the colour, because nothing is drawn."""


class _Bridge(QObject):
    command = Signal(str)
