"""Coordinates as numbers in the form: the order that the user prefers, and what was copied."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.desktop.memory import Memory
from app.desktop.model.shaping.positions import Order
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.window.actions.actions import Actions
from app.desktop.window.message import MessageLine


class NumbersController(QObject):
    """Remembers the order of coordinates, and says what was copied."""

    def __init__(self, form: FenceForm, memory: Memory, message: MessageLine) -> None:
        super().__init__(form)
        self._form, self._memory = form, memory
        form.shape.set_order(Order.LONGITUDE_FIRST if memory.longitude_first else Order.LATITUDE_FIRST)
        form.shape.order_chosen.connect(self._on_order)
        form.shape.copied.connect(message.say)

    def connect_actions(self, actions: Actions) -> None:
        """Let the actions act."""
        for action, order in (
            (actions.copy_latitude_first, Order.LATITUDE_FIRST),
            (actions.copy_longitude_first, Order.LONGITUDE_FIRST),
        ):
            action.triggered.connect(lambda _=False, order=order: self._form.shape.copy_as(order))

    def _on_order(self, order: Order) -> None:
        self._memory.longitude_first = order is Order.LONGITUDE_FIRST
