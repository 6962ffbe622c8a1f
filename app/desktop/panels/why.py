"""Why: what an update meant for each geofence near, and each rule with what made it pass or fail."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.desktop.icons import dot, icon
from app.desktop.language import tr, translated
from app.desktop.map.values import Theme
from app.desktop.model.fences import FenceBook
from app.desktop.model.users import Fact
from app.desktop.model.why import (
    NOTES,
    AroundKind,
    Subject,
    around_reasons,
    explanation_text,
    facts_text,
    headline,
    main_explanation,
    ordered,
    reason_text,
    reasons_in_order,
    remedy_lines,
    update_text,
    values_text,
)
from app.desktop.model.words import capital, fence_name
from app.desktop.panels.side import SidePanel
from app.desktop.panels.user import FactTable
from app.desktop.panels.widgets import GRID, EmptyState, Scroll, label, panel, restyle, tip_text
from app.desktop.style import colors
from engine.domain.tracking.decision import Explanation, Reason
from engine.domain.tracking.explaining import ExplainedUpdate

_FENCE = Qt.ItemDataRole.UserRole
_AROUND: Mapping[AroundKind, str] = {"beacon": tr("Beacon"), "place": tr("Place"), "region": tr("Regions")}
_SHOWN_ROWS = 6
_ROW = 26


_MARKS = {"passed": "✓", "failed": "✗", "fact": "•"}


def _told(reason: Reason) -> str:
    if reason.is_fact:
        return "fact"
    return "passed" if reason.passed else "failed"


class ReasonList(QWidget):
    """The rules of one decision: a mark, and the reason in words."""

    def __init__(self) -> None:
        super().__init__()
        self._theme: Theme = "light"
        self._reasons: tuple[Reason, ...] = ()
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

    def show_reasons(self, reasons: tuple[Reason, ...]) -> None:
        """Show these reasons in this order."""
        self._reasons = reasons
        while len(self._rows) < len(reasons):
            self._append()
        for number, (mark, text) in enumerate(self._rows):
            for widget in (mark, text):
                widget.setVisible(number < len(reasons))
            if number < len(reasons):
                self._fill(mark, text, reasons[number])

    def texts(self) -> list[str]:
        """Return what is shown: ✓, ✗ or, for what is neither, • and the reason."""
        return [f"{_MARKS[_told(reason)]} {reason_text(reason)}" for reason in self._reasons]

    def _append(self) -> None:
        mark, text = QLabel(), label(wrap=True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = len(self._rows)
        self._grid.addWidget(mark, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(text, row, 1)
        self._rows.append((mark, text))

    def _fill(self, mark: QLabel, text: QLabel, reason: Reason) -> None:
        c, told = colors(self._theme), _told(reason)
        name, color = {"passed": ("check", c.good), "failed": ("x", c.danger), "fact": ("info", c.muted)}[told]
        mark.setPixmap(icon(name, self._theme, color=color).pixmap(14, 14))
        mark.setAccessibleName(told)
        text.setText(capital(reason_text(reason)))
        text.setToolTip(tip_text(values_text(reason)))
        restyle(text, "role", "muted" if reason.passed else "")


class WhyPanel(SidePanel):
    """Shows an explained update. It tells which geofence the user picked."""

    fence_chosen = Signal(str)
    explanation_changed = Signal(object)
    note_changed = Signal(str)

    def __init__(self, book: FenceBook) -> None:
        super().__init__()
        self._book = book
        self._explanations: tuple[Explanation, ...] = ()
        self.around: Mapping[AroundKind, str] = {}
        self._make_parts()
        self._stack = self._add_pages(self._make_empty(), self._make_body())
        self.list.currentItemChanged.connect(self._on_current)
        self.list.itemClicked.connect(lambda item: self.fence_chosen.emit(item.data(0, _FENCE)))

    # What it shows

    @property
    def current(self) -> Explanation | None:
        """The explanation that is shown in full."""
        item = self.list.currentItem()
        fence_id = item.data(0, _FENCE) if item else None
        return next((each for each in self._explanations if each.geofence.id == fence_id), None)

    def set_theme(self, theme: Theme) -> None:
        """Colour the marks."""
        self.reasons.set_theme(theme)

    def show_nothing(self) -> None:
        """Show what to do first."""
        self._explanations, self.around = (), {}
        self.list.clear()
        self.reached.show_facts(())
        self.reasons.show_reasons(())
        self._stack.setCurrentIndex(0)
        self.note_changed.emit("")

    def show_problem(self, subject: Subject, text: str) -> None:
        """Say why an update cannot be explained."""
        self._explanations, self.around = (), {}
        self.list.clear()
        self._show_head(subject, text)
        self._show_current()

    def show_update(self, subject: Subject, update: ExplainedUpdate, *fence_ids: str | None) -> None:
        """Show an explained update, with the first of these geofences that is near in full, else the first of all."""
        self._explanations, self.around = ordered(update.explanations), around_reasons(update, subject)
        main = main_explanation(self._explanations, *fence_ids)
        self._show_head(subject, update_text(update))
        self.list.blockSignals(True)
        self.list.clear()
        for explanation in self._explanations:
            self.list.addTopLevelItem(self._item(explanation))
        self.list.setFixedHeight(_ROW * min(max(len(self._explanations), 1), _SHOWN_ROWS) + 4)
        self.list.blockSignals(False)
        self.show_fence(main.geofence.id if main else None)
        self._show_current()

    def show_fence(self, fence_id: str | None) -> None:
        """Show the explanation for a geofence, where it has one."""
        for row in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(row)
            if item is not None and item.data(0, _FENCE) == fence_id:
                self.list.setCurrentItem(item)

    def _show_head(self, subject: Subject, text: str) -> None:
        self.about.setText(subject.name)
        self.note_changed.emit(NOTES[subject.about])
        self.update_.setText(text)
        self.reached.show_facts(tuple(Fact(_AROUND[kind], f"{capital(said)}.") for kind, said in self.around.items()))
        self.reached.setVisible(bool(self.around))
        self._stack.setCurrentIndex(1)

    def _on_current(self, *_: object) -> None:
        self._show_current()

    def _show_current(self) -> None:
        explanation = self.current
        self.list.setVisible(bool(self._explanations))
        self._detail.setVisible(explanation is not None)
        self.nothing.setVisible(not self._explanations)
        if explanation is not None:
            self.headline.setText(headline(explanation))
            restyle(self.headline, "role", "withheld" if "withheld" in explanation.outcome else "strong")
            self.facts.setText(facts_text(explanation))
            self.reasons.show_reasons(reasons_in_order(explanation))
            heading, *lines = remedy_lines(explanation) or ("",)
            self.would_have.setText(heading)
            self.remedies.setText("\n".join(lines))
            for part in (self.would_have, self.remedies):
                part.setVisible(bool(lines))
        self.explanation_changed.emit(explanation)

    def _item(self, explanation: Explanation) -> QTreeWidgetItem:
        fence = explanation.geofence
        item = QTreeWidgetItem([fence_name(fence), capital(translated(explanation.outcome))])
        item.setIcon(0, dot(self._book.color(fence.tag)))
        item.setData(0, _FENCE, fence.id)
        tip = f"{fence.tag} / {fence.external_id}\n{capital(explanation_text(explanation))}"
        for column in (0, 1):
            item.setToolTip(column, tip_text(tip))
        return item

    # How it is made

    def _make_parts(self) -> None:
        self.about = label("", "strong", wrap=True)
        self.update_ = label("", "muted", wrap=True)
        self.nothing = label(tr("No geofence was nearby, and the user was not in any."), "hint", wrap=True)
        self.reached = FactTable()
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
        self.list.setAccessibleName(tr("Nearby geofences"))
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
        column = QVBoxLayout(self._detail)
        column.setContentsMargins(0, GRID, 0, 0)
        column.setSpacing(GRID)
        for part in (self.headline, self.facts, self.reasons, self.would_have, self.remedies):
            column.addWidget(part)
        for widget in (self.about, self.update_, self.reached, self.list, self.nothing, self._detail):
            layout.addWidget(widget)
        layout.addStretch(1)
        return Scroll(body)
