"""Small pieces that all panels are made of."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

GRID = 8


def label(text: str = "", role: str = "", *, wrap: bool = False) -> QLabel:
    """Return a label; `role` chooses its look in the style sheet. Its text is never taken for markup."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if role:
        made.setProperty("role", role)
    return made


def button(text: str, on_click: Callable[[], object] | None = None, role: str = "") -> QPushButton:
    """Return a push button."""
    made = QPushButton(text)
    made.setAutoDefault(False)
    if role:
        made.setProperty("role", role)
    if on_click is not None:
        made.clicked.connect(lambda: on_click())
    return made


def tool_button(tip: str, on_click: Callable[[], object] | None = None, name: str = "") -> QToolButton:
    """Return a button that is an icon; `tip` says what it does."""
    made = QToolButton()
    made.setToolTip(tip)
    made.setAccessibleName(tip)
    made.setObjectName(name)
    if on_click is not None:
        made.clicked.connect(lambda: on_click())
    return made


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet looks at, and let it look."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class Field(QWidget):
    """A labelled editor with room for a hint and for what is wrong with its value."""

    def __init__(self, text: str, editor: QWidget, marked: QWidget | None = None, hint: str = "") -> None:
        super().__init__()
        self.editor = editor
        self._marked = marked or editor
        self.error = label(role="error", wrap=True)
        self.error.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        self._caption = label(text, "label")
        self._caption.setBuddy(self._marked)
        self._caption.setVisible(bool(text))
        layout.addWidget(self._caption)
        layout.addWidget(editor)
        if hint:
            layout.addWidget(label(hint, "hint", wrap=True))
        layout.addWidget(self.error)

    def set_title(self, text: str) -> None:
        """Label the editor with another text."""
        self._caption.setText(text)

    def show_error(self, message: str | None) -> None:
        """Show what is wrong in the engine's own words, or that nothing is."""
        self.error.setText(message or "")
        self.error.setVisible(bool(message))
        restyle(self._marked, "invalid", bool(message))


class PendingBar(QFrame):
    """Says that changes of Live wait, with the button that applies them."""

    def __init__(self, apply: Callable[[], object], discard: Callable[[], object]) -> None:
        super().__init__()
        self.setObjectName("Pending")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID, GRID, GRID, GRID)
        layout.addWidget(label("These changes are for Live. They act when you apply them.", wrap=True))
        row = QHBoxLayout()
        self.apply = button("Apply to Live", apply, "live")
        self.discard = button("Discard", discard)
        row.addWidget(self.apply)
        row.addWidget(self.discard)
        row.addStretch(1)
        layout.addLayout(row)


class PageSwitch(QFrame):
    """Chooses a page of a form."""

    chosen = Signal(int)

    def __init__(self, titles: tuple[str, ...]) -> None:
        super().__init__()
        self.setObjectName("Pages")
        self._titles = titles
        self._group = QButtonGroup(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.buttons = tuple(self._button(title, number) for number, title in enumerate(titles))
        for made in self.buttons:
            layout.addWidget(made, 1)
        self.show_page(0)

    def show_page(self, number: int) -> None:
        """Press the button of a page."""
        self.buttons[number].setChecked(True)

    def spread(self) -> None:
        """Give long titles more room than short ones."""
        layout = self.layout()
        assert isinstance(layout, QHBoxLayout)
        for number, title in enumerate(self._titles):
            layout.setStretch(number, len(title) + 3)

    def mark(self, marks: tuple[bool, ...]) -> None:
        """Mark the pages on which there is something of its own."""
        for made, title, marked in zip(self.buttons, self._titles, marks, strict=True):
            made.setText(f"{title} •" if marked else title)

    def _button(self, title: str, number: int) -> QToolButton:
        made = QToolButton()
        made.setText(title)
        made.setCheckable(True)
        made.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        made.clicked.connect(lambda: self.chosen.emit(number))
        self._group.addButton(made)
        return made


class EmptyState(QWidget):
    """What an empty panel says: what to do next, with the button to do it."""

    def __init__(self, title: str, text: str, *buttons: QPushButton, narrow: bool = False) -> None:
        super().__init__()
        self.title = label(title, "label")
        self.text = label(text, "hint", wrap=True)
        for each in (self.title, self.text):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        layout.setSpacing(GRID)
        layout.addStretch(1)
        layout.addWidget(self.title)
        layout.addWidget(self.text)
        row = QVBoxLayout() if narrow else QHBoxLayout()
        row.setSpacing(GRID)
        row.addStretch(0 if narrow else 1)
        for each_button in buttons:
            row.addWidget(each_button)
        row.addStretch(0 if narrow else 1)
        layout.addLayout(row)
        layout.addStretch(2)


class DockTitle(QWidget):
    """The head of a panel: its name, a note, and the button that folds it away."""

    folded = Signal()

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setObjectName("DockTitle")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.note = label()
        self.note.setObjectName("DockNote")
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.fold = tool_button(f"Fold {text} away", self.folded.emit, "Fold")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 4, 6, 4)
        self._row.setSpacing(GRID)
        self.name = label(text)
        self._row.addWidget(self.name)
        self._row.addWidget(self.note, 1)
        self._row.addWidget(self.fold)

    def add(self, widget: QWidget) -> None:
        """Put a widget before the fold button."""
        self._row.insertWidget(self._row.count() - 1, widget)


def panel(*, margins: int = 0) -> tuple[QWidget, QVBoxLayout]:
    """Return an empty panel and its layout."""
    made = QWidget()
    made.setObjectName("Panel")
    made.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    layout = QVBoxLayout(made)
    layout.setContentsMargins(margins, margins, margins, margins)
    layout.setSpacing(GRID)
    return made, layout


def scrolled(body: QWidget) -> QScrollArea:
    """Return a widget in a frame that scrolls up and down."""
    made = QScrollArea()
    made.setWidgetResizable(True)
    made.setFrameShape(QFrame.Shape.NoFrame)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    made.setWidget(body)
    return made
