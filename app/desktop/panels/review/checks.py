"""The panel of checks, with findings by check and the actions on them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QIcon, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.desktop.icons import icon
from app.desktop.language import tr, translated
from app.desktop.map.values import Theme
from app.desktop.model.review.findings import FindingBook, Group
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.widgets import GRID, EmptyState, button, label, panel, tip_text
from app.desktop.relay import Relay
from app.desktop.style import colors
from engine.geofences.checks.findings import DEFAULT_ACCURACY_M, MAX_ACCURACY_M, Finding, Severity

_FINDING, _FIX = range(2)
_VALUE: Final = Qt.ItemDataRole.UserRole
_SHOWN_EVERY_MS: Final = 250
_MOST_ROWS: Final = 500
"""Maximum number of findings of a check that are listed."""

_MARK: Final = 32
"""Width of the column that shows whether there is a fix."""

_LIST, _EMPTY, _NOTHING = range(3)
_ICONS: Final = {Severity.ERROR: "warning-octagon", Severity.WARNING: "warning", Severity.INFO: "info"}
_SEVERITIES: Final = ((tr("All"), Severity.INFO), (tr("Warnings"), Severity.WARNING), (tr("Errors"), Severity.ERROR))
_OUTDATED: Final = tr("Changed since the check")


class FindingList(QTreeWidget):
    """A tree with a row for each check and its findings below it.

    Collapsed groups stay collapsed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("FindingList")
        self.setAccessibleName(tr("Findings"))
        self.setHeaderLabels([tr("Finding"), ""])
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(_FINDING, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(_MARK)
        header.setSectionResizeMode(_FIX, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(_FIX, _MARK)
        self._theme: Theme = "light"
        self._folded: set[str] = set()
        self.itemCollapsed.connect(lambda item: self._folded.add(item.data(_FIX, _VALUE)))
        self.itemExpanded.connect(lambda item: self._folded.discard(item.data(_FIX, _VALUE)))

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        self._theme = theme

    def show_findings(self, book: FindingBook) -> None:
        """Show the findings and keep the selection."""
        chosen, current, scrolled = self.chosen(), self.currentItem(), self.verticalScrollBar().value()
        now = None if current is None else current.data(_FINDING, _VALUE)
        with QSignalBlocker(self):
            self.clear()
            for group in book.groups():
                item = self._group(book, group)
                self.addTopLevelItem(item)
                item.setExpanded(group.check.value not in self._folded)
                for child in map(item.child, range(item.childCount())):
                    assert child is not None
                    finding = child.data(_FINDING, _VALUE)
                    child.setSelected(finding is not None and finding in chosen)
                    if finding is not None and finding == now:
                        self.setCurrentItem(child, _FINDING, self.selectionModel().SelectionFlag.NoUpdate)
        self.verticalScrollBar().setValue(scrolled)
        self.itemSelectionChanged.emit()

    def chosen(self) -> tuple[Finding, ...]:
        """Return the findings that are selected directly or through their check."""
        found: dict[int, Finding] = {}
        for item in self.selectedItems():
            children = [item.child(number) for number in range(item.childCount())]
            for each in children or [item]:
                finding = each.data(_FINDING, _VALUE) if each is not None else None
                if finding is not None:
                    found[id(finding)] = finding
        return tuple(found.values())

    def finding_at(self, item: QTreeWidgetItem) -> Finding | None:
        """Return the finding of a row, or None for the row of a check."""
        found: Finding | None = item.data(_FINDING, _VALUE)
        return found

    def _group(self, book: FindingBook, group: Group) -> QTreeWidgetItem:
        item = QTreeWidgetItem([group.title, ""])
        item.setData(_FIX, _VALUE, group.check.value)
        font = item.font(_FINDING)
        font.setBold(True)
        item.setFont(_FINDING, font)
        item.setIcon(_FINDING, self._icon(group.severity))
        item.addChildren([self._finding(book, finding) for finding in group.findings[:_MOST_ROWS]])
        if (more := len(group.findings) - _MOST_ROWS) > 0:
            rest = QTreeWidgetItem([tr("… and {more:,} more; fix or dismiss some to see them", more=more), ""])
            rest.setFlags(Qt.ItemFlag.ItemIsEnabled)
            item.addChild(rest)
        return item

    def _finding(self, book: FindingBook, finding: Finding) -> QTreeWidgetItem:
        outdated, dismissed = book.is_outdated(finding), book.is_dismissed(finding)
        fix = _fix_text(book, finding)
        item = QTreeWidgetItem([translated(finding.text), ""])
        item.setData(_FINDING, _VALUE, finding)
        item.setIcon(_FINDING, self._icon(finding.severity))
        item.setToolTip(_FINDING, tip_text(_details(book, finding)))
        if fix:
            item.setIcon(_FIX, icon("clock-counter-clockwise" if outdated else "wrench", self._theme))
            item.setToolTip(_FIX, tip_text(fix))
            item.setData(_FIX, Qt.ItemDataRole.AccessibleTextRole, fix)
        if dismissed:
            font = item.font(_FINDING)
            font.setStrikeOut(True)
            item.setFont(_FINDING, font)
        if outdated or dismissed:
            for column in (_FINDING, _FIX):
                item.setForeground(column, QBrush(QColor(colors(self._theme).muted)))
        return item

    def _icon(self, severity: Severity) -> QIcon:
        c = colors(self._theme)
        color = {Severity.ERROR: c.danger, Severity.WARNING: c.live, Severity.INFO: c.accent}[severity]
        return icon(_ICONS[severity], self._theme, color=color)


class ChecksPanel(QWidget):
    """A panel that emits the user's actions on findings to a controller."""

    check_requested = Signal()
    chosen = Signal(object)
    opened = Signal(object)
    fix_requested = Signal(object)
    dismiss_requested = Signal(object)
    restore_requested = Signal(object)
    dismissed_shown = Signal(bool)
    severity_chosen = Signal(object)

    def __init__(self, book: FindingBook) -> None:
        super().__init__()
        self._book = book
        self.list = FindingList()
        self.run = button(tr("Check"), self._check)
        self.first_run = button(tr("Check geofences"), self._check, "primary")
        self.fix = button(tr("Fix"), lambda: self.fix_requested.emit(self._fixable_chosen()))
        self.fix_all = button(tr("Fix all safe"), lambda: self.fix_requested.emit(book.fixable()))
        self.dismiss = button(tr("Dismiss"), lambda: self.dismiss_requested.emit(self._chosen(dismissed=False)))
        self.restore = button(tr("Restore"), lambda: self.restore_requested.emit(self._chosen(dismissed=True)))
        self.dismissed = button(tr("Show dismissed"), lambda: self.dismissed_shown.emit(self.dismissed.isChecked()))
        self.dismissed.setCheckable(True)
        self.accuracy = NumberBox("m", decimals=0)
        self.severity = ChoiceBox()
        self.head = QWidget()
        self.details = label("", wrap=True)
        self._make_fields()
        self._arrange()
        self.list.itemSelectionChanged.connect(self._enable)
        self.list.itemClicked.connect(self._on_clicked)
        self.list.itemActivated.connect(self._on_activated)
        self.list.currentItemChanged.connect(lambda item, _: self._on_clicked(item))
        drop = QShortcut(QKeySequence.StandardKey.Delete, self.list, context=Qt.ShortcutContext.WidgetShortcut)
        drop.activated.connect(self.dismiss.click)
        # Changes are collected so that the panel updates only once for many of them.
        self._changed = Relay(self, interval_ms=_SHOWN_EVERY_MS)
        self._changed.rung.connect(self.show_findings)
        book.changed.connect(self._changed.ring)
        self.show_findings()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size that lets the user make the panel small."""
        return QSize(240, 96)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size with room for a few findings."""
        return QSize(640, 208)

    @property
    def accuracy_m(self) -> float:
        """Accuracy of devices that the checks assume, in metres."""
        return min(max(self.accuracy.number() or DEFAULT_ACCURACY_M, 1.0), MAX_ACCURACY_M)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        self.list.set_theme(theme)
        self.list.show_findings(self._book)

    def show_running(self, running: bool) -> None:
        """Show whether a check is running."""
        for each in (self.run, self.first_run):
            each.setEnabled(not running)

    def show_findings(self) -> None:
        """Show the findings."""
        report = self._book.report
        self.list.show_findings(self._book)
        shown = _EMPTY if report is None else _LIST if self._book.findings() else _NOTHING
        self._pages.setCurrentIndex(shown)
        for each in (self.head, self._buttons, self.details):
            each.setVisible(report is not None)
        self.dismissed.setVisible(self._book.dismissed > 0)
        self.dismissed.setChecked(self._book.shows_dismissed)
        self.restore.setVisible(self._book.dismissed > 0 and self._book.shows_dismissed)
        self._enable()

    def _check(self) -> None:
        if self.accuracy.take():
            self.check_requested.emit()

    def _make_fields(self) -> None:
        self.accuracy.setRange(1, MAX_ACCURACY_M)
        self.accuracy.set_number(DEFAULT_ACCURACY_M)
        self.accuracy.setAccessibleName(tr("Accuracy"))
        self.accuracy.setToolTip(tip_text(tr("Accuracy of the devices, for geofences that are too small")))
        self.accuracy.setMaximumWidth(80)
        self.severity.setMaximumWidth(96)
        self.severity.setAccessibleName(tr("Severity"))
        for text, severity in _SEVERITIES:
            self.severity.addItem(text, severity)
        in_row(self.severity, self.accuracy, self.run, of=self.head, margins=0, spacing=GRID)
        self.severity.currentIndexChanged.connect(self._on_severity)

    def _arrange(self) -> None:
        self._pages = QStackedWidget()
        nothing = EmptyState(tr("Nothing found"), tr("No check has found anything that is shown."))
        empty = EmptyState(
            tr("Not checked yet"),
            tr("Find overlaps, geofences that are too small, hours that never open, duplicates and more."),
            self.first_run,
        )
        for page in (self.list, empty, nothing):
            self._pages.addWidget(page)
        body, inner = panel()
        inner.addWidget(self._pages, 1)
        self.details.setContentsMargins(GRID, 0, GRID, 0)
        inner.addWidget(self.details)
        self._buttons = QWidget()
        in_row(
            self.fix,
            self.dismiss,
            self.restore,
            self.dismissed,
            STRETCH,
            self.fix_all,
            of=self._buttons,
            margins=(GRID, 0, GRID, GRID),
            spacing=GRID,
        )
        inner.addWidget(self._buttons)
        in_column(body, of=self, margins=0)

    def _fixable_chosen(self) -> tuple[Finding, ...]:
        fixable = {id(finding) for finding in self._book.fixable()}
        return tuple(finding for finding in self.list.chosen() if id(finding) in fixable)

    def _chosen(self, *, dismissed: bool) -> tuple[Finding, ...]:
        """Return the selected findings that are dismissed, or those that are not."""
        return tuple(each for each in self.list.chosen() if self._book.is_dismissed(each) is dismissed)

    def _on_severity(self, _: int) -> None:
        # Qt converts the enum to a string.
        self.severity_chosen.emit(Severity(self.severity.currentData()))

    def _enable(self) -> None:
        fixable = self._book.fixable()
        self.fix.setEnabled(bool({id(each) for each in fixable}.intersection(map(id, self.list.chosen()))))
        self.fix_all.setEnabled(bool(fixable))
        chosen = self.list.chosen()
        self.dismiss.setEnabled(bool(self._chosen(dismissed=False)))
        self.restore.setEnabled(bool(self._chosen(dismissed=True)))
        # The row shows only the beginning of the text.
        self.details.setText(self._book.summary() if len(chosen) != 1 else _details(self._book, chosen[0]))

    def _on_activated(self, item: QTreeWidgetItem) -> None:
        if (finding := self.list.finding_at(item)) is not None:
            self.opened.emit(finding)

    def _on_clicked(self, item: QTreeWidgetItem | None) -> None:
        finding = None if item is None else self.list.finding_at(item)
        if finding is not None:
            self.chosen.emit(finding)


def _details(book: FindingBook, finding: Finding) -> str:
    fix = _fix_text(book, finding)
    text = translated(finding.text)
    if book.is_dismissed(finding):
        text = tr("Dismissed: {finding_text}", finding_text=text)
    return f"{text} {fix}." if fix else text


def _fix_text(book: FindingBook, finding: Finding) -> str:
    if book.is_outdated(finding):
        return _OUTDATED
    return tr("Safe fix: {fix}", fix=translated(finding.fix.text)) if finding.fix is not None else ""
