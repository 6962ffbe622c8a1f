"""The What if panel, which selects the updates to replay and the changes to test, and lists the effects."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHeaderView,
    QListWidget,
    QListWidgetItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.desktop.icons import event_mark
from app.desktop.language import tr
from app.desktop.model.project import EVENTS, Switch
from app.desktop.model.whatif.findings import Finding, Findings
from app.desktop.model.words import full_time
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.flow import Flow
from app.desktop.panels.layouts import in_column
from app.desktop.panels.side import least_width
from app.desktop.panels.widgets import GRID, Field, Scroll, button, label, panel, tip_text
from engine.domain.settings import ProjectSettings
from engine.geo.zones import zone_at

KEPT, TRACK = "kept", "track"
_SWITCHES: Mapping[str, str] = {each.name: each.title for each in EVENTS if isinstance(each, Switch)}
_COLUMNS = (tr("Event"), tr("Device"), tr("Change"))
_ROW, _MOST_ROWS = 26, 10
_NUMBER = Qt.ItemDataRole.UserRole


class WhatIfPanel(QWidget):
    """A panel whose signals ask the controller to act."""

    sandbox_requested = Signal()
    replay_requested = Signal()
    keep_requested = Signal()
    discard_requested = Signal()
    sweep_requested = Signal()
    finding_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._findings: tuple[Finding, ...] = ()
        self._stored = ProjectSettings()
        self._make_controls()
        in_column(self._make_body(), of=self, margins=0)
        self.source.currentIndexChanged.connect(self._on_source)
        self.list.currentItemChanged.connect(self._on_current)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size that leaves room for the map and fits all parts."""
        return QSize(least_width(self), 120)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size as wide as the neighbouring panels."""
        return QSize(304, 400)

    # Input

    @property
    def of_track(self) -> bool:
        """Whether the loaded track is replayed instead of kept updates."""
        return bool(self.source.currentData() == TRACK)

    def changes(self) -> dict[str, object]:
        """Return the settings that differ from the stored ones. Raises `InvalidParameter` for an invalid number."""
        self.dwell.check("default_dwell_threshold_s")
        given: dict[str, object] = {name: switch.isChecked() for name, switch in self.switches.items()}
        given["minimum_confidence"] = self.confidence.currentData()
        minutes = self.dwell.number()
        given["default_dwell_threshold_s"] = None if minutes is None else minutes * 60
        return {name: value for name, value in given.items() if value != getattr(self._stored, name)}

    # Display

    def show_settings(self, settings: ProjectSettings) -> None:
        """Show the stored settings and discard the user's changes."""
        self._stored = settings
        for name, switch in self.switches.items():
            switch.setChecked(getattr(settings, name))
        self.confidence.setCurrentIndex(settings.minimum_confidence - 1)
        threshold_s = settings.default_dwell_threshold_s
        self.dwell.set_number(None if threshold_s is None else threshold_s / 60)

    def show_sandbox(self, *, is_open: bool, allowed: bool) -> None:
        """Show whether geofences are being edited in a sandbox, and whether this is allowed."""
        self.sandbox.setText(tr("In the sandbox") if is_open else tr("Edit geofences…"))
        self.sandbox.setEnabled(allowed and not is_open)

    def show_findings(self, findings: Findings) -> None:
        """List the differences."""
        self._findings = findings.all
        self.summary.setText(findings.summary or tr("Change something, then replay. Nothing is stored."))
        with QSignalBlocker(self.list):
            self.list.clear()
            self.list.addTopLevelItems([_item(finding) for finding in findings.all])
        self.list.setVisible(bool(findings.all))
        self.list.setFixedHeight(_ROW * (min(len(findings.all), _MOST_ROWS) + 1) + 10)

    def select(self, finding: Finding | None) -> None:
        """Select a finding and show its reason."""
        self.reason.setText("" if finding is None else finding.reason)
        self._show_reason()
        with QSignalBlocker(self.list):
            item = None if finding is None else self.list.topLevelItem(finding.number)
            if item is None:
                self.list.clearSelection()
            else:
                self.list.setCurrentItem(item)

    def _show_reason(self) -> None:
        """Scroll to the reason, which is below the list and as high as its text."""
        if self.reason.text():
            self._scroll.ensureWidgetVisible(self.reason, 0, GRID)

    def _on_current(self, item: QTreeWidgetItem | None, _before: object) -> None:
        self.finding_chosen.emit(None if item is None else self._findings[item.data(0, _NUMBER)])

    def _on_source(self) -> None:
        self.device_list.setEnabled(not self.of_track)

    # Construction

    def _make_controls(self) -> None:
        self.source = ChoiceBox()
        self.source.addItem(tr("Kept updates of"), KEPT)
        self.source.addItem(tr("The loaded track"), TRACK)
        self.source.setAccessibleName(tr("Updates to replay"))
        self.device_list = DeviceList()
        self.switches = {name: QCheckBox(text) for name, text in _SWITCHES.items()}
        self.confidence = ChoiceBox()
        for value, text in ((1, tr("1 (any)")), (2, "2"), (3, tr("3 (high)"))):
            self.confidence.addItem(text, value)
        self.dwell = NumberBox("min", unset=tr("none"))
        self.sandbox = button("", self.sandbox_requested.emit)
        self.sandbox.setToolTip(tr("Edit geofences in a sandbox that nobody else sees"))
        self.replay = button(tr("Replay"), self.replay_requested.emit, "primary")
        self.keep = button(tr("Keep"), self.keep_requested.emit)
        self.keep.setToolTip(tr("Store these settings and geofences as one undoable step"))
        self.discard = button(tr("Discard"), self.discard_requested.emit)
        self.discard.setToolTip(tr("Go back to the stored settings and geofences"))
        self.sweep = button(tr("Sweep…"), self.sweep_requested.emit)
        self.sweep.setToolTip(tr("Vary one parameter over a range, with the noise of a phone"))
        self.summary = label("", "muted", wrap=True)
        self.reason = label("", wrap=True)
        self.reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.list = QTreeWidget()
        self.list.setObjectName("WhatIfList")
        self.list.setHeaderLabels(list(_COLUMNS))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAlternatingRowColors(False)
        self.list.setAccessibleName(tr("Events gained, lost and moved"))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def _make_body(self) -> QWidget:
        body, layout = panel(margins=12)
        layout.setSpacing(6)
        layout.addWidget(self.source)
        layout.addWidget(self.device_list)
        for switch in self.switches.values():
            layout.addWidget(switch)
        confidence = Field(tr("Minimum confidence"), self.confidence, gap=False)
        layout.addLayout(Flow(confidence, Field(tr("Dwell threshold"), self.dwell, gap=False), fill=True))
        layout.addLayout(Flow(self.sandbox, self.sweep, fill=True))
        layout.addLayout(Flow(self.replay, self.keep, self.discard, fill=True))
        layout.addWidget(self.summary)
        layout.addWidget(self.list)
        layout.addWidget(self.reason)
        layout.addStretch(1)
        self._scroll = Scroll(body)
        self._scroll.verticalScrollBar().rangeChanged.connect(self._show_reason)
        return self._scroll


def _item(finding: Finding) -> QTreeWidgetItem:
    event = finding.event
    point = event.point
    zone = None if point is None else zone_at(point.longitude, point.latitude)
    item = QTreeWidgetItem([f"{finding.event_text} · {finding.subject}", event.user.device_id, finding.change])
    item.setData(0, _NUMBER, finding.number)
    item.setIcon(0, event_mark(finding.kind.value))
    tip = f"{finding.label}\n{event.user.device_id}, {full_time(event.created_at, zone)}\n{finding.reason}"
    for column in range(len(_COLUMNS)):
        item.setToolTip(column, tip_text(tip))
    return item


class DeviceList(QListWidget):
    """A list of device names in which adding or removing a device keeps the other rows and the user's choice."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Devices"))
        self.setFixedHeight(72)
        self.setUniformItemSizes(True)
        self._names: list[str] = []
        self._known: set[str] = set()
        self._unchosen: set[str] = set()
        """Devices that the user has deselected, including removed ones, as they may return."""

    def chosen(self) -> tuple[str, ...]:
        """Return the chosen devices."""
        return tuple(name for row, name in enumerate(self._names) if self._is_chosen(row))

    def show_devices(self, devices: Iterable[str]) -> None:
        """Offer exactly these devices."""
        wanted = set(filter(None, devices))
        for row in reversed([row for row, name in enumerate(self._names) if name not in wanted]):
            if not self._is_chosen(row):
                self._unchosen.add(self._names[row])
            self.takeItem(row)
            del self._names[row]
        self._known &= wanted
        if not wanted:
            self._unchosen.clear()
        self.add_devices(wanted)

    def add_devices(self, devices: Iterable[str]) -> None:
        """Offer these devices in addition, selected unless the user had deselected them earlier."""
        for name in sorted({name for name in devices if name} - self._known):
            row = bisect_left(self._names, name)
            item = QListWidgetItem(name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            chosen = name not in self._unchosen
            item.setCheckState(Qt.CheckState.Checked if chosen else Qt.CheckState.Unchecked)
            self._unchosen.discard(name)
            self.insertItem(row, item)
            self._names.insert(row, name)
            self._known.add(name)

    def _is_chosen(self, row: int) -> bool:
        return self.item(row).checkState() is Qt.CheckState.Checked
