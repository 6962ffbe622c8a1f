"""The form of an imagery source."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from app.desktop.language import tr
from app.desktop.model.imagery.sources import (
    FORMATS,
    LEAST_OPACITY,
    MAX_ATTRIBUTION,
    MAX_LAYERS,
    MAX_NAME,
    MAX_URL,
    TILE_SIZES,
    VERSIONS,
    ImagerySource,
    Kind,
)
from app.desktop.panels.fields.basic import ChoiceBox, Slider, TextLine
from app.desktop.panels.fields.numbers import NumberBox, take_all
from app.desktop.panels.layouts import in_column, in_row
from app.desktop.panels.widgets import GRID, Field, button, label, panel
from engine.domain.values import replace

_KINDS: Final = {Kind.XYZ: tr("XYZ tiles"), Kind.WMS: "WMS"}
_EXAMPLES: Final = {Kind.XYZ: "https://tiles.example.com/{z}/{x}/{y}.png", Kind.WMS: "https://maps.example.com/wms"}
_HINTS: Final = {
    Kind.XYZ: tr(
        "{z} is the zoom, {x} the column, {y} the row (for TMS {-y}); {s} is a subdomain: a, b or c; "
        "{r} is @2x on screens with fine pixels."
    ),
    Kind.WMS: tr("The base URL, without the parameters of a request."),
}


class ImageryForm(QWidget):
    """Edits one source. Only its opacity takes effect at once, as a preview on the map."""

    opacity_chosen = Signal(float)
    layers_wanted = Signal()
    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._source: ImagerySource | None = None
        self.name, self.url, self.layers, self.attribution = (TextLine() for _ in range(4))
        for line, longest in (
            (self.name, MAX_NAME),
            (self.url, MAX_URL),
            (self.layers, MAX_LAYERS),
            (self.attribution, MAX_ATTRIBUTION),
        ):
            line.setMaxLength(longest)
            line.textEdited.connect(lambda _: self.edited.emit())
        self.attribution.setPlaceholderText(tr("© Example Maps"))
        self.kind, self.version, self.format, self.tile_size = (ChoiceBox() for _ in range(4))
        for kind, text in _KINDS.items():
            self.kind.addItem(text, str(kind))
        self.version.addItems(VERSIONS)
        self.format.addItems(FORMATS)
        for size in TILE_SIZES:
            self.tile_size.addItem(tr("{size} pixels", size=size), size)
        self.transparent = QCheckBox(tr("Transparent where there is no imagery"))
        self.choose = button(tr("Choose…"), self.layers_wanted.emit)
        self.choose.setAccessibleName(tr("Choose layers from the server"))
        self.min_zoom, self.max_zoom = NumberBox("", decimals=0), NumberBox("", decimals=0)
        self.opacity = Slider()
        self.opacity.setRange(round(LEAST_OPACITY * 100), 100)
        self.opacity.setPageStep(10)
        self.percent = label()
        self.percent.setMinimumWidth(self.percent.fontMetrics().horizontalAdvance("100 %"))
        self._fields: dict[str, Field] = {}
        self._arrange()
        self._connect()

    # Display and input

    @property
    def source(self) -> ImagerySource | None:
        """The source being edited, as it was shown."""
        return self._source

    def show_source(self, source: ImagerySource) -> None:
        """Show a source and discard earlier input."""
        self._source = source
        self.name.setText(source.name)
        self.url.setText(source.url)
        self.layers.setText(source.layers)
        self.attribution.setText(source.attribution)
        for line in (self.name, self.url, self.layers, self.attribution):
            line.setCursorPosition(0)
        self.kind.setCurrentIndex(self.kind.findData(str(source.kind)))
        self.version.setCurrentText(source.version)
        self.format.setCurrentText(source.image_format)
        self.transparent.setChecked(source.transparent)
        self.tile_size.setCurrentIndex(self.tile_size.findData(source.tile_size))
        self.min_zoom.setValue(source.min_zoom)
        self.max_zoom.setValue(source.max_zoom)
        self.opacity.setValue(round(source.opacity * 100))
        self.show_error("", "")
        self._show_kind()

    def typed(self) -> ImagerySource:
        """Return the source with the input applied."""
        assert self._source is not None
        return replace(
            self._source,
            name=self.name.text().strip(),
            kind=Kind(self.kind.currentData()),
            url=self.url.text().strip(),
            layers=self.layers.text().strip(),
            version=self.version.currentText(),
            image_format=self.format.currentText(),
            transparent=self.transparent.isChecked(),
            attribution=self.attribution.text().strip(),
            min_zoom=round(self.min_zoom.value()),
            max_zoom=round(self.max_zoom.value()),
            opacity=self.opacity.value() / 100,
            tile_size=self.tile_size.currentData(),
        )

    @property
    def is_changed(self) -> bool:
        """Whether there is unsaved input."""
        for box in (self.min_zoom, self.max_zoom):
            box.take()
        return self._source is not None and self.typed() != replace(self._source, opacity=self.typed().opacity)

    def take_numbers(self) -> bool:
        """Accept the typed zoom levels and return whether they are numbers."""
        return take_all((self.min_zoom, self.max_zoom))

    def take_layers(self, names: str, attribution: str) -> None:
        """Fill in the chosen layers, and their attribution if it is still empty."""
        self.layers.setText(names)
        if not self.attribution.text().strip():
            self.attribution.setText(attribution)
        self.edited.emit()

    def show_error(self, param: str, message: str) -> bool:
        """Show an error at its field and return whether there is such a field."""
        for name, field in self._fields.items():
            field.show_error(message if message and name == param else None)
        return param in self._fields

    # Construction

    def _arrange(self) -> None:
        body, column = panel(margins=12)
        self._hint = label("", "hint", wrap=True)
        column.addLayout(
            in_row(
                (self._field("name", tr("Name"), self.name), 1),
                self._field("kind", tr("Kind"), self.kind),
                spacing=GRID,
            )
        )
        column.addWidget(self._field("url", "URL", self.url))
        column.addWidget(self._hint)
        self._wms = self._wms_part()
        column.addWidget(self._wms)
        column.addWidget(self._field("attribution", tr("Attribution"), self.attribution))
        column.addWidget(label(tr("Shown on the map and in exports, as plain text."), "hint", wrap=True))
        column.addLayout(
            in_row(
                (self._field("min_zoom", tr("Shown from zoom"), self.min_zoom), 1),
                (self._field("max_zoom", tr("Largest zoom of the server"), self.max_zoom), 1),
                spacing=GRID,
            )
        )
        self._size = self._field("tile_size", tr("Tile size"), self.tile_size)
        opacity = self._fields["opacity"] = Field(tr("Opacity"), self._opacity_part(), self.opacity)
        column.addLayout(
            in_row((self._size, 1, Qt.AlignmentFlag.AlignTop), (opacity, 2, Qt.AlignmentFlag.AlignTop), spacing=GRID)
        )
        column.addStretch(1)
        in_column(body, of=self, margins=0)

    def _wms_part(self) -> QWidget:
        made, row, box = QWidget(), QHBoxLayout(), QWidget()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(self.layers, 1)
        row.addWidget(self.choose)
        box.setLayout(row)
        column = in_column(of=made, margins=0, spacing=GRID)
        layers = self._fields["layers"] = Field(tr("Layers"), box, self.layers)
        column.addWidget(layers)
        column.addLayout(
            in_row(
                (self._field("version", tr("Version"), self.version), 1),
                (self._field("image_format", tr("Format"), self.format), 1),
                spacing=GRID,
            )
        )
        column.addWidget(self.transparent)
        return made

    def _opacity_part(self) -> QWidget:
        made = QWidget()
        self.opacity.setAccessibleName(tr("Opacity"))
        in_row((self.opacity, 1), self.percent, of=made, margins=0, spacing=GRID)
        return made

    def _field(self, name: str, title: str, editor: QWidget) -> Field:
        made = self._fields[name] = Field(title, editor)
        editor.setAccessibleName(title)
        return made

    def _connect(self) -> None:
        self.kind.currentIndexChanged.connect(lambda _: self._show_kind())
        for box in (self.kind, self.version, self.format, self.tile_size):
            box.activated.connect(lambda _: self.edited.emit())
        self.transparent.clicked.connect(lambda: self.edited.emit())
        for number in (self.min_zoom, self.max_zoom):
            number.setRange(0.0, 30.0)
            number.valueChanged.connect(lambda _: self.edited.emit())
        self.opacity.valueChanged.connect(self._on_opacity)

    def _on_opacity(self, percent: int) -> None:
        self.percent.setText(f"{percent} %")
        if self._source is not None:
            self.opacity_chosen.emit(percent / 100)

    def _show_kind(self) -> None:
        kind = Kind(self.kind.currentData())
        self._wms.setVisible(kind is Kind.WMS)
        self._size.setVisible(kind is Kind.XYZ)
        self.url.setPlaceholderText(_EXAMPLES[kind])
        self._hint.setText(_HINTS[kind])
