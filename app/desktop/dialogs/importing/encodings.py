"""Choice of the encoding of a text file."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.desktop.language import tr
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.layouts import STRETCH, in_row
from app.desktop.panels.widgets import GRID, caption
from engine.domain.imports import Encoding


class EncodingChoice(QWidget):
    """Shows the encoding in which a file was read, and emits another one for reading it again.

    It is hidden for files in formats that have only one. None stands for the recognised encoding.
    """

    chosen = Signal(object)

    def __init__(self, read: Encoding | None, given: Encoding | None) -> None:
        super().__init__()
        self.choice = ChoiceBox()
        self.choice.setAccessibleName(tr("Encoding"))
        recognised = tr("Recognised: {encoding}", encoding=read.label) if read and given is None else tr("Recognised")
        self.choice.addItem(recognised, None)
        for encoding in Encoding:
            self.choice.addItem(encoding.label, encoding)
        if given is not None:
            self.choice.setCurrentIndex(1 + list(Encoding).index(given))
        self.choice.activated.connect(lambda _: self.chosen.emit(self.encoding))
        in_row(caption(tr("Encoding"), self.choice, ""), self.choice, STRETCH, of=self, margins=0, spacing=GRID)
        if read is None and given is None:
            self.hide()

    @property
    def encoding(self) -> Encoding | None:
        """The chosen encoding."""
        at = self.choice.currentIndex()
        return list(Encoding)[at - 1] if at > 0 else None
