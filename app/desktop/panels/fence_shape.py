"""The fields of a fence that say how large it is: each is there for the shapes that have it."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox

from app.desktop.panels.entries import Entry
from app.desktop.panels.minutes import MinutesEdit
from app.desktop.panels.radius import RadiusEdit
from app.desktop.panels.sliding import SlidingNumber
from app.desktop.panels.widgets import Field
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, Isochrone
from engine.domain.travel import TravelMode


class _SlidingEntry(Entry[Geofence]):
    """What the API calls ``radius``."""

    def __init__(self, field: Field, editor: SlidingNumber) -> None:
        super().__init__("radius_m", "radius", field)
        self.editor = editor
        editor.committed.connect(lambda value: self.proposed.emit(self.name, value))

    def value(self, fence: Geofence) -> float | None:
        """Return the value of a fence whose shape has one."""
        raise NotImplementedError

    def fill(self, record: Geofence, before: Geofence | None) -> None:
        """Show the value, unless the user is dragging it."""
        value = self.value(record)
        self.field.setVisible(value is not None)
        if value is not None and not (before and self.editor.busy):
            self.editor.set_value(value)

    def settle(self) -> None:
        """Take the value without waiting for rest."""
        self.editor.settle()


class RadiusEntry(_SlidingEntry):
    """The radius of a circle."""

    def __init__(self, field: Field, editor: RadiusEdit) -> None:
        super().__init__(field, editor)

    def value(self, fence: Geofence) -> float | None:
        """Return the radius in metres."""
        return fence.geometry.radius_m if isinstance(fence.geometry, Circle) else None


class MinutesEntry(_SlidingEntry):
    """The travel time of an isochrone."""

    def __init__(self, field: Field, editor: MinutesEdit) -> None:
        super().__init__(field, editor)

    def value(self, fence: Geofence) -> float | None:
        """Return the minutes."""
        return fence.geometry.minutes if isinstance(fence.geometry, Isochrone) else None


class ModeEdit(QComboBox):
    """The ways of travelling."""

    def __init__(self) -> None:
        super().__init__()
        for mode in TravelMode:
            self.addItem(mode.value.capitalize(), mode.value)

    @property
    def mode(self) -> str:
        """The mode that is shown."""
        return str(self.currentData())


class ModeEntry(Entry[Geofence]):
    """How one travels to the destination of an isochrone."""

    def __init__(self, field: Field, editor: ModeEdit) -> None:
        super().__init__("mode", "mode", field)
        self.editor = editor
        editor.activated.connect(lambda _: self._propose())

    def fill(self, record: Geofence, before: Geofence | None) -> None:  # noqa: ARG002
        """Show the mode."""
        shape = record.geometry
        self.field.setVisible(isinstance(shape, Isochrone))
        if isinstance(shape, Isochrone):
            self.editor.setCurrentIndex(self.editor.findData(shape.mode.value))

    def _propose(self) -> None:
        shape = self.record.geometry if self.record is not None else None
        if isinstance(shape, Isochrone) and shape.mode == self.editor.mode:
            self.field.show_error(None)
            self.withdrawn.emit(self.name)
        else:
            self.proposed.emit(self.name, self.editor.mode)
