"""The table of geofences, synchronized with the model while it is visible."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.desktop.map import MapView
from app.desktop.memory import Memory
from app.desktop.model.fence_table.columns import columns_named
from app.desktop.model.fence_table.rows import AT_ONCE
from app.desktop.model.fences import FenceDelta
from app.desktop.panels.fence_table.table import FenceTable
from app.desktop.window.actions.actions import Actions
from app.desktop.window.docks import Docks
from app.desktop.window.selection import SelectionController
from app.desktop.workspace_model import WorkspaceModel


class FenceTableController(QObject):
    """Fills the table when it first becomes visible, follows changes and the selection, and stores its columns."""

    def __init__(
        self,
        model: WorkspaceModel,
        panel: FenceTable,
        docks: Docks,
        map_view: MapView,
        selection: SelectionController,
        memory: Memory,
    ) -> None:
        super().__init__(model)
        self._model, self._panel, self._docks, self._memory = model, panel, docks, memory
        self._missed = True
        """Whether the table has missed changes while it was hidden."""
        self._filling: object = None
        """Token of the last filling with many geofences, or None if other geofences have replaced them since."""
        panel.show_columns(columns_named(memory.table_columns))
        model.fences.changed.connect(self._follow)
        model.selection.changed.connect(self._show_selected)
        docks.table.visibilityChanged.connect(panel.wake)
        panel.woken.connect(self._on_woken)
        panel.fence_chosen.connect(selection.choose_fence)
        panel.fences_chosen.connect(model.selection.select_fences)
        panel.zoom_requested.connect(lambda fence_id: map_view.fit_fences([fence_id]))
        panel.columns_changed.connect(self._on_columns)
        panel.note_changed.connect(lambda text: docks.note(docks.table, text))

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.geofence_table.triggered.connect(self.open)
        self._panel.draw_requested.connect(actions.circle.trigger)
        self._panel.import_requested.connect(actions.import_file.trigger)

    def open(self) -> None:
        """Bring the table to the front with the keyboard focus."""
        self._docks.bring(self._docks.table)
        self._panel.view.setFocus()

    def _follow(self, delta: FenceDelta) -> None:
        seen = self._panel.is_awake
        if self._missed and not seen:
            return
        if delta.reset or (not seen and len(delta.upserted) + len(delta.removed) > AT_ONCE):
            self._missed, self._filling = True, None
            self._panel.rows.replace(())
            if seen:
                self._fill()
            return
        self._panel.rows.take(delta)
        self._panel.go_on()
        if seen:
            self._panel.head.set_tags(self._model.fences.tags())

    def _on_woken(self) -> None:
        if self._missed:
            self._fill()
        self._panel.head.set_tags(self._model.fences.tags())

    def _fill(self) -> None:
        self._missed = False
        fences = self._model.fences
        if len(fences) <= AT_ONCE:
            self._list_all()
            return
        ids, filling = fences.ids(), object()
        self._filling = filling

        def done(_: None) -> None:
            # The table may now show other geofences, such as those of another environment, which are not built yet.
            if filling is self._filling:
                self._list_all()

        self._model.operations.read(lambda: fences.make(ids), done, self._model.report_error)

    def _list_all(self) -> None:
        self._panel.rows.replace(self._model.fences.all())
        self._panel.head.set_tags(self._model.fences.tags())
        self._panel.go_on()

    def _show_selected(self) -> None:
        selection = self._model.selection
        self._panel.show_selected(selection.fence_id, selection.fence_ids)

    def _on_columns(self, names: list[str]) -> None:
        self._memory.table_columns = names
