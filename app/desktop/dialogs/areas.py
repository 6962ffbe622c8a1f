"""The Areas dialog: lists areas and chooses those in use, builds new ones and removes old ones."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.desktop.language import tr
from app.desktop.model.areas import NO_AREAS, Areas, about, content_text
from app.desktop.model.words import full_time, zone_name
from app.desktop.panels.fields.basic import TextLine
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.widgets import GRID, Field, button, label, tip_text
from engine.domain.area import Area

_NAME, _SIZE, _BUILT = range(3)
_OF_IP = tr(
    "Without a city database, only the country of an IP address is known. For cities, put a "
    "database in the format of GeoLite2-City into the workspace’s folder as city.mmdb."
)
_AREA = Qt.ItemDataRole.UserRole


class AreaList(QTreeWidget):
    """A list of areas, with a check box for each that puts it in use."""

    use_requested = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("AreaList")
        self.setHeaderLabels([tr("In use"), tr("Size"), tr("Built")])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Stretch)
        self.itemChanged.connect(self._on_changed)

    def show_areas(self, areas: Areas) -> None:
        """Show areas and keep the selection."""
        chosen = self.chosen
        with QSignalBlocker(self):
            self.clear()
            for area in areas.all:
                item = _row(area, used=areas.uses(area))
                self.addTopLevelItem(item)
                if chosen is not None and chosen.name == area.name:
                    self.setCurrentItem(item)
        self.itemSelectionChanged.emit()

    @property
    def chosen(self) -> Area | None:
        """The area of the selected row."""
        item = self.currentItem()
        return item.data(_NAME, _AREA) if item is not None else None

    def item_of(self, name: str) -> QTreeWidgetItem:
        """Return the row of an area."""
        return next(iter(self.findItems(name, Qt.MatchFlag.MatchExactly, _NAME)))

    def _on_changed(self, item: QTreeWidgetItem) -> None:
        self.use_requested.emit(item.text(_NAME), item.checkState(_NAME) is Qt.CheckState.Checked)


class AreasDialog(QDialog):
    """Emits the user's requests. The dialog is modeless, so the map stays usable."""

    use_requested = Signal(str, bool)
    go_requested = Signal(object)
    remove_requested = Signal(object)
    choose_requested = Signal()
    build_requested = Signal(object, str)
    add_requested = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Areas"))
        self.resize(480, 520)
        self._areas = NO_AREAS
        self._busy = False
        self.list = AreaList()
        self.list.setAccessibleName(tr("Areas"))
        self.go = button(tr("Go to"), self._on_go)
        self.remove = button(tr("Remove…"), self._on_remove, "danger")
        self.file, self.name, self.region = TextLine(), TextLine(), TextLine()
        self.choose = button(tr("Choose…"), self.choose_requested.emit)
        self.build = button(tr("Build"), self._on_build)
        self.add = button(tr("Download and build"), self._on_add)
        self.fields = self._make_fields()
        self.note = label("", "hint", wrap=True)
        self._arrange()
        self._connect()
        self._enable()

    def show_areas(self, areas: Areas) -> None:
        """Show areas."""
        self._areas = areas
        self.list.show_areas(areas)
        self._enable()

    def show_busy(self, task: str) -> None:
        """Show the operation in progress and disable further requests; an empty text ends this."""
        self._busy = bool(task)
        if self._busy and self.focusWidget() in (self.build, self.add, self.remove):
            # The buttons are about to be disabled, which would move the focus to the next field.
            self.list.setFocus()
        self.note.setText(tr("{operation}… Progress is shown in the status bar.", operation=task) if task else "")
        self._enable()

    def show_file(self, file: Path) -> None:
        """Fill in the extract to build from."""
        self.file.setText(str(file))
        self.show_error("", "")

    def show_error(self, param: str, message: str) -> None:
        """Show an error at a field and clear the errors of the others."""
        for name, field in self.fields.items():
            field.show_error(message if name == param else None)

    def forget_inputs(self) -> None:
        """Empty the fields after an area was made from their contents."""
        for line in (self.file, self.name, self.region):
            line.clear()
        self.show_error("", "")

    def _on_go(self) -> None:
        if self.list.chosen is not None:
            self.go_requested.emit(self.list.chosen)

    def _on_remove(self) -> None:
        if self.list.chosen is not None:
            self.remove_requested.emit(self.list.chosen)

    def _on_build(self) -> None:
        if self.build.isEnabled():
            self.build_requested.emit(Path(self.file.text().strip()).expanduser(), self.name.text().strip())

    def _on_add(self) -> None:
        if self.add.isEnabled():
            self.add_requested.emit(self.region.text().strip())

    def _enable(self, *_: object) -> None:
        chosen = self.list.chosen
        self.go.setEnabled(chosen is not None)
        self.remove.setEnabled(chosen is not None and not chosen.bundled and not self._busy)
        self.build.setEnabled(bool(self.file.text().strip()) and not self._busy)
        self.add.setEnabled(bool(self.region.text().strip()) and not self._busy)

    def _connect(self) -> None:
        self.list.use_requested.connect(self.use_requested)
        self.list.itemSelectionChanged.connect(self._enable)
        self.list.itemDoubleClicked.connect(lambda *_: self._on_go())
        for line in (self.file, self.region):
            line.textChanged.connect(self._enable)
        for line in (self.file, self.name):
            line.returnPressed.connect(self._on_build)
        self.region.returnPressed.connect(self._on_add)

    def _make_fields(self) -> dict[str, Field]:
        self.name.setPlaceholderText(tr("same as the file"))
        self.region.setPlaceholderText("liechtenstein, europe/malta, us/vermont")
        return {
            "area": Field("", self.list),
            "file": Field(tr("OpenStreetMap extract"), _beside(self.file, self.choose), self.file),
            "name": Field(tr("Name"), _beside(self.name, self.build), self.name),
            "region": Field(tr("Geofabrik region"), _beside(self.region, self.add), self.region),
        }

    def _arrange(self) -> None:
        in_dialog(
            self,
            (self.fields["area"], 1),
            in_row(self.go, self.remove, STRETCH),
            GRID,
            label(tr("New area"), "title"),
            label(tr("From an .osm.pbf file (or drop one on the window):"), "hint", wrap=True),
            self.fields["file"],
            self.fields["name"],
            GRID,
            label(tr("Or download a region:"), "hint"),
            self.fields["region"],
            self.note,
            label(_OF_IP, "hint", wrap=True),
        )


def _row(area: Area, *, used: bool) -> QTreeWidgetItem:
    built = f"{area.built_at.astimezone():%Y-%m-%d %H:%M} {zone_name(area.built_at)}"
    item = QTreeWidgetItem([area.name, content_text(area), built])
    item.setData(_NAME, _AREA, area)
    item.setCheckState(_NAME, Qt.CheckState.Checked if used else Qt.CheckState.Unchecked)
    item.setTextAlignment(_SIZE, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    for column in (_NAME, _SIZE, _BUILT):
        item.setToolTip(column, tip_text(about(area)))
    item.setToolTip(_BUILT, tip_text(full_time(area.built_at)))
    return item


def _beside(line: QLineEdit, press: QPushButton) -> QWidget:
    made = QWidget()
    in_row((line, 1), press, of=made, margins=0, spacing=GRID)
    return made
