"""Small widgets that all panels use."""

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
    """Return a label. `role` selects its style in the style sheet, and its text is never interpreted as markup."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if role:
        made.setProperty("role", role)
    return made


def caption(text: str, control: QWidget, role: str = "label") -> QLabel:
    """Return the label of a control, whose mnemonic moves the keyboard focus to the control."""
    made = label(button_text(text), role)
    made.setBuddy(control)
    return made


def tip_text(text: str) -> str:
    """Return a text for a tooltip that is displayed literally, since Qt would interpret markup in it."""
    if not Text.mightBeRichText(text):
        return text
    return f'<span style="white-space: pre-wrap">{escape(text)}</span>'


def button_text(text: str) -> str:
    """Return a text for a button, menu or caption with ampersands escaped, as they would create mnemonics."""
    return text.replace("&", "&&")


def key_text(keys: str | QKeySequence.StandardKey | QKeySequence) -> str:
    """Return the name of a key combination on this system: "Ctrl+T", or "⌘T" on a Mac."""
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
    """Return a button with an icon. `tip` describes its action."""
    made = QToolButton()
    made.setToolTip(tip_text(tip))
    made.setAccessibleName(tip)
    made.setObjectName(name)
    if on_click is not None:
        made.clicked.connect(lambda: on_click())
    return made


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet uses, and apply the style again."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class OneLine(QLabel):
    """A line of text that uses the available width and shortens longer text with "…"."""

    def __init__(self) -> None:
        super().__init__()
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def whole(self) -> str:
        """The full text, even if it is displayed shortened."""
        return self._whole

    def show_text(self, text: str) -> None:
        """Show the text."""
        self._whole = text
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as much of the text as fits."""
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size that allows any width, with the height of one line."""
        return QSize(0, super().minimumSizeHint().height())

    def _fit(self) -> None:
        width = self.contentsRect().width() - max(self.indent(), 0)
        self.setText(self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, width))


class Field(QWidget):
    """A labelled editor with room for a hint. Errors are shown in a bubble over the surrounding widgets.

    `stored_wanted` is emitted when the user adopts a value stored by others. The button for it is created on first use.
    """

    stored_wanted = Signal()

    def __init__(
        self, text: str, editor: QWidget, marked: QWidget | None = None, hint: str = "", *, gap: bool = True
    ) -> None:
        """Create a field. A `gap` leaves room for a line with an error above the next widget."""
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
        """The button with the value that others have stored."""
        if self._remote_change is None:
            self._remote_change = RemoteChangeButton()
            self._remote_change.clicked.connect(self.stored_wanted)
            self._head.addWidget(self._remote_change, 1)
        return self._remote_change

    def set_title(self, text: str) -> None:
        """Set the label of the editor."""
        self._title = text
        self._caption.setText(button_text(text))
        self._name_parts()

    def _name_parts(self) -> None:
        """Set the title as the accessible name of tables and of text fields beside a button.

        The label does not name them for screen readers.
        """
        parts = self.editor.findChildren(QWidget)
        if isinstance(self._marked, QAbstractItemView):
            parts.append(self._marked)
        for part in parts:
            nameless = part.property(_NAMED) or not part.accessibleName()
            if nameless and isinstance(part, QLineEdit | QAbstractSpinBox | QAbstractItemView):
                part.setAccessibleName(self._title)
                part.setProperty(_NAMED, True)

    def show_error(self, message: str | None) -> None:
        """Show an error in the engine's wording, or clear it."""
        self.error.show_text(message or "")
        self._marked.setAccessibleDescription(message or "")
        restyle(self._marked, "invalid", bool(message))

    def show_elsewhere(self, value: str | None) -> None:
        """Show a value that others have stored while the user is editing, or hide it for None.

        No widget moves.
        """
        if not value and self._remote_change is None:
            return
        self.remote_change.show_value(value)
        tip = (
            tr(
                "Changed by another client to {new_value}. Click here or press Esc in the field to use it.",
                new_value=value,
            )
            if value
            else ""
        )
        self.remote_change.setToolTip(tip_text(tip))

    def show_pending(self, note: str | None, *, conflict: bool = False) -> None:
        """Mark a pending value with a note on the stored one, or clear the mark for None.

        No widget moves.
        """
        state = "" if note is None else "conflict" if conflict else "waiting"
        words = {"": "", "waiting": tr(" · pending"), "conflict": tr(" · conflict")}
        self._caption.setText(button_text(f"{self._title}{words[state]}"))
        self.setToolTip(tip_text(note or ""))
        for each in (self._marked, self._caption):
            restyle(each, "pending", state)


class PageSwitch(QFrame):
    """A switch between the pages of a form."""

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
        """Give long titles more width than short ones."""
        layout = self.layout()
        assert isinstance(layout, QHBoxLayout)
        for number, title in enumerate(self._titles):
            layout.setStretch(number, len(title) + 3)

    def mark(self, marks: tuple[bool, ...]) -> None:
        """Mark the pages that contain values of their own."""
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
    """The content of an empty panel: a hint, with buttons for the next step."""

    def __init__(self, title: str, text: str, *buttons: QPushButton, narrow: bool = False) -> None:
        super().__init__()
        self.title = label(title, "label")
        self.text = label(text, "hint", wrap=True)
        for each in (self.title, self.text):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        layout = QVBoxLayout(self)
        # In a low panel the text needs the space. Extra space is distributed around the text anyway.
        layout.setContentsMargins(2 * GRID, GRID // 4, 2 * GRID, GRID // 4)
        layout.setSpacing(6)
        layout.addStretch(1)
        layout.addWidget(self.title)
        layout.addWidget(self.text)
        self._title, self._buttons = title, buttons
        layout.addLayout(in_column(*buttons, spacing=GRID) if narrow else Flow(*buttons, centred=True))
        layout.addStretch(2)

    def show_workspace(self, is_open: bool | None) -> None:
        """Show the hint only while a workspace is open, and no text while this is unknown (None)."""
        self.title.setText(self._title if is_open else tr("No workspace is open"))
        self.title.setVisible(is_open is not None)
        for each in (self.text, *self._buttons):
            each.setVisible(bool(is_open))


class DockTitle(QWidget):
    """The head of a panel, with its name, a note, and a button that collapses or closes the panel."""

    folded = Signal()

    def __init__(self, text: str, *, closes: bool) -> None:
        """`closes` is whether the button closes the panel; otherwise it collapses the panel."""
        super().__init__()
        self.closes = closes
        self.setObjectName("DockTitle")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.note = OneLine()
        self.note.setObjectName("DockNote")
        tip = tr("Close {panel_title}", panel_title=text) if closes else tr("Collapse {panel_title}", panel_title=text)
        self.fold = tool_button(tip, self.folded.emit, "Fold")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 4, 6, 4)
        self._row.setSpacing(GRID)
        self.name = label(text)
        self._row.addWidget(self.name)
        self._row.addWidget(self.note, 1)
        self._row.addWidget(self.fold)

    def add(self, widget: QWidget) -> None:
        """Insert a widget before the fold button."""
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
    """A widget in a frame that scrolls vertically."""

    def __init__(self, body: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(body)


class FormPage(Scroll):
    """Fields in a frame that scrolls vertically. A click beside a field clears the keyboard focus."""

    def __init__(self, body: QWidget) -> None:
        super().__init__(body)
        # A button without focus, such as the one for remote changes, would otherwise pass the focus to the page.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Clear the keyboard focus, which commits the input of the field."""
        super().mousePressEvent(event)
        focus, at = QApplication.focusWidget(), event.globalPosition().toPoint()
        if focus is not None and self.isAncestorOf(focus) and not focus.rect().contains(focus.mapFromGlobal(at)):
            focus.clearFocus()
