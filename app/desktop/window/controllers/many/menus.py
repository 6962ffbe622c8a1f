"""The context menus of geofences in the list, in the table and on the map, for one or all selected ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QWidget

from app.desktop.language import counted, tr
from app.desktop.map import MapView
from app.desktop.model.search.fences import center_of
from app.desktop.model.words import position
from app.desktop.panels.fence_table.table import FenceTable
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.panels.geofence.listing import FenceList
from app.desktop.panels.menus import Menu
from app.desktop.panels.widgets import button_text
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.fences import FenceController
from app.desktop.window.controllers.many.editing import SeveralController
from app.desktop.window.message import MessageLine
from app.desktop.window.selection import SelectionController
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.geofence import Geofence
from engine.domain.geometry import Point

_LONGEST_TAG = 40


class FenceMenus(QObject):
    """Opens a context menu at the position of a right click or on the menu key."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        map_view: MapView,
        selection: SelectionController,
        fences: FenceController,
        several: SeveralController,
        form: FenceForm,
        message: MessageLine,
    ) -> None:
        super().__init__(window)
        self._model, self._map, self._selection, self._fences = model, map_view, selection, fences
        self._several, self._form, self._message = several, form, message
        self._duplicate: tuple[QAction, ...] = ()
        self._of_one: tuple[QAction, ...] = ()
        self.menu = Menu(window)

    def connect_actions(self, actions: Actions) -> None:
        """Add the actions of other controllers."""
        self._duplicate = (actions.duplicate,)
        self._of_one = actions.copy_hours, actions.history

    def follow(self, listing: FenceList, table: FenceTable) -> None:
        """Enable the menus in the list and the table."""
        for view in (listing.view, table.view):
            view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        listing.view.customContextMenuRequested.connect(lambda at: self._open_in_list(listing, at))
        table.view.customContextMenuRequested.connect(lambda at: self._open_over(table.view, at))

    def _open_in_list(self, listing: FenceList, at: QPoint) -> None:
        index = listing.view.indexAt(at)
        if index.isValid() and listing.model.fence(index) is None:
            self.menu.clear()
            self._offer_tag(self.menu, listing.model.tree.groups[index.row()].tag)
            self.menu.popup(listing.view.viewport().mapToGlobal(at))
        else:
            self._open_over(listing.view, at)

    def _open_over(self, view: QAbstractItemView, at: QPoint) -> None:
        """Open the menu for the selection. A right click has already selected the item below it."""
        self.menu.clear()
        if self.fill(self.menu):
            self.menu.popup(view.viewport().mapToGlobal(at))

    def fill_for_map(self, menu: Menu, fence_id: str) -> None:
        """Add the commands for a geofence on the map to a menu.

        If the geofence is selected, the commands apply to the whole selection.
        """
        if fence_id not in self._model.selection.fence_ids:
            self._selection.choose_fence(fence_id)
        if self.fill(menu):
            menu.addSeparator()

    def fill(self, menu: Menu) -> bool:
        """Add the commands for the selected geofences to a menu, and return whether any are selected."""
        fences = self._several.selected()
        if not fences:
            return False
        menu.addAction(tr("Show on map"), lambda: self._map.fit_fences([fence.id for fence in fences]))
        if len(fences) == 1:
            menu.addAction(tr("Edit"), self._edit_in_form)
        else:
            menu.addAction(
                tr("Edit {geofences}…", geofences=counted(len(fences), "geofence")), lambda: self._several.edit()
            )
        if not all(fence.enabled for fence in fences):
            menu.addAction(tr("Enable"), lambda: self._several.enable(on=True))
        if any(fence.enabled for fence in fences):
            menu.addAction(tr("Disable"), lambda: self._several.enable(on=False))
        menu.addAction(tr("Set tag…"), lambda: self._several.edit("tag"))
        menu.addActions(self._duplicate)
        if len(fences) == 1:
            menu.addActions(self._of_one)
        self._offer_copies(menu.submenu(tr("Copy")), fences)
        menu.addMenu(self._form.basics.operations.menu())
        menu.addSeparator()
        self._offer_tag(menu, fences[0].tag)
        menu.addSeparator()
        menu.addAction(tr("Delete"), self._fences.delete_selected)
        return True

    def _edit_in_form(self) -> None:
        self._selection.bring_fence()
        self._form.show_section(0)
        self._form.basics.description.setFocus()
        self._form.basics.description.selectAll()

    def _offer_copies(self, menu: Menu, fences: Sequence[Geofence]) -> None:
        one = len(fences) == 1
        ways: tuple[tuple[str, str, Callable[[Geofence], str]], ...] = (
            ("ID" if one else "IDs", "ID", lambda fence: fence.id),
            (tr("Latitude, longitude"), "position", lambda fence: position(center_of(fence.geometry))),
            (tr("Longitude, latitude"), "position", lambda fence: _longitude_first(center_of(fence.geometry))),
        )
        for text, noun, spell in ways:
            menu.addAction(text, partial(self._copy, noun, fences, spell))

    def _copy(self, noun: str, fences: Sequence[Geofence], spell: Callable[[Geofence], str]) -> None:
        lines = [spell(fence) for fence in fences]
        QGuiApplication.clipboard().setText("\n".join(lines))
        self._message.show_info(
            tr("Copied {copied_text}.", copied_text=lines[0])
            if len(lines) == 1
            else tr("Copied {copied_items}.", copied_items=counted(len(lines), noun))
        )

    def _offer_tag(self, menu: Menu, tag: str) -> None:
        shown = tag if len(tag) <= _LONGEST_TAG else f"{tag[: _LONGEST_TAG - 1]}…"
        menu.addAction(button_text(tr("Select all with tag “{tag}”", tag=shown)), lambda: self._select_tag(tag))

    def _select_tag(self, tag: str) -> None:
        self._model.selection.select_fences(fence.id for fence in self._model.fences.named() if fence.tag == tag)


def _longitude_first(point: Point) -> str:
    return f"{point.longitude:.5f}, {point.latitude:.5f}"
