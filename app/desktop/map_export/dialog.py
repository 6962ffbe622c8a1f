"""Choice of the options of a map export."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPageLayout, QPixmap
from PySide6.QtWidgets import QCheckBox, QDialog, QFormLayout, QWidget

from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.map_export.frame import ratio_text
from app.desktop.map_export.options import RATIOS, MapExportOptions
from app.desktop.map_export.writing import PAPERS, Format, Output, layout_of
from app.desktop.panels.fields.basic import ChoiceBox, TextLine
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.widgets import GRID, button, caption, label

_FORMATS: Final = {Format.PNG: tr("PNG picture"), Format.SVG: tr("SVG drawing"), Format.PDF: tr("PDF document")}
_THEMES: Final[dict[str, Theme]] = {tr("Light"): "light", tr("Dark"): "dark"}
_LONGEST_TITLE: Final = 200
_PREVIEW: Final = QSize(420, 420)
_WIDTH: Final = 860
_REST_MS: Final = 150


class MapExportDialog(QDialog):
    """Emits the chosen options; when printing, there is no choice of format."""

    chosen = Signal(object)
    changed = Signal()

    def __init__(self, parent: QWidget, title: str, theme: Theme, *, to_print: bool = False) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Print map") if to_print else tr("Export map"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(_WIDTH)
        self.title = TextLine()
        self.title.setText(title)
        self.title.setMaxLength(_LONGEST_TITLE)
        self.format, self.scale, self.paper, self.theme = ChoiceBox(), ChoiceBox(), ChoiceBox(), ChoiceBox()
        self.format.addItems(list(_FORMATS.values()))
        self.scale.addItems([tr("1×, as on the screen"), tr("2×, for print and sharp screens")])
        self.paper.addItems(list(PAPERS))
        self.ratio = ChoiceBox()
        self.ratio.addItem(tr("As on the screen, to fit the page"), 0)
        for ratio in RATIOS:
            self.ratio.addItem(ratio_text(ratio), ratio)
        self.theme.addItems(list(_THEMES))
        self.theme.setCurrentIndex(list(_THEMES.values()).index(theme))
        self.legend, self.names = QCheckBox(tr("Legend")), QCheckBox(tr("Names of geofences"))
        self.scale_bar, self.north = QCheckBox(tr("Scale bar")), QCheckBox(tr("North arrow"))
        for box in self._boxes():
            box.setChecked(True)
        self.format.currentIndexChanged.connect(self._refresh)
        self._to_print = to_print
        self._form = QFormLayout()
        self._fill(to_print=to_print)
        self.preview = label(tr("Drawing the preview…"), "hint", wrap=True)
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.preview.setFixedSize(_PREVIEW)
        self.preview.setAccessibleName(tr("Preview"))
        self.accept_button = button(tr("Print…") if to_print else tr("Export…"), self.accept, "primary")
        self.accept_button.setDefault(True)
        left = in_column(
            self._form,
            label(tr("The credits of the map data are always included."), "muted", wrap=True),
            STRETCH,
            in_row(STRETCH, self.accept_button, button(tr("Cancel"), self.reject)),
            spacing=GRID,
        )
        in_row(left, self.preview, of=self, margins=2 * GRID, spacing=2 * GRID)
        self._follow()
        self.title.setFocus()
        self.title.selectAll()

    def page(self, *, wide: bool) -> QPageLayout | None:
        """Return the chosen page, a common one for a printer, whose page is chosen later, or None for a picture."""
        is_paper = self._to_print or self._chosen_format() is Format.PDF
        return layout_of(self.paper.currentText(), wide=wide) if is_paper else None

    def preview_size(self) -> QSize:
        """Return the size of the preview in pixels."""
        return self.preview.size() * self.devicePixelRatioF()

    def show_preview(self, image: QImage) -> None:
        """Show a picture of the sheet."""
        image.setDevicePixelRatio(self.devicePixelRatioF())
        self.preview.setPixmap(QPixmap.fromImage(image))

    def show_preview_text(self, text: str) -> None:
        """Show why there is no picture."""
        self.preview.setText(text)

    def _follow(self) -> None:
        """Report changes after a short pause, since a title is typed letter by letter."""
        rest = QTimer(self, singleShot=True, interval=_REST_MS)
        rest.timeout.connect(self.changed)
        self.title.textChanged.connect(lambda _: rest.start())
        for field in (self.format, self.scale, self.paper, self.ratio, self.theme):
            field.currentIndexChanged.connect(lambda _: rest.start())
        for box in self._boxes():
            box.toggled.connect(lambda _: rest.start())

    def _fill(self, *, to_print: bool) -> None:
        rows: list[tuple[str, QWidget]] = [(tr("Title"), self.title)]
        if not to_print:
            rows += [(tr("Format"), self.format), (tr("Size"), self.scale), (tr("Paper"), self.paper)]
        for name, field in (*rows, (tr("Map scale"), self.ratio), (tr("Theme"), self.theme)):
            field.setAccessibleName(name)
            self._form.addRow(caption(name, field, ""), field)
        for at, box in enumerate(self._boxes()):
            self._form.addRow(label("" if at else tr("Show")), box)
        if to_print:
            for unused in (self.format, self.scale, self.paper):
                unused.setParent(self)
                unused.hide()
        else:
            self._refresh()

    def _boxes(self) -> tuple[QCheckBox, ...]:
        return self.legend, self.names, self.scale_bar, self.north

    def _refresh(self) -> None:
        """Show the options of the format."""
        chosen = self._chosen_format()
        self._form.setRowVisible(self.scale, chosen is Format.PNG)
        for field in (self.paper, self.ratio):
            self._form.setRowVisible(field, chosen is Format.PDF)

    def _chosen_format(self) -> Format:
        return list(_FORMATS)[self.format.currentIndex()]

    def options(self) -> MapExportOptions:
        """Return the chosen options."""
        output = Output(self._chosen_format(), self.scale.currentIndex() + 1, self.paper.currentText())
        is_paper = self._to_print or output.format is Format.PDF
        legend, names, scale_bar, north = (box.isChecked() for box in self._boxes())
        return MapExportOptions(
            self.title.text().strip(),
            _THEMES[self.theme.currentText()],
            output,
            with_legend=legend,
            with_names=names,
            with_scale=scale_bar,
            with_north=north,
            ratio=(self.ratio.currentData() or None) if is_paper else None,
        )

    def accept(self) -> None:
        """Emit the choice."""
        options = self.options()
        super().accept()
        self.chosen.emit(options)
