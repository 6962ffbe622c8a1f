"""Assembly of the controllers for several geofences."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.desktop.map import MapView
from app.desktop.map.values import Theme
from app.desktop.memory import Memory
from app.desktop.panels.fence_table.table import FenceTable
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.panels.geofence.listing import FenceList
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.fences import FenceController
from app.desktop.window.controllers.many.editing import SeveralController
from app.desktop.window.controllers.many.filters import SavedFilterController
from app.desktop.window.controllers.many.hours import HoursController
from app.desktop.window.controllers.many.menus import FenceMenus
from app.desktop.window.controllers.many.table import FenceTableController
from app.desktop.window.controllers.search_result import SearchResultController
from app.desktop.window.docks import Docks
from app.desktop.window.message import MessageLine
from app.desktop.window.selection import SelectionController
from app.desktop.workspace_model import WorkspaceModel


class ManyControllers:
    """Creates the controllers for several geofences and connects them to their actions."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        map_view: MapView,
        docks: Docks,
        selection: SelectionController,
        fences: FenceController,
        message: MessageLine,
        memory: Memory,
        panels: tuple[FenceList, FenceTable, FenceForm],
    ) -> None:
        listing, table, self._form = panels
        self.table = FenceTableController(model, table, docks, map_view, selection, memory)
        self.several = SeveralController(window, model, fences)
        self.hours = HoursController(window, model, self._form, self.several)
        self.menus = FenceMenus(window, model, map_view, selection, fences, self.several, self._form, message)
        self.menus.follow(listing, table)
        self.filters = SavedFilterController(window, model, table, message)

    def follow(self, search_result: SearchResultController) -> None:
        """Add the commands for a geofence to the menu of the map."""
        search_result.menu_of_fence.connect(self.menus.fill_for_map)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        self.table.connect_actions(actions)
        self.several.connect_actions(actions)
        self.hours.connect_actions(actions)
        self.menus.connect_actions(actions)
        self._form.several.edit_requested.connect(actions.edit_selected.trigger)

    def set_theme(self, theme: Theme) -> None:
        """Set the theme for the icons of dialogs opened from now on."""
        self.several.set_theme(theme)
