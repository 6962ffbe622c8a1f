"""The selection, which is made in one panel and shown in the others."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.desktop.map import MapView
from app.desktop.model.editing.pending_words import NO_FENCE_WAITS, waiting_of_fence
from app.desktop.model.words import fence_name
from app.desktop.panels.events.table import EventTable
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.panels.geofence.listing import FenceList
from app.desktop.panels.user import UserPanel
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.on_map import OnMap
from app.desktop.window.docks import Docks
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.tracking.updates import Event


class SelectionController(QObject):
    """Shows the selected geofence in its form and in the list, and the selected event in the table.

    `fence_shown` is emitted after the form was updated, with or without a geofence.
    """

    fence_shown = Signal()

    def __init__(
        self,
        model: WorkspaceModel,
        map_view: MapView,
        on_map: OnMap,
        docks: Docks,
        fences: FenceList,
        form: FenceForm,
        events: EventTable,
        actions: Actions,
    ) -> None:
        super().__init__(model)
        self._model, self._map, self._on_map, self._docks = model, map_view, on_map, docks
        self._fences, self._form, self._events = fences, form, events
        self._delete, self._select_all = actions.delete, actions.select_all
        self._delete.setEnabled(False)

    def follow(self) -> None:
        """Connect to the selection, after the controllers that must first end work on the previous one."""
        model = self._model
        model.opened.connect(self._show_fence)
        model.selection.changed.connect(self._on_selection)
        model.fences.changed.connect(lambda _: self._show_fence())
        model.pending.changed.connect(self._show_fence)
        model.events.replaced.connect(self._show_event)
        self._form.let_go.connect(self._show_fence)
        self._form.zoom_requested.connect(lambda fence_id: self._map.fit_fences([fence_id]))
        self._fences.fence_chosen.connect(self.choose_fence)
        self._fences.fences_chosen.connect(model.selection.select_fences)
        self._select_all.triggered.connect(lambda: model.selection.select_fences(model.fences.ids()))
        self._events.event_chosen.connect(self.choose_event)
        clicked = self._map.fence_clicked, self._map.fence_toggled, self._map.fences_caught
        for shape in (*clicked, self._map.circle_drawn, self._map.polygon_drawn):
            shape.connect(lambda *_: self.bring_fence())

    def choose_fence(self, fence_id: str) -> None:
        """Select a geofence and show its form."""
        self.pick_fence(fence_id)
        self.bring_fence()

    def pick_fence(self, fence_id: str) -> None:
        """Select a geofence and keep the panel in which it was chosen in front."""
        self._model.selection.select_fence(fence_id)
        self._map.reveal_fence(fence_id)

    def bring_fence(self) -> None:
        """Bring the form of the geofence to the front unless it is closed."""
        self._docks.raise_open(self._docks.fence)

    def choose_event(self, event: Event) -> None:
        """Select an event, and show its explanation and its position."""
        self._model.selection.select_event(event)
        self._docks.raise_open(self._docks.why)
        if event.point is not None:
            self._on_map.reveal_point(event.point.longitude, event.point.latitude)

    def show_user(self, panel: UserPanel) -> None:
        """Show the position of the panel's user on the map."""
        if panel.user is not None:
            point = panel.user.fix.point
            self._map.show_point(point.longitude, point.latitude)
            self._map.highlight_point(point.longitude, point.latitude)

    def _on_selection(self) -> None:
        self._show_in_list()
        self._show_event()
        self._show_fence()

    def _show_in_list(self) -> None:
        self._fences.show_selected(self._model.selection.fence_id, self._model.selection.fence_ids)

    def _show_event(self) -> None:
        self._events.show_selected(self._model.selection.event)

    def _show_fence(self) -> None:
        model, form = self._model, self._form
        fence = model.fences.get(model.selection.fence_id)
        shown = fence or form.lost
        waits = waiting_of_fence(model.pending, shown.id) if shown and shown.environment.live else NO_FENCE_WAITS
        form.show_fence(fence, model.fences.color(fence.tag) if fence else "", waits)
        form.set_tags(model.fences.tags())
        self.fence_shown.emit()
        form.several.show_count(len(model.selection.fence_ids))
        self._show_in_list()
        self._docks.note(self._docks.fence, fence_name(fence) if fence else "")
        self._delete.setEnabled(fence is not None or model.selection.beacon_id is not None)
