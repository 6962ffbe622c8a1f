"""Preview of the exported map in its dialog: the same sheet, small, redrawn after every choice."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage, QPageLayout

from app.desktop.language import tr
from app.desktop.map import MapView
from app.desktop.map.still import Ground, GroundCamera, View
from app.desktop.map.values import Theme
from app.desktop.map_export.composing import Room, compose, view_at_ratio
from app.desktop.map_export.content import Snapshot
from app.desktop.map_export.dialog import MapExportDialog
from app.desktop.map_export.options import MapExportOptions
from app.desktop.map_export.writing import previewed
from app.desktop.model.words import error_text
from app.desktop.window.controllers.newest import Newest
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled

_MOST_GROUNDS: Final = 4

type _Key = tuple[Theme, View | None]


class MapPreviewer(QObject):
    """Shows the result of the dialog's choices. Pictures of the ground are cached by kind."""

    def __init__(
        self, model: WorkspaceModel, map_view: MapView, dialog: MapExportDialog, snapshot: Snapshot, date: str
    ) -> None:
        super().__init__(dialog)
        self._map, self._dialog, self._snapshot, self._date = map_view, dialog, snapshot, date
        self._asking = Newest(model.operations.preview)
        self._grounds: dict[_Key, Ground] = {}
        self._camera: GroundCamera | None = None
        self._taking: _Key | None = None
        self._number = 0
        dialog.changed.connect(self._show)
        dialog.finished.connect(lambda _: self._stop())
        self._show()

    def _show(self) -> None:
        options = self._dialog.options()
        page = self._dialog.page(wide=self._map.width() > self._map.height())
        room = Room.of(page) if page is not None else None
        try:
            view = view_at_ratio(self._map.center(), options.ratio, room) if room and options.ratio else None
        except InvalidParameter as error:
            self._show_text(error_text(error))
            return
        key = options.theme, view
        ground = self._grounds.get(key)
        if ground is not None:
            self._paint(ground, options, page)
        elif self._camera is None or self._taking != key:
            self._take(key)

    def _take(self, key: _Key) -> None:
        if self._camera is not None:
            self._camera.stop()
        theme, view = self._taking = key

        def done(ground: Ground | None) -> None:
            self._camera = None
            if ground is None:
                self._show_text(tr("The preview could not be drawn."))
                return
            while len(self._grounds) >= _MOST_GROUNDS:
                del self._grounds[next(iter(self._grounds))]
            self._grounds[key] = ground
            self._show()

        self._camera = GroundCamera(self._map, self._map.profile, theme, 1, done, view)

    def _paint(self, ground: Ground, options: MapExportOptions, page: QPageLayout | None) -> None:
        self._number += 1
        number, room, size = self._number, Room.of(page) if page is not None else None, self._dialog.preview_size()

        def progress(_done: int, _total: int) -> None:
            if number != self._number:
                raise Cancelled

        def work() -> QImage:
            sheet = compose(ground, self._snapshot, options, self._date, room, progress)
            return previewed(sheet, page, size, progress)

        def failed(error: Exception) -> None:
            if not isinstance(error, Cancelled):
                self._show_text(error_text(error))

        self._asking.ask(work, self._dialog.show_preview, failed)

    def _show_text(self, text: str) -> None:
        self._number += 1
        self._asking.forget()
        self._dialog.show_preview_text(text)

    def _stop(self) -> None:
        """Stop drawing before the dialog closes."""
        self._number += 1
        self._asking.forget()
        self._grounds.clear()
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.stop()
