"""The Why panel, which explains an update for each geofence nearby, rule by rule with the deciding values."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.desktop.icons import dot, icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.fences import FenceBook
from app.desktop.model.why import (
    NOTES,
    AnyReason,
    Item,
    Subject,
    explanation_text,
    facts_text,
    headline,
    is_by_update,
    item_name,
    listed,
    main_item,
    off_text,
    outcome_text,
    reason_text,
    reasons_in_order,
    remedy_lines,
    update_text,
    values_text,
)
from app.desktop.model.words import capital
from app.desktop.panels.layouts import in_column
from app.desktop.panels.side import SidePanel
from app.desktop.panels.widgets import GRID, EmptyState, Scroll, label, panel, restyle, tip_text
from app.desktop.style import colors
from engine.domain.tracking.decision import Explanation
from engine.domain.tracking.explaining import ExplainedUpdate

_FENCE = Qt.ItemDataRole.UserRole
_SHOWN_ROWS = 6
_ROW = 26


_NO_FENCE: Final = tr("No geofence was nearby, and the user was not in any.")
_NOT_KEPT: Final = tr("No reasons were kept for this event.")
_NO_UPDATE: Final = tr("No location update made this event.")
_MARKS = {"passed": "✓", "failed": "✗", "fact": "•"}


def _outcome_of(reason: AnyReason) -> str:
    if reason.is_fact:
        return "fact"
    return "passed" if reason.passed else "failed"


class ReasonList(QWidget):
    """The rules of one decision, with a mark and the reason as text for each."""

    def __init__(self) -> None:
        super().__init__()
        self._theme: Theme = "light"
        self._reasons: tuple[AnyReason, ...] = ()
        self._rows: list[tuple[QLabel, QLabel]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)

    def set_theme(self, theme: Theme) -> None:
        """Colour the marks."""
        self._theme = theme
        self.show_reasons(self._reasons)

    def show_reasons(self, reasons: tuple[AnyReason, ...]) -> None:
        """Show these reasons in order."""
        self._reasons = reasons
        while len(self._rows) < len(reasons):
            self._append()
        for number, (mark, text) in enumerate(self._rows):
            for widget in (mark, text):
                widget.setVisible(number < len(reasons))
            if number < len(reasons):
                self._fill(mark, text, reasons[number])

    def texts(self) -> list[str]:
        """Return the displayed lines: ✓, ✗ or • (for neither), followed by the reason."""
        return [f"{_MARKS[_outcome_of(reason)]} {reason_text(reason)}" for reason in self._reasons]

    def _append(self) -> None:
        mark, text = QLabel(), label(wrap=True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = len(self._rows)
        self._grid.addWidget(mark, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(text, row, 1)
        self._rows.append((mark, text))

    def _fill(self, mark: QLabel, text: QLabel, reason: AnyReason) -> None:
        c, outcome = colors(self._theme), _outcome_of(reason)
        name, color = {"passed": ("check", c.good), "failed": ("x", c.danger), "fact": ("info", c.muted)}[outcome]
        mark.setPixmap(icon(name, self._theme, color=color).pixmap(14, 14))
        mark.setAccessibleName(outcome)
        text.setText(capital(reason_text(reason)))
        text.setToolTip(tip_text(values_text(reason)))
        restyle(text, "role", "muted" if reason.passed else "")


class WhyPanel(SidePanel):
    """A panel with an explained update that emits the geofence the user selects."""

    fence_chosen = Signal(str)
    explanation_changed = Signal(object)
    note_changed = Signal(str)

    def __init__(self, book: FenceBook) -> None:
        super().__init__()
        self._book = book
        self._items: tuple[Item, ...] = ()
        self._make_parts()
        self._stack = self._add_pages(self._make_empty(), self._make_body())
        self.list.currentItemChanged.connect(self._on_current)
        self.list.itemClicked.connect(self._on_clicked)

    # Display

    @property
    def current(self) -> Explanation | None:
        """The explanation of a geofence that is displayed in full."""
        item = self.current_item
        return item if isinstance(item, Explanation) else None

    @property
    def current_item(self) -> Item | None:
        """The item that is displayed in full."""
        row = self.list.currentIndex().row()
        return self._items[row] if 0 <= row < len(self._items) else None

    def set_theme(self, theme: Theme) -> None:
        """Colour the marks."""
        self.reasons.set_theme(theme)

    def show_nothing(self) -> None:
        """Show the hint for an empty panel."""
        self._items = ()
        self.list.clear()
        self.reasons.show_reasons(())
        self._stack.setCurrentIndex(0)
        self.note_changed.emit("")

    def show_problem(self, subject: Subject, text: str) -> None:
        """Show the reason why an update cannot be explained."""
        self._items = ()
        self.list.clear()
        self._show_head(subject, text)
        self._show_current()

    def show_update(self, subject: Subject, update: ExplainedUpdate, *fence_ids: str | None) -> None:
        """Show an explained update with one geofence in full.

        The first of the given geofences that is nearby is shown in full, otherwise the first geofence of all. If the
        event does not concern a geofence, its own reasons are shown in full.
        """
        self._items = listed(update, subject)
        main = main_item(self._items, subject, *fence_ids)
        by_update = is_by_update(subject.event, update)
        self._show_head(subject, update_text(update) if by_update else _NO_UPDATE, off_text(update))
        self.list.blockSignals(True)
        self.list.clear()
        for item in self._items:
            self.list.addTopLevelItem(self._item(item))
        self.list.setFixedHeight(_ROW * min(max(len(self._items), 1), _SHOWN_ROWS) + 4)
        if main is not None:
            self._show_row(self._items.index(main))
        self.list.blockSignals(False)
        self._show_current()

    def show_fence(self, fence_id: str | None) -> None:
        """Show the explanation for a geofence, if there is one."""
        for row, item in enumerate(self._items):
            if isinstance(item, Explanation) and item.geofence.id == fence_id:
                self._show_row(row)

    def _show_row(self, row: int) -> None:
        if (item := self.list.topLevelItem(row)) is not None:
            self.list.setCurrentItem(item)

    def _on_clicked(self, item: QTreeWidgetItem) -> None:
        if (fence_id := item.data(0, _FENCE)) is not None:
            self.fence_chosen.emit(fence_id)

    def _show_head(self, subject: Subject, text: str, off: str = "") -> None:
        self.about.setText(subject.name)
        self.note_changed.emit(NOTES[subject.about])
        self.update_.setText(text)
        self.off.setText(off)
        self.off.setVisible(bool(off) and subject.event is None)
        self.nothing.setText(_NO_FENCE if subject.topic is None else _NOT_KEPT)
        self._stack.setCurrentIndex(1)

    def _on_current(self, *_: object) -> None:
        self._show_current()

    def _show_current(self) -> None:
        item = self.current_item
        self.list.setVisible(bool(self._items))
        self._detail.setVisible(item is not None)
        self.nothing.setVisible(not self._items)
        if item is not None:
            self._show_item(item)
        self.explanation_changed.emit(item)

    def _show_item(self, item: Item) -> None:
        self.headline.setText(headline(item))
        self.reasons.show_reasons(reasons_in_order(item))
        is_fence = isinstance(item, Explanation)
        is_withheld = is_fence and "withheld" in item.outcome
        restyle(self.headline, "role", "withheld" if is_withheld else "strong")
        self.facts.setVisible(is_fence)
        lines: list[str] = []
        if isinstance(item, Explanation):
            self.facts.setText(facts_text(item))
            heading, *lines = remedy_lines(item) or ("",)
            self.would_have.setText(heading)
            self.remedies.setText("\n".join(lines))
        for part in (self.would_have, self.remedies):
            part.setVisible(bool(lines))

    def _item(self, item: Item) -> QTreeWidgetItem:
        row = QTreeWidgetItem([item_name(item), capital(outcome_text(item))])
        tip = capital(explanation_text(item))
        if isinstance(item, Explanation):
            fence = item.geofence
            row.setIcon(0, dot(self._book.color(fence.tag)))
            row.setData(0, _FENCE, fence.id)
            tip = f"{fence.tag} / {fence.external_id}\n{tip}"
        for column in (0, 1):
            row.setToolTip(column, tip_text(tip))
        return row

    # Construction

    def _make_parts(self) -> None:
        self.about = label("", "strong", wrap=True)
        self.update_ = label("", "muted", wrap=True)
        self.nothing = label(_NO_FENCE, "hint", wrap=True)
        self.off = label("", "hint", wrap=True)
        self.headline = label("", "strong", wrap=True)
        self.facts = label("", "muted", wrap=True)
        self.reasons = ReasonList()
        self.would_have = label("", "strong", wrap=True)
        self.remedies = label("", wrap=True)
        self.list = QTreeWidget()
        self.list.setObjectName("WhyList")
        self.list.setHeaderHidden(True)
        self.list.setColumnCount(2)
        self.list.setRootIsDecorated(False)
        self.list.setIconSize(QSize(12, 12))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setAccessibleName(tr("Decisions"))
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        for text in (self.about, self.update_, self.headline, self.facts, self.would_have, self.remedies):
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def _make_empty(self) -> QWidget:
        body, layout = panel()
        layout.addWidget(
            EmptyState(
                tr("Nothing to explain yet"),
                tr(
                    "Select an event, step through a track, or select a user to see why something happened, or why not."
                ),
            )
        )
        return body

    def _make_body(self) -> QWidget:
        body, layout = panel(margins=12)
        self._detail = QWidget()
        in_column(
            self.headline,
            self.facts,
            self.reasons,
            self.would_have,
            self.remedies,
            of=self._detail,
            margins=(0, GRID, 0, 0),
            spacing=GRID,
        )
        for widget in (self.about, self.update_, self.list, self.nothing, self._detail, self.off):
            layout.addWidget(widget)
        layout.addStretch(1)
        return Scroll(body)
