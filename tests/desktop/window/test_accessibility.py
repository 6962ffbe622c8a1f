"""Accessible names: the text that a screen reader speaks for each control of the window and of every dialog."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QCalendarWidget,
    QComboBox,
    QDialog,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QScrollBar,
    QTextEdit,
    QWidget,
)

import app.desktop.dialogs
from app.desktop.demo import demo_file
from app.desktop.dialogs.about import AboutDialog
from app.desktop.dialogs.areas import AreasDialog
from app.desktop.dialogs.backtests.request import BacktestDialog
from app.desktop.dialogs.backtests.results import BacktestResultsDialog
from app.desktop.dialogs.bulk_edit.dialog import BulkEditDialog
from app.desktop.dialogs.bulk_edit.hours import CopyHoursDialog
from app.desktop.dialogs.clear import ClearDialog
from app.desktop.dialogs.clock import ClockDialog
from app.desktop.dialogs.faults import FaultsDialog
from app.desktop.dialogs.help.diagnostics import DiagnosticsDialog
from app.desktop.dialogs.help.dialog import HelpDialog
from app.desktop.dialogs.import_report import ImportReportDialog, ProblemsDialog, ProblemsModel
from app.desktop.dialogs.importing.columns import ColumnsDialog
from app.desktop.dialogs.importing.exporting import ExportDialog
from app.desktop.dialogs.importing.layers import LayerDialog
from app.desktop.dialogs.importing.preview import PreviewDialog
from app.desktop.dialogs.integrations.nightly_sync import NightlySyncDialog
from app.desktop.dialogs.map_layers.imagery import ImageryDialog
from app.desktop.dialogs.map_layers.wms_layers import WmsLayersDialog
from app.desktop.dialogs.palette import CommandPalette
from app.desktop.dialogs.review.conflicts import ConflictsDialog
from app.desktop.dialogs.review.history import HistoryDialog
from app.desktop.dialogs.review.promotion import PromotionDialog
from app.desktop.dialogs.sdks import SdkDialog
from app.desktop.dialogs.send_request import SendDialog
from app.desktop.dialogs.settings import SettingsDialog
from app.desktop.dialogs.shortcuts import ShortcutsDialog
from app.desktop.dialogs.simulation.fleet import FleetDialog
from app.desktop.dialogs.simulation.noise import NoiseDialog
from app.desktop.dialogs.timing import TimingDialog
from app.desktop.dialogs.tracks.numbers import NumberField, NumbersDialog
from app.desktop.dialogs.tracks.recording import RecordingDialog
from app.desktop.dialogs.tracks.skipped import SkippedDialog
from app.desktop.dialogs.webhooks.editing import ReplayRangeDialog, WebhookDialog
from app.desktop.dialogs.whatif.sweep import SweepDialog
from app.desktop.dialogs.world_data import WorldDataDialog
from app.desktop.map_export.dialog import MapExportDialog
from app.desktop.model.imagery.capabilities import WmsLayer
from app.desktop.model.importing import Columns
from app.desktop.model.review.promotion import PromotionBook
from app.desktop.model.simulation.sender import Timing
from app.desktop.window.message import MessageLine
from app.diagnostics.collecting import Part
from app.exchanges import LoggedRequest, Message, RequestSummary
from engine.domain.environment import Environment
from engine.domain.errors import Conflict
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.imports import ImportReport, RowError
from engine.domain.settings import DEFAULT_SETTINGS, Comparison, Condition, SegmentRule, SettingsChange
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.domain.tracking.updates import LocationUpdate
from engine.geofences.promotion.promotions import PromotionQuery
from engine.simulation.noise.model import PRESETS
from tests.app.backtest.reports import COMPARED
from tests.desktop.window.user import User

TEST = Environment.TEST
AT = datetime(2026, 5, 12, 6, 0, tzinfo=UTC)
INTERACTIVE = (
    *(QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox, QAbstractSlider, QAbstractItemView),
    *(QPlainTextEdit, QTextEdit, QProgressBar),
)
_LOGGED = LoggedRequest(
    RequestSummary(1, AT, 0.1, False, "GET", "/v1/geofences", 200, None, None, (), ()),
    "127.0.0.1",
    Message((), "", 0, False),
    None,
)
_REPORT = ImportReport(2, 1, 0, (RowError(2, "radius", "radius: must be a number."),))


def accessible_name_of(widget: QWidget) -> str:
    """Return the name that a screen reader uses for a widget: its accessible name, its text or its label."""
    found = QAccessible.queryAccessibleInterface(widget)
    return found.text(QAccessible.Text.Name).strip()


def controls(root: QWidget) -> Iterator[QWidget]:
    """Yield every control of a window, except the parts of composite Qt widgets."""
    for widget in root.findChildren(QWidget):
        if isinstance(widget, INTERACTIVE) and widget.window() is root and not _is_part(widget):
            yield widget


def _is_part(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    if isinstance(widget, QScrollBar | QHeaderView) or type(widget).__name__ in ("QTableCornerButton",):
        return True
    if widget.objectName() in ("qt_toolbar_ext_button", "qt_spinbox_lineedit", "ScrollLeftButton", "ScrollRightButton"):
        return True
    if isinstance(parent, QComboBox | QAbstractSpinBox | QAbstractItemView):
        return True
    if isinstance(parent, QLineEdit):  # its icon, and its clear button
        return True
    if isinstance(parent, MessageLine) and not widget.isVisible():  # its buttons get their texts along with the message
        return True
    while parent is not None:
        if isinstance(parent, QCalendarWidget):
            return True
        parent = parent.parentWidget()
    return False


def nameless(root: QWidget) -> list[str]:
    """Return the controls of a window without a name, with their location."""
    return [
        f"{type(each).__name__} {each.objectName()} in {_place(each)}"
        for each in controls(root)
        if not accessible_name_of(each)
    ]


def _place(widget: QWidget) -> str:
    above: list[str] = []
    parent = widget.parentWidget()
    while parent is not None and len(above) < 5:
        above.append(f"{type(parent).__name__} {parent.objectName()}".strip())
        parent = parent.parentWidget()
    return " < ".join(above)


def fill(user: User) -> None:
    """Show everything that is created only when there is content for it."""
    fence = user.given()
    user.given(2, "depot", longitude=14.6)
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(metadata={"floor": 3, "open": True}))
    rule = SegmentRule("A", "a", (Condition("stopped", Comparison.EQUALS, True),))
    user.engine.settings.change(TEST, SettingsChange(segments=(rule,)))
    user.select(fence)
    user.engine.tracking.track(TEST, LocationUpdate("phone", Point(14.5, 46.05), 5.0))
    user.window.tracks.open(demo_file("track.gpx"))
    user.until(lambda: user.window.model.simulation.track is not None)
    user.window.timeline_panel.unfold()
    user.window.actions_.confidence.trigger()
    user.window.actions_.what_if.trigger()
    user.idle()


@pytest.mark.slow
def test_every_control_of_the_window_has_a_name(user: User) -> None:
    fill(user)
    assert len(list(controls(user.window))) > 150
    assert "\n".join(nameless(user.window)) == ""


def untimed() -> Track:
    return Track("walk", (TrackPoint(Point(14.49, 46.05)), TrackPoint(Point(14.5, 46.05))), ("row 3: no latitude",))


type Make = Callable[[User], QDialog]

MADE: dict[type[QDialog], Make] = {
    AboutDialog: lambda user: AboutDialog(user.window),
    AreasDialog: lambda user: AreasDialog(user.window),
    BacktestDialog: lambda user: BacktestDialog(user.window),
    BacktestResultsDialog: lambda user: BacktestResultsDialog(user.window, COMPARED, Path("backtest")),
    BulkEditDialog: lambda user: BulkEditDialog(user.window, user.stored(), ("a",), DEFAULT_SETTINGS, "light"),
    ClearDialog: lambda user: ClearDialog(user.window, ("phone",), None, None),
    ClockDialog: lambda user: ClockDialog(user.window),
    ColumnsDialog: lambda user: columns(user),
    CopyHoursDialog: lambda user: CopyHoursDialog(user.window, user.only(), None, user.stored(), ()),
    ConflictsDialog: lambda user: ConflictsDialog(user.window, "Text", ((user.only(), Conflict("id", "Taken.")),)),
    CommandPalette: lambda user: CommandPalette(user.window, user.window.actions_.all(), lambda _: None),
    DiagnosticsDialog: lambda user: DiagnosticsDialog(user.window, (Part("log.txt", "the log", "a line"),)),
    ExportDialog: lambda user: ExportDialog(user.window, ("store",)),
    FaultsDialog: lambda user: FaultsDialog(user.window),
    FleetDialog: lambda user: FleetDialog(user.window),
    HelpDialog: lambda user: HelpDialog(user.window, "light"),
    HistoryDialog: lambda user: HistoryDialog(user.window, live=False),
    ImportReportDialog: lambda user: ImportReportDialog(user.window, "stores.csv", _REPORT),
    ImageryDialog: lambda user: imagery(user),
    LayerDialog: lambda user: LayerDialog(user.window, "stores.gpkg", ("one", "two")),
    MapExportDialog: lambda user: MapExportDialog(user.window, "Map", "light"),
    NightlySyncDialog: lambda user: NightlySyncDialog(user.window),
    NoiseDialog: lambda user: NoiseDialog(user.window, PRESETS["city-canyon"]),
    NumbersDialog: lambda user: NumbersDialog(
        user.window, "Title", "Text", (NumberField("gap", "Start after", "s", 60.0),), "Join"
    ),
    PreviewDialog: lambda user: PreviewDialog(user.window, "stores.csv", _REPORT),
    ProblemsDialog: lambda user: ProblemsDialog(user.window, "", "Text", ProblemsModel(_REPORT.errors, ())),
    PromotionDialog: lambda user: promotion(user),
    RecordingDialog: lambda user: RecordingDialog(user.window, ("phone",), None),
    ReplayRangeDialog: lambda user: ReplayRangeDialog(user.window, AT),
    SdkDialog: lambda user: SdkDialog(user.window),
    SendDialog: lambda user: SendDialog(user.window, _LOGGED, (("No key", None),), 0),
    SettingsDialog: lambda user: SettingsDialog(user.window),
    ShortcutsDialog: lambda user: ShortcutsDialog(user.window, user.window.actions_.all()),
    SkippedDialog: lambda user: SkippedDialog(user.window, untimed()),
    SweepDialog: lambda user: SweepDialog(user.window, "Store 1", "light"),
    TimingDialog: lambda user: TimingDialog(user.window, untimed(), Timing(), AT),
    WmsLayersDialog: lambda user: WmsLayersDialog(user.window, (WmsLayer("a", "Aerial images", True),), ()),
    WorldDataDialog: lambda user: WorldDataDialog(user.window),
    WebhookDialog: lambda user: WebhookDialog(user.window, None, live=False),
}
"""Functions that create the dialogs that do not exist until they are opened."""


def columns(user: User) -> QDialog:
    return ColumnsDialog(user.window, "stores.csv", ("Group", "Kind", "Metres"), Columns({"tag": "Group"}, {}))


def imagery(user: User) -> QDialog:
    made = ImageryDialog(user.window)
    user.click(made.add_wms)
    return made


def promotion(user: User) -> QDialog:
    plan = user.engine.promotions.plan(PromotionQuery())
    return PromotionDialog(user.window, PromotionBook(plan), "light")


def dialogs_of_the_program() -> set[type[QDialog]]:
    for module in pkgutil.walk_packages(app.desktop.dialogs.__path__, "app.desktop.dialogs."):
        importlib.import_module(module.name)
    found, waiting = set[type[QDialog]](), [QDialog]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            if kind.__module__.startswith("app."):
                found.add(kind)
    return found


@pytest.mark.new_window
def test_every_dialog_is_looked_at(user: User) -> None:
    """A new dialog needs an entry above, unless the window creates it at the start."""
    made_with_the_window = {type(each) for each in user.window.findChildren(QDialog)}
    assert dialogs_of_the_program() - made_with_the_window == MADE.keys()


def test_every_control_of_the_dialogs_that_the_window_makes_has_a_name(user: User) -> None:
    fill(user)
    dialogs = [each for each in user.window.findChildren(QDialog) if type(each) not in MADE]
    assert len(dialogs) > 3
    assert "\n".join(f"{type(each).__name__}: {name}" for each in dialogs for name in nameless(each)) == ""


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_every_control_of_a_dialog_has_a_name(looker: User, kind: type[QDialog]) -> None:
    dialog = MADE[kind](looker)
    assert list(controls(dialog))
    assert nameless(dialog) == []
    dialog.deleteLater()
