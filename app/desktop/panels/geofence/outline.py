"""The page for a geofence's shape: its centre or vertices as numbers, and the whole shape as text."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QCheckBox

from app.desktop.language import tr, within_sentence
from app.desktop.map.values import Theme
from app.desktop.model.shaping.measures import shape_measures
from app.desktop.model.shaping.positions import Order, read, spell, spell_all
from app.desktop.panels.fields.basic import ChoiceBox, TextLine
from app.desktop.panels.fields.entries import TextEntry
from app.desktop.panels.fields.section import Section
from app.desktop.panels.flow import Flow
from app.desktop.panels.geofence.text import ShapeText
from app.desktop.panels.geofence.vertices import VertexEdit, VerticesEntry
from app.desktop.panels.menus import Menu
from app.desktop.panels.widgets import Field, button, caption, key_text, label, tip_text
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, Isochrone, Position


class CentreEntry(TextEntry[Geofence]):
    """The centre of a circle, or the destination of an isochrone."""

    def __init__(self, field: Field, editor: TextLine) -> None:
        self.order = Order.LATITUDE_FIRST
        super().__init__("coordinates", field, editor, self._words_of, lambda text, _: read(text, self.order))

    def fill(self, record: Geofence) -> None:
        """Show the centre if the shape has one."""
        has_centre = isinstance(record.geometry, Circle | Isochrone)
        self.field.setVisible(has_centre)
        self.field.set_title(tr("Destination") if isinstance(record.geometry, Isochrone) else tr("Centre"))
        if has_centre:
            super().fill(record)

    def value(self, record: Geofence) -> Position | None:
        """Return the centre, or None for a polygon."""
        geometry = record.geometry
        return super().value(record) if isinstance(geometry, Circle | Isochrone) else None

    def words(self, record: Geofence) -> str:
        """Return the centre, or the kind of shape if it has none."""
        return self._words_of(record) or record.geometry.type

    def _words_of(self, record: Geofence) -> str:
        geometry = record.geometry
        if not isinstance(geometry, Circle | Isochrone):
            return ""
        return spell((geometry.center.longitude, geometry.center.latitude), self.order)


class ShapeSection(Section):
    """The page of the form with a shape as numbers and as text.

    `order_chosen` carries the order that the user prefers and `shape_shown` the displayed geofence. `appeared` is
    emitted when the page becomes visible.
    """

    order_chosen = Signal(object)
    copied = Signal(str)
    shape_shown = Signal(object)
    appeared = Signal()
    lock_toggled = Signal(bool)

    def __init__(self) -> None:
        super().__init__(tr("Shape"))
        self._shown: Geofence | None = None
        self.order = ChoiceBox()
        for each in Order:
            self.order.addItem(each.value, each)
        self.order.setAccessibleName(tr("Order of coordinates"))
        self.centre = TextLine()
        self.centre.setPlaceholderText(tr("Type or paste coordinates"))
        self.vertices = VertexEdit()
        self.text = ShapeText()
        self._measures = label(role="hint", wrap=True)
        self._measures.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = button(tr("Copy"))
        self.copy.setToolTip(tr("Copy the coordinates"))
        self._menu = Menu(self.copy)
        for each in Order:
            self._menu.addAction(
                tr("As {coordinate_order}", coordinate_order=within_sentence(each.value))
            ).triggered.connect(lambda _=False, order=each: self.copy_as(order))
        self.copy.setMenu(self._menu)
        self.locked = QCheckBox(tr("Locked"))
        self.locked.setToolTip(
            tip_text(
                tr(
                    "A locked shape cannot be dragged or reshaped in this window ({shortcut})",
                    shortcut=key_text("Ctrl+L"),
                )
            )
        )
        self.locked.toggled.connect(self.lock_toggled)
        self.order.activated.connect(self._on_order)
        self._arrange()

    @property
    def chosen(self) -> Order:
        """The order in which coordinates are displayed."""
        return list(Order)[self.order.currentIndex()]

    def set_order(self, order: Order) -> None:
        """Show coordinates in the given order."""
        with QSignalBlocker(self.order):
            self.order.setCurrentIndex(list(Order).index(order))
        self.vertices.set_order(order)
        self._centre.order = order
        if self._centre.record is not None:
            self._centre.revert()

    def copy_as(self, order: Order) -> None:
        """Copy the centre or all vertices in the given order, with an empty line between rings."""
        if self._shown is None:
            return
        geometry = self._shown.geometry
        if isinstance(geometry, Circle | Isochrone):
            text = spell((geometry.center.longitude, geometry.center.latitude), order)
        else:
            text = "\n\n".join(spell_all(ring[:-1], order) for ring in geometry.rings)
        QGuiApplication.clipboard().setText(text)
        lines = sum(map(bool, text.splitlines()))
        self.copied.emit(
            tr("Copied {copied_text}.", copied_text=text)
            if lines == 1
            else tr(
                "Copied {count:,} vertices, {coordinate_order}.",
                count=lines,
                coordinate_order=within_sentence(order.value),
            )
        )

    def show_shape(self, fence: Geofence | None) -> None:
        """Set the geofence whose coordinates are copied and shown as text."""
        self._shown = fence
        self._measures.setText("" if fence is None else shape_measures(fence.geometry))
        self.shape_shown.emit(fence)

    def show_locked(self, *, locked: bool) -> None:
        """Show whether the shape is locked, and allow editing only if it is not."""
        with QSignalBlocker(self.locked):
            self.locked.setChecked(locked)
        self.vertices.set_locked(locked)
        for each in (self.centre, self.text.edit):
            each.setEnabled(not locked)

    def set_theme(self, theme: Theme) -> None:
        """Colour errors for a theme."""
        self.text.set_theme(theme)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Emit `appeared` when the page becomes visible."""
        super().showEvent(event)
        self.appeared.emit()

    def _on_order(self) -> None:
        self.set_order(self.chosen)
        self.order_chosen.emit(self.chosen)

    def _arrange(self) -> None:
        centre = Field(tr("Centre"), self.centre)
        vertices = Field(tr("Vertices"), self.vertices, self.vertices.table)
        self._centre = CentreEntry(centre, self.centre)
        self.take(self._centre, VerticesEntry(vertices, self.vertices))
        self.column.addWidget(caption(tr("Coordinates"), self.order))
        self.column.addLayout(Flow(self.order, self.copy, fill=True))
        for widget in (self.locked, centre, vertices):
            self.column.addWidget(widget)
        self.column.addWidget(self._measures)
        self.column.addWidget(caption(tr("Text"), self.text.edit))
        self.column.addWidget(self.text)
        self.column.addStretch(1)
