"""Small pieces that all panels are made of."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtGui import Qt as Text
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.desktop.language import tr
from app.desktop.panels.bubble import Bubble
from app.desktop.panels.flow import GRID as GRID
from app.desktop.panels.flow import Flow
from app.desktop.panels.layouts import in_column
from app.desktop.panels.remote_change import RemoteChangeButton

_NAMED = "namedByField"


def label(text: str = "", role: str = "", *, wrap: bool = False) -> QLabel:
    """Return a label; `role` chooses its look in the style sheet. Its text is never taken for markup."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if role:
        made.setProperty("role", role)
    return made


def caption(text: str, control: QWidget, role: str = "label") -> QLabel:
    """Return the label of a control: its letter, with Alt, leads there."""
    made = label(button_text(text), role)
    made.setBuddy(control)
    return made


def tip_text(text: str) -> str:
    """Return a text for a tip that shows it as it is written: Qt takes what looks like markup for markup."""
    if not Text.mightBeRichText(text):
        return text
    return f'<span style="white-space: pre-wrap">{escape(text)}</span>'


def button_text(text: str) -> str:
    """Return a text for a button, a menu or a caption that shows it as it is: an ampersand would make a shortcut."""
    return text.replace("&", "&&")


def key_text(keys: str | QKeySequence.StandardKey | QKeySequence) -> str:
    """Return how this system writes keys: "Ctrl+T", or "⌘T" on a Mac."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


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
    made.setToolTip(tip_text(tip))
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


class OneLine(QLabel):
    """A line of text that takes the room there is: what is too long for it ends in "…"."""

    def __init__(self) -> None:
        super().__init__()
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def whole(self) -> str:
        """The text, however much of it there is room for."""
        return self._whole

    def show_text(self, text: str) -> None:
        """Show another text."""
        self._whole = text
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as much as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """A line is as high as any other."""
        return QSize(0, super().minimumSizeHint().height())

    def _fit(self) -> None:
        width = self.contentsRect().width() - max(self.indent(), 0)
        self.setText(self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, width))


class Field(QWidget):
    """A labelled editor with room for a hint. What is wrong with its value is said over what is around it.

    `stored_wanted` tells that what others have stored is to be taken; what says it is made when it is first needed.
    """

    stored_wanted = Signal()

    def __init__(
        self, text: str, editor: QWidget, marked: QWidget | None = None, hint: str = "", *, gap: bool = True
    ) -> None:
        """With a `gap`, and the usual distance to what comes next, there is room for a line about what is wrong."""
        super().__init__()
        self.editor = editor
        self._marked = marked or editor
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, max(0, self.fontMetrics().height() - GRID + 1) if gap else 0)
        layout.setSpacing(3)
        self._title = text
        self._caption = caption(text, self._marked)
        self._caption.setVisible(bool(text))
        self._name_parts()
        self._remote_change: RemoteChangeButton | None = None
        self._head = QHBoxLayout()
        self._head.setSpacing(GRID)
        self._head.addWidget(self._caption)
        layout.addLayout(self._head)
        layout.addWidget(editor)
        if hint:
            layout.addWidget(label(hint, "hint", wrap=True))
        self.error = Bubble(self, editor)

    @property
    def remote_change(self) -> RemoteChangeButton:
        """Button that tells what others have stored."""
        if self._remote_change is None:
            self._remote_change = RemoteChangeButton()
            self._remote_change.clicked.connect(self.stored_wanted)
            self._head.addWidget(self._remote_change, 1)
        return self._remote_change

    def set_title(self, text: str) -> None:
        """Label the editor with another text."""
        self._title = text
        self._caption.setText(button_text(text))
        self._name_parts()

    def _name_parts(self) -> None:
        """Let screen readers call by the title what the label is not for: tables, and lines beside a button."""
        parts = self.editor.findChildren(QWidget)
        if isinstance(self._marked, QAbstractItemView):
            parts.append(self._marked)
        for part in parts:
            nameless = part.property(_NAMED) or not part.accessibleName()
            if nameless and isinstance(part, QLineEdit | QAbstractSpinBox | QAbstractItemView):
                part.setAccessibleName(self._title)
                part.setProperty(_NAMED, True)

    def show_error(self, message: str | None) -> None:
        """Show what is wrong in the engine's own words, or that nothing is."""
        self.error.say(message or "")
        self._marked.setAccessibleDescription(message or "")
        restyle(self._marked, "invalid", bool(message))

    def show_elsewhere(self, value: str | None) -> None:
        """Say what others have stored while the user is at it; None: nothing. Nothing moves."""
        if not value and self._remote_change is None:
            return
        self.remote_change.show_value(value)
        tip = (
            tr("Changed by another client to {value}. Click here or press Esc in the field to use it.", value=value)
            if value
            else ""
        )
        self.remote_change.setToolTip(tip_text(tip))

    def show_pending(self, note: str | None, *, conflict: bool = False) -> None:
        """Mark a value that is not stored yet, with a note on what is; None: it is stored. Nothing moves."""
        state = "" if note is None else "conflict" if conflict else "waiting"
        words = {"": "", "waiting": tr(" · pending"), "conflict": tr(" · conflict")}
        self._caption.setText(button_text(f"{self._title}{words[state]}"))
        self.setToolTip(tip_text(note or ""))
        for each in (self._marked, self._caption):
            restyle(each, "pending", state)


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
    """The content of an empty panel: what to do next, with the button to do it."""

    def __init__(self, title: str, text: str, *buttons: QPushButton, narrow: bool = False) -> None:
        super().__init__()
        self.title = label(title, "label")
        self.text = label(text, "hint", wrap=True)
        for each in (self.title, self.text):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        layout = QVBoxLayout(self)
        # In a low panel the text needs the room: what is left over is around it anyhow.
        layout.setContentsMargins(2 * GRID, GRID // 4, 2 * GRID, GRID // 4)
        layout.setSpacing(6)
        layout.addStretch(1)
        layout.addWidget(self.title)
        layout.addWidget(self.text)
        self._title, self._buttons = title, buttons
        layout.addLayout(in_column(*buttons, spacing=GRID) if narrow else Flow(*buttons, centred=True))
        layout.addStretch(2)

    def show_workspace(self, is_open: bool | None) -> None:
        """Say what to do next only while a workspace is open; nothing while that is not known (None)."""
        self.title.setText(self._title if is_open else tr("No workspace is open"))
        self.title.setVisible(is_open is not None)
        for each in (self.text, *self._buttons):
            each.setVisible(bool(is_open))


class DockTitle(QWidget):
    """The head of a panel: its name, a note, and the button that folds it away."""

    folded = Signal()

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setObjectName("DockTitle")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.note = OneLine()
        self.note.setObjectName("DockNote")
        self.fold = tool_button(tr("Collapse {text}", text=text), self.folded.emit, "Fold")
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


class Scroll(QScrollArea):
    """A widget in a frame that scrolls up and down."""

    def __init__(self, body: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(body)


class FormPage(Scroll):
    """Fields that scroll up and down. A click beside them leaves the one that has the keyboard."""

    def __init__(self, body: QWidget) -> None:
        super().__init__(body)
        # A button that takes no keyboard, such as the one of a field that was changed elsewhere, would give it to this.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Leave the field that has the keyboard: what is typed in it acts."""
        super().mousePressEvent(event)
        focus, at = QApplication.focusWidget(), event.globalPosition().toPoint()
        if focus is not None and self.isAncestorOf(focus) and not focus.rect().contains(focus.mapFromGlobal(at)):
            focus.clearFocus()
