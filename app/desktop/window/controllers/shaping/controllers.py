"""All controllers for the shapes of geofences, and coordinates as numbers in the form."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.language import tr
from app.desktop.map import MapView
from app.desktop.map.values import Theme
from app.desktop.memory import Memory
from app.desktop.model.shaping.positions import Order
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.panels.menus import Menu
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.fences import FenceController
from app.desktop.window.controllers.shaping.locks import LockController
from app.desktop.window.controllers.shaping.operations import OperationController
from app.desktop.window.controllers.shaping.pasting import PasteController
from app.desktop.window.controllers.shaping.readouts import ConfidenceController, MeasureController
from app.desktop.window.controllers.shaping.rings import RingController
from app.desktop.window.controllers.shaping.texts import TextController
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel


class ShapingControllers:
    """Creates the controllers of shapes and connects them to their actions."""

    def __init__(
        self,
        model: WorkspaceModel,
        map_view: MapView,
        form: FenceForm,
        fences: FenceController,
        memory: Memory,
        message: MessageLine,
    ) -> None:
        self._form = form
        self.numbers = NumbersController(form, memory, message)
        self.texts = TextController(model, form, fences)
        self.operations = OperationController(model, map_view, fences, message)
        self.rings = RingController(model, map_view, form, fences, message)
        self.locks = LockController(model, form, message)
        self.measure = MeasureController(map_view)
        self.confidence = ConfidenceController(model, map_view)
        self.pasting = PasteController(model, map_view, form, fences, message)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        parts = self.numbers, self.operations, self.rings, self.pasting, self.locks, self.measure, self.confidence
        for each in parts:
            each.connect_actions(actions)
        self._fill(actions)

    def set_theme(self, theme: Theme) -> None:
        """Set the theme of the icons."""
        self.measure.set_theme(theme)
        self.confidence.set_theme(theme)

    def _fill(self, a: Actions) -> None:
        """Add the actions to the menu of the form."""
        menu = self._form.basics.operations.menu()
        groups = (
            (a.union, a.subtract, a.intersect, a.split, a.to_parts, a.fill_holes),
            (a.simplify, a.buffer, a.to_circle, a.to_polygon),
            (a.align, a.grid, a.duplicate),
            (a.lock, a.measure, a.confidence, a.snapping, a.road_snapping),
            (a.paste, a.copy_latitude_first, a.copy_longitude_first),
        )
        for group in groups:
            menu.addSeparator()
            menu.addActions(group)
            if a.split in group:
                menu.addMenu(self._rings_menu(menu, a))

    def _rings_menu(self, owner: QWidget, a: Actions) -> Menu:
        menu = Menu(owner, tr("Holes and parts"))
        # The tooltip of a disabled action says why it is.
        menu.setToolTipsVisible(True)
        menu.addActions((a.draw_hole, a.draw_part, a.move_part, a.delete_hole, a.delete_part))
        return menu


class NumbersController(QObject):
    """Remembers the order of coordinates and shows a message after copying."""

    def __init__(self, form: FenceForm, memory: Memory, message: MessageLine) -> None:
        super().__init__(form)
        self._form, self._memory = form, memory
        form.shape.set_order(Order.LONGITUDE_FIRST if memory.longitude_first else Order.LATITUDE_FIRST)
        form.shape.order_chosen.connect(self._on_order)
        form.shape.copied.connect(message.show_info)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        for action, order in (
            (actions.copy_latitude_first, Order.LATITUDE_FIRST),
            (actions.copy_longitude_first, Order.LONGITUDE_FIRST),
        ):
            action.triggered.connect(lambda _=False, order=order: self._form.shape.copy_as(order))

    def _on_order(self, order: Order) -> None:
        self._memory.longitude_first = order is Order.LONGITUDE_FIRST
