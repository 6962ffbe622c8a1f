"""The form of the selected fence. What is changed in it acts at once; in Live it waits for Apply."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Literal

from PySide6.QtCore import QSignalBlocker, QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QCompleter,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.desktop.icons import dot
from app.desktop.model.words import local_time, shape_text
from app.desktop.panels.metadata import MetadataEdit
from app.desktop.panels.radius import RadiusEdit
from app.desktop.panels.widgets import GRID, EmptyState, Field, button, label, panel
from engine.domain.geofence import UNSET, Geofence, GeofenceChange, Unset
from engine.domain.geometry import Circle

type _TextName = Literal["description", "tag", "external_id"]

_PARAMS: dict[_TextName, str] = {"description": "description", "tag": "tag", "external_id": "externalId"}


class FenceForm(QWidget):
    """Shows one fence. It emits changes and shows what became of them; it changes nothing itself."""

    changed = Signal(str, object)
    abandoned = Signal(object, object)
    radius_previewed = Signal(str, float)
    zoom_requested = Signal(str)
    delete_requested = Signal(str)
    draw_circle_requested = Signal()
    draw_polygon_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._fence: Geofence | None = None
        self._color = ""
        self._live = False
        self._pending = GeofenceChange()
        # Enter and then leaving a field both say that it is finished: what was said already is not said again.
        self._sent: dict[_TextName, str] = {}
        self._make_editors()
        self._text_editors: dict[_TextName, QLineEdit] = {
            "description": self.description,
            "tag": self.tag,
            "external_id": self.external_id,
        }
        self._fields = self._make_fields()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._make_empty())
        self._stack.addWidget(self._make_form())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self._connect()
        self.show_fence(None, "")

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Narrow enough to leave room for the map."""
        return QSize(240, 120)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Wide enough for a radius."""
        return QSize(288, 400)

    # What it shows

    @property
    def fence(self) -> Geofence | None:
        """The fence that is shown."""
        return self._fence

    @property
    def pending(self) -> GeofenceChange:
        """What waits for Apply."""
        return self._pending

    def set_live(self, live: bool) -> None:
        """Let changes wait for Apply, or not."""
        self._live = live
        self.discard()

    def set_tags(self, tags: tuple[str, ...]) -> None:
        """Offer the tags in use."""
        self._tags.setStringList(list(tags))

    def show_fence(self, fence: Geofence | None, color: str) -> None:
        """Show a fence, or none. Of the same fence, fields that the user is typing in keep what was typed."""
        same = fence is not None and self._fence is not None and fence.id == self._fence.id
        if not same:
            self._leave()
        before, self._fence, self._color = self._fence, fence, color
        if not same:
            self._pending = GeofenceChange()
            self._sent.clear()
            self.show_errors({})
        self._stack.setCurrentIndex(0 if fence is None else 1)
        if fence is not None:
            self._fill(fence, color, typing=before if same else None)
        self._show_pending()

    def show_errors(self, errors: dict[str, str]) -> None:
        """Show what the engine said about each parameter; the other fields are right."""
        for param, field in self._fields.items():
            field.show_error(errors.get(param))

    def accept(self) -> None:
        """What was sent is stored: fields that still say it follow the fence again."""
        for name, text in self._sent.items():
            editor = self._text_editors[name]
            if editor.text() == text:
                editor.setModified(False)
        self._sent.clear()
        self.show_errors({})
        if self._fence is not None:
            self._fill(self._fence, self._color, typing=self._fence)

    def _leave(self) -> None:
        """Take what is half done over before another fence is shown; what waits for Apply is handed back."""
        self.radius.settle()
        if self._fence is not None and self._pending != GeofenceChange():
            self.abandoned.emit(self._fence, self._pending)

    def _fill(self, fence: Geofence, color: str, typing: Geofence | None) -> None:
        self._swatch.setPixmap(dot(color, filled=fence.enabled).pixmap(12, 12))
        self._shape.setText(shape_text(fence))
        for name, editor in self._text_editors.items():
            if typing is None or not (editor.hasFocus() and editor.isModified()):
                self._set_text(editor, getattr(fence, name))
        circle = isinstance(fence.geometry, Circle)
        self._fields["radius"].setVisible(circle)
        if isinstance(fence.geometry, Circle) and not (typing and self.radius.busy):
            self.radius.set_value(fence.geometry.radius_m)
        with QSignalBlocker(self.enabled):
            self.enabled.setChecked(fence.enabled)
        if typing is None or typing.metadata != fence.metadata:
            self.metadata.set_value(fence.metadata)
        self._about.setText(_about(fence))

    @staticmethod
    def _set_text(editor: QLineEdit, text: str) -> None:
        if editor.text() != text:
            editor.setText(text)
            editor.setCursorPosition(0)
        editor.setModified(False)

    # What the user does

    def apply(self) -> None:
        """Apply what waits."""
        pending, self._pending = self._pending, GeofenceChange()
        if self._fence is not None and pending != GeofenceChange():
            self.changed.emit(self._fence.id, pending)
        self._show_pending()

    def discard(self) -> None:
        """Forget what waits and show the fence as it is."""
        self._pending = GeofenceChange()
        self._sent.clear()
        self.show_errors({})
        if self._fence is not None:
            self._fill(self._fence, self._color, typing=None)
            if isinstance(self._fence.geometry, Circle):
                self.radius_previewed.emit(self._fence.id, self._fence.geometry.radius_m)
        self._show_pending()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Escape takes back what was typed and not accepted."""
        if event.key() == Qt.Key.Key_Escape and self._fence is not None:
            self.discard()
            return
        super().keyPressEvent(event)

    def _propose(self, change: GeofenceChange) -> None:
        if self._fence is None:
            return
        if not self._live:
            self.changed.emit(self._fence.id, change)
            return
        given = {f.name: getattr(change, f.name) for f in fields(change) if getattr(change, f.name) is not UNSET}
        self._pending = replace(self._pending, **given)
        self._show_pending()

    def _propose_text(self, editor: QLineEdit, name: _TextName) -> None:
        if self._fence is None:
            return
        text = editor.text()
        if text == getattr(self._fence, name):
            self._fields[_PARAMS[name]].show_error(None)
            if getattr(self._pending, name) is not UNSET:
                self._pending = _with_text(self._pending, name, UNSET)
                self._show_pending()
        elif self._sent.get(name) != text:
            self._sent[name] = text
            self._propose(_with_text(GeofenceChange(), name, text))

    def _show_pending(self) -> None:
        self._pending_bar.setVisible(self._pending != GeofenceChange())

    # How it is made

    def _make_editors(self) -> None:
        self.description = QLineEdit()
        self.tag = QLineEdit()
        self.external_id = QLineEdit()
        self.radius = RadiusEdit()
        self.enabled = QCheckBox("Generates events")
        self.metadata = MetadataEdit()
        self._tags = QStringListModel(self)
        completer = QCompleter(self._tags, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.tag.setCompleter(completer)

    def _make_fields(self) -> dict[str, Field]:
        return {
            "description": Field("Description", self.description),
            "tag": Field("Tag", self.tag),
            "externalId": Field("External ID", self.external_id),
            "radius": Field("Radius", self.radius, self.radius.number),
            "enabled": Field("Enabled", self.enabled),
            "metadata": Field("Metadata", self.metadata, self.metadata.table),
        }

    def _make_empty(self) -> QWidget:
        empty = EmptyState(
            "No fence selected",
            "Choose one in the list or on the map, or draw a new one.",
            button("Draw a circle", self.draw_circle_requested.emit, "primary"),
            button("Draw a polygon", self.draw_polygon_requested.emit),
        )
        body, layout = panel()
        layout.addWidget(empty)
        return body

    def _make_form(self) -> QWidget:
        body, layout = panel(margins=12)
        layout.setSpacing(12)
        layout.addLayout(self._make_head())
        self._pending_bar = self._make_pending_bar()
        layout.addWidget(self._pending_bar)
        layout.addWidget(self._fields["description"])
        keys = QHBoxLayout()
        keys.setSpacing(GRID)
        for param in ("tag", "externalId"):
            keys.addWidget(self._fields[param], 1, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(keys)
        for param in ("radius", "enabled", "metadata"):
            layout.addWidget(self._fields[param])
        self._about = label(role="hint", wrap=True)
        self._about.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self._about)
        layout.addLayout(self._make_foot())
        layout.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(body)
        return scroll

    def _make_head(self) -> QHBoxLayout:
        self._swatch = QLabel()
        self._shape = label(role="muted")
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self._swatch)
        row.addWidget(self._shape, 1)
        return row

    def _make_foot(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(button("Zoom to", self._on_zoom))
        row.addWidget(button("Delete", self._on_delete, "danger"))
        row.addStretch(1)
        return row

    def _make_pending_bar(self) -> QFrame:
        bar = QFrame()
        bar.setObjectName("Pending")
        layout = QVBoxLayout(bar)
        layout.setContentsMargins(GRID, GRID, GRID, GRID)
        layout.addWidget(label("These changes are for Live. They act when you apply them.", wrap=True))
        row = QHBoxLayout()
        self.apply_button = button("Apply to Live", self.apply, "live")
        row.addWidget(self.apply_button)
        row.addWidget(button("Discard", self.discard))
        row.addStretch(1)
        layout.addLayout(row)
        return bar

    def _connect(self) -> None:
        for name, editor in self._text_editors.items():
            self._connect_text(editor, name)
        self.radius.committed.connect(lambda metres: self._propose(GeofenceChange(radius_m=metres)))
        self.radius.previewed.connect(self._on_preview)
        self.enabled.toggled.connect(lambda on: self._propose(GeofenceChange(enabled=on)))
        self.metadata.committed.connect(self._on_metadata)
        self.metadata.refused.connect(self._fields["metadata"].show_error)

    def _connect_text(self, editor: QLineEdit, name: _TextName) -> None:
        editor.returnPressed.connect(lambda: self._sent.pop(name, None))
        editor.editingFinished.connect(lambda: self._propose_text(editor, name))

    def _on_metadata(self, metadata: dict[str, str | bool | int | float]) -> None:
        self._fields["metadata"].show_error(None)
        if self._fence is not None and metadata != dict(self._fence.metadata):
            self._propose(GeofenceChange(metadata=metadata))

    def _on_preview(self, metres: float) -> None:
        if self._fence is not None:
            self.radius_previewed.emit(self._fence.id, metres)

    def _on_zoom(self) -> None:
        if self._fence is not None:
            self.zoom_requested.emit(self._fence.id)

    def _on_delete(self) -> None:
        if self._fence is not None:
            self.delete_requested.emit(self._fence.id)


def _with_text(change: GeofenceChange, name: _TextName, text: str | Unset) -> GeofenceChange:
    match name:
        case "description":
            return replace(change, description=text)
        case "tag":
            return replace(change, tag=text)
        case "external_id":
            return replace(change, external_id=text)


def _about(fence: Geofence) -> str:
    updated = local_time(fence.updated_at)
    return f"ID {fence.id}\nLast changed {updated}"
