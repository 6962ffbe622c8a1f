"""The panel of a user: the choice of the user and all known facts."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLabel,
    QWidget,
)

from app.desktop.icons import icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.users import Fact, UserBook, user_facts, user_name
from app.desktop.model.words import PERSONAL
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.flow import Flow
from app.desktop.panels.layouts import in_column
from app.desktop.panels.side import SidePanel
from app.desktop.panels.widgets import GRID, EmptyState, Scroll, button, label, panel, restyle, tip_text
from app.desktop.style import colors
from engine.domain.tracking.updates import User


class FactTable(QWidget):
    """A table with names and texts in two columns that reuses its rows for the next user."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[tuple[QLabel, QLabel]] = []
        self._facts: tuple[Fact, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GRID)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)

    def show_facts(self, facts: tuple[Fact, ...]) -> None:
        """Show these facts in order."""
        self._facts = facts
        while len(self._rows) < len(facts):
            self._append()
        for number, (name, text) in enumerate(self._rows):
            for widget in (name, text):
                widget.setVisible(number < len(facts))
            if number < len(facts):
                fact = facts[number]
                name.setText(fact.name)
                text.setText(fact.text)
                text.setToolTip(tip_text(fact.tip))
                restyle(text, "role", "error" if fact.warning else "")

    def texts(self) -> dict[str, str]:
        """Return the displayed texts by name."""
        return {fact.name: fact.text for fact in self._facts}

    def _append(self) -> None:
        name, text = label(role="muted"), label(wrap=True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        # A word longer than the width of the panel must not push other content out of it.
        text.setMinimumWidth(1)
        row = len(self._rows)
        self._grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(text, row, 1)
        self._rows.append((name, text))


class UserPanel(SidePanel):
    """A panel that shows a user and allows choosing another one."""

    user_chosen = Signal(object)
    why_requested = Signal()
    show_requested = Signal()
    timeline_requested = Signal()
    clear_requested = Signal()
    note_changed = Signal(str)

    def __init__(self, book: UserBook) -> None:
        super().__init__()
        self._book = book
        self._user: User | None = None
        self._theme: Theme = "light"
        self.choice = ChoiceBox()
        self.choice.setAccessibleName(tr("User"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.setMinimumContentsLength(8)
        self.facts = FactTable()
        self.clear = button(tr("Clear data…"), self.clear_requested.emit, "danger")
        self._stack = self._add_pages(self._make_empty(), self._make_body())
        self.choice.activated.connect(self._on_chosen)
        book.changed.connect(self._fill_choice)
        book.moved.connect(self._on_moved)
        self._fill_choice()

    @property
    def user(self) -> User | None:
        """The displayed user."""
        return self._user

    def set_theme(self, theme: Theme) -> None:
        """Colour the flags."""
        self._theme = theme
        self._fill_choice()

    def set_live(self, live: bool) -> None:
        """Allow clearing data only in Test, not in Live."""
        self.clear.setVisible(not live)

    def show_user(self, user: User | None) -> None:
        """Show a user, or the empty page."""
        self._user = user
        self.facts.show_facts(user_facts(user) if user is not None else ())
        self._body.setVisible(user is not None)
        self._hint.setVisible(user is None)
        self.note_changed.emit(user_name(user) if user else "")
        self._choose(user.id if user else None)

    def _on_moved(self, users: tuple[User, ...]) -> None:
        shown = self._user.id if self._user else None
        user = next((user for user in reversed(users) if user.id == shown), None)
        if user is not None:
            self._user = user
            self.facts.show_facts(user_facts(user))

    def _on_chosen(self, _index: int) -> None:
        user = self._book.get(self.choice.currentData())
        if user is not None:
            self.user_chosen.emit(user.summary)

    def _fill_choice(self) -> None:
        users = self._book.all()
        flag = icon("warning", self._theme, color=colors(self._theme).danger)
        with QSignalBlocker(self.choice):
            self.choice.clear()
            for user in users:
                self.choice.addItem(user_name(user), user.id)
                if user.personal_data:
                    self.choice.setItemIcon(self.choice.count() - 1, flag)
                    self.choice.setItemData(self.choice.count() - 1, PERSONAL, Qt.ItemDataRole.ToolTipRole)
            self._choose(self._user.id if self._user else None)
        self._stack.setCurrentIndex(1 if users else 0)
        self._on_moved(users)

    def _choose(self, user_id: str | None) -> None:
        self.choice.setCurrentIndex(self.choice.findData(user_id) if user_id else -1)

    def _make_empty(self) -> QWidget:
        body, layout = panel()
        layout.addWidget(
            EmptyState(
                tr("No users yet"), tr("Play a track as a device, or send updates from your app to the endpoint.")
            )
        )
        return body

    def _make_body(self) -> QWidget:
        body, layout = panel(margins=12)
        self.choice.setPlaceholderText(tr("Choose a user"))
        self._hint = label(tr("Select a user, or one of their events."), "hint", wrap=True)
        self._body = QWidget()
        column = in_column(self.facts, of=self._body, margins=0, spacing=12)
        self.why = button(tr("Why?"), self.why_requested.emit, "primary")
        self.why.setToolTip(tr("Explain this user's last update"))
        self.timeline = button(tr("Timeline"), self.timeline_requested.emit)
        self.timeline.setToolTip(tr("Show this device's kept updates over time"))
        # Two rows of two, because the panel may have no room for four buttons side by side.
        for buttons in ((self.why, button(tr("Show"), self.show_requested.emit)), (self.timeline, self.clear)):
            column.addLayout(Flow(*buttons))
        for widget in (self.choice, self._hint, self._body):
            layout.addWidget(widget)
        layout.addStretch(1)
        return Scroll(body)
