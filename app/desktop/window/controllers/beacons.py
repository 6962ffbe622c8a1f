"""Beacons: listed, and shown on the map."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.beacons import BeaconsDialog
from app.desktop.map import MapView
from app.desktop.window.actions import Actions
from app.desktop.workspace_model import WorkspaceModel

_CLOSE_ZOOM = 17.0


class BeaconController(QObject):
    """Opens the list, also where a beacon on the map is clicked, and goes to the one that is chosen in it."""

    def __init__(self, window: QWidget, model: WorkspaceModel, map_view: MapView) -> None:
        super().__init__(window)
        self._model, self._map = model, map_view
        self.dialog = BeaconsDialog(window, model.beacons)
        self.dialog.beacon_chosen.connect(self._go_to)
        self.dialog.finished.connect(lambda _: self._map.clear_highlight())
        model.environment_changed.connect(map_view.clear_highlight)
        map_view.beacon_clicked.connect(self._on_clicked)

    def connect_actions(self, actions: Actions) -> None:
        """Let the action act."""
        actions.beacons.triggered.connect(lambda: self._open())

    def _open(self) -> None:
        if self._model.session is not None:
            self.dialog.show()
            self.dialog.raise_()
            self.dialog.activateWindow()

    def _on_clicked(self, beacon_id: str) -> None:
        self._open()
        self.dialog.show_beacon(beacon_id)
        self._highlight(beacon_id)

    def _go_to(self, beacon_id: str) -> None:
        beacon = self._model.beacons.get(beacon_id)
        if beacon is not None:
            point = beacon.point
            self._map.show_point(point.longitude, point.latitude, zoom=max(self._map.zoom(), _CLOSE_ZOOM))
            self._highlight(beacon_id)

    def _highlight(self, beacon_id: str) -> None:
        beacon = self._model.beacons.get(beacon_id)
        if beacon is not None:
            self._map.highlight_point(beacon.point.longitude, beacon.point.latitude)
