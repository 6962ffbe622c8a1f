"""The fields for the size of a geofence, each visible only for the shapes that have it."""

from __future__ import annotations

from app.desktop.language import translated
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.fields.entry import Entry
from app.desktop.panels.fields.minutes import MinutesEdit
from app.desktop.panels.fields.radius import RadiusEdit
from app.desktop.panels.fields.sliding import SlidingNumber
from app.desktop.panels.widgets import Field
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, Isochrone
from engine.domain.travel import TravelMode


class _SlidingEntry(Entry[Geofence]):
    """A radius in metres, or minutes of travel."""

    def __init__(self, field: Field, editor: SlidingNumber) -> None:
        super().__init__("size", field)
        self.editor = editor
        self._misread = False
        editor.committed.connect(self.give)
        editor.rested.connect(self._on_rested)
        editor.number.refused.connect(self._on_refused)

    @property
    def typed(self) -> bool:
        """Whether the user is dragging or typing the value."""
        return self.editor.busy

    def words(self, record: Geofence) -> str:
        """Return the value with its unit, or the kind of shape if it has none."""
        value = self.value(record)
        return record.geometry.type if value is None else self.editor.number.spell(value)

    def fill(self, record: Geofence) -> None:
        """Show the value if the shape has one."""
        value = self.value(record)
        self.field.setVisible(value is not None)
        if value is not None:
            self.editor.set_value(value)

    def settle(self) -> None:
        """Commit the value without waiting for the pause."""
        self.editor.settle()

    def state(self) -> object:
        """Return the displayed number and the rejected text in its place, if any."""
        return self.editor.shown, self.editor.number.rejected

    def put_back(self, state: object) -> None:
        """Show a number that is not stored, or the rejected text in its place."""
        assert isinstance(state, tuple)
        shown, rejected = state
        self.editor.set_value(shown)
        if rejected is not None:
            self.editor.number.reject(rejected)

    def _on_refused(self, message: str) -> None:
        if message:
            self._misread = True
            self.refuse(message)

    def _on_rested(self) -> None:
        if self._misread and not self.editor.number.refusal:
            self._misread = False
            self.give(self.editor.shown)
        self.follow()


class RadiusEntry(_SlidingEntry):
    """The radius of a circle."""

    def __init__(self, field: Field, editor: RadiusEdit) -> None:
        super().__init__(field, editor)

    def value(self, record: Geofence) -> float | None:
        """Return the radius in metres, or None if the shape is not a circle."""
        return record.geometry.radius_m if isinstance(record.geometry, Circle) else None


class MinutesEntry(_SlidingEntry):
    """The travel time of an isochrone."""

    def __init__(self, field: Field, editor: MinutesEdit) -> None:
        super().__init__(field, editor)

    def value(self, record: Geofence) -> float | None:
        """Return the travel time in minutes, or None if the shape is not an isochrone."""
        return record.geometry.minutes if isinstance(record.geometry, Isochrone) else None


class ModeEdit(ChoiceBox):
    """A choice of travel modes."""

    def __init__(self) -> None:
        super().__init__()
        for mode in TravelMode:
            self.addItem(translated(mode.value.capitalize()), mode.value)

    @property
    def mode(self) -> str:
        """The displayed mode."""
        return str(self.currentData())


class ModeEntry(Entry[Geofence]):
    """The travel mode of an isochrone."""

    def __init__(self, field: Field, editor: ModeEdit) -> None:
        super().__init__("mode", field)
        self.editor = editor
        editor.activated.connect(lambda _: self.give(editor.mode))

    def value(self, record: Geofence) -> str | None:
        """Return the mode, or None if the shape is not an isochrone."""
        return record.geometry.mode.value if isinstance(record.geometry, Isochrone) else None

    def fill(self, record: Geofence) -> None:
        """Show the mode."""
        mode = self.value(record)
        self.field.setVisible(mode is not None)
        if mode is not None:
            self.editor.setCurrentIndex(self.editor.findData(mode))
