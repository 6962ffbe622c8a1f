"""Head of the geofence table: the filter text, and choices that edit it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from app.desktop.icons import icon
from app.desktop.language import tr, translated, within_sentence
from app.desktop.map.values import Theme
from app.desktop.model.fence_table.sieve import MAX_LETTERS, STATE, TAG, TYPE, TYPES
from app.desktop.model.search.parts import value_of, with_part, without_part
from app.desktop.model.words import capital
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.layouts import in_row
from app.desktop.panels.widgets import restyle, tip_text, tool_button

_STATES = (
    (tr("Enabled"), "enabled"),
    (tr("Disabled"), "disabled"),
    (tr("Open now"), "open"),
    (tr("Closed now"), "closed"),
    (tr("Expired"), "expired"),
    (tr("Expires within 7 days"), "expiring"),
)
_MOST_TAGS = 1_000
_TIP = tr(
    "Each word narrows the table: description, tag, external ID or metadata. To filter by a "
    "field, write its name and a value:\n"
    "tag:store  id:12  type:polygon  state:disabled  state:closed  state:expiring\n"
    "Any other name is a key of the metadata: city:Ghent\n"
    "* matches any characters; put values with spaces in quotes."
)


class TableHead(QWidget):
    """The filter and choices; emits requests that the table handles."""

    filter_changed = Signal()
    columns_wanted = Signal()
    saved_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.words = QLineEdit()
        self.words.setPlaceholderText(tr("Filter"))
        self.words.setAccessibleName(tr("Filter the table of geofences"))
        self.words.setToolTip(tip_text(_TIP))
        self.words.setClearButtonEnabled(True)
        self.words.setMinimumWidth(120)
        self.words.setMaxLength(MAX_LETTERS)
        self.tag = _choice(tr("Tag"), tr("Any tag"), ())
        self.state = _choice(tr("State"), tr("Any state"), _STATES)
        self.type = _choice(tr("Type"), tr("Any type"), [(translated(capital(kind)), kind) for kind in TYPES])
        self.saved = tool_button(tr("Saved filters"), self.saved_wanted.emit, "SavedFilters")
        self.columns = tool_button(tr("Choose columns"), self.columns_wanted.emit, "TableColumns")
        self.choices = QWidget()
        """Separate row above the table, because the head is too narrow."""
        in_row((self.words, 1), self.saved, self.columns, of=self, margins=0, spacing=4)
        in_row((self.tag, 1), (self.state, 1), (self.type, 1), of=self.choices, margins=(8, 4, 8, 4), spacing=6)
        self.words.textChanged.connect(self._on_text)
        for box, name in ((self.tag, TAG), (self.state, STATE), (self.type, TYPE)):
            box.activated.connect(lambda _, box=box, name=name: self._choose(name, box.currentData()))
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.words, context=Qt.ShortcutContext.WidgetShortcut)
        leave.activated.connect(self.words.clear)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Allow the panel to become narrow."""
        return QSize(160, super().minimumSizeHint().height())

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons for a theme."""
        self.columns.setIcon(icon("columns", theme))
        self.saved.setIcon(icon("bookmark-simple", theme))

    def set_tags(self, tags: Iterable[str]) -> None:
        """Set the tags that are suggested."""
        offered = [(tag, tag) for tag, _ in zip(tags, range(_MOST_TAGS), strict=False)]
        if [self.tag.itemData(at) for at in range(1, self.tag.count())] != [tag for tag, _ in offered]:
            with QSignalBlocker(self.tag):
                _offer(self.tag, tr("Any tag"), offered)
            self._show_choices()

    def show_problem(self, problem: str | None) -> None:
        """Mark the part of the filter that cannot be understood."""
        restyle(self.words, "invalid", problem is not None)
        self.words.setToolTip(tip_text(problem or _TIP))
        self.words.setAccessibleDescription(problem or "")

    def _choose(self, name: str, value: str | None) -> None:
        text = self.words.text()
        self.words.setText(without_part(text, name) if value is None else with_part(text, name, value))

    def _on_text(self) -> None:
        self._show_choices()
        self.filter_changed.emit()

    def _show_choices(self) -> None:
        """Update the choices from the filter text.

        A value that is not among the choices, such as a tag with a *, is shown as no choice.
        """
        text = self.words.text()
        for box, name in ((self.tag, TAG), (self.state, STATE), (self.type, TYPE)):
            value = value_of(text, name)
            at = 0 if value is None else box.findData(value, flags=Qt.MatchFlag.MatchFixedString)
            with QSignalBlocker(box):
                box.setCurrentIndex(max(at, 0))
            restyle(box, "chosen", value is not None)


def _choice(name: str, anything: str, offered: Sequence[tuple[str, str]]) -> ChoiceBox:
    box = ChoiceBox()
    box.setAccessibleName(tr("Filter by {criterion}", criterion=within_sentence(name)))
    box.setToolTip(tip_text(tr("Filter by {criterion}", criterion=within_sentence(name))))
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(9)
    box.setMaxVisibleItems(20)
    box.view().setTextElideMode(Qt.TextElideMode.ElideRight)
    _offer(box, anything, offered)
    return box


def _offer(box: QComboBox, anything: str, offered: Sequence[tuple[str, str]]) -> None:
    box.clear()
    box.addItem(anything, None)
    for text, value in offered:
        box.addItem(text, value)
