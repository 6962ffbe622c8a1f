"""A sweep of one parameter over a range with the noise of a phone: curves, and the value that catches 99 %."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QWidget

from app.desktop.dialogs.whatif.plot import SweepPlot
from app.desktop.language import tr, translated
from app.desktop.map.values import Theme
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.fields.numbers import NumberBox, take_all
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.widgets import GRID, Field, button, label
from engine.domain.tracking.sweep import SweepParameter, SweepResult
from engine.domain.tracking.updates import EventType
from engine.simulation.noise.model import PRESETS

_PARAMETERS: Mapping[SweepParameter, tuple[str, float, float]] = {
    SweepParameter.RADIUS: (tr("Radius (m)"), 50, 300),
    SweepParameter.ACCURACY: (tr("Phone accuracy (m)"), 5, 100),
    SweepParameter.DWELL: (tr("Dwell threshold (min)"), 1, 10),
    SweepParameter.BUFFER: (tr("Buffers"), 0, 0),
    SweepParameter.SPEED: (tr("Speed (km/h)"), 5, 100),
}
_NAMES: Mapping[SweepParameter, str] = {
    SweepParameter.RADIUS: tr("Radius"),
    SweepParameter.ACCURACY: tr("Accuracy"),
    SweepParameter.DWELL: tr("Dwell threshold"),
    SweepParameter.BUFFER: tr("Buffers"),
    SweepParameter.SPEED: tr("Speed"),
}
_EVENTS = (
    (tr("Entries"), EventType.ENTERED_GEOFENCE),
    (tr("Exits"), EventType.EXITED_GEOFENCE),
    (tr("Dwells"), EventType.DWELLED_IN_GEOFENCE),
)


def verdict_text(result: SweepResult) -> str:
    """Return a sentence about the result: the value that catches 99 % and the false events that come with it."""
    why = "" if result.reason is None else f" {tr('Reason:')} {translated(result.reason)}"
    if (best := result.best) is None:
        if any(point.expected for point in result.points):
            return tr("No value catches 99 %.") + why
        return tr("The track without noise generates no such event, so there is nothing to detect.") + why
    name, value = _NAMES[result.parameter], translated(result.label(best.value))
    if best.false_rate == 0:
        return tr(
            "{parameter_name} {parameter_value} catches 99 %, with no false events.",
            parameter_name=name,
            parameter_value=value,
        )
    rate = max(best.false_rate, 0.01)
    return tr(
        "{parameter_name} {parameter_value} catches 99 %, with {false_event_rate:.2f} false events per run.",
        parameter_name=name,
        parameter_value=value,
        false_event_rate=rate,
    )


class SweepDialog(QDialog):
    """Requests a sweep from the controller by signals, and shows its result."""

    run_requested = Signal()
    cancel_requested = Signal()
    csv_requested = Signal()
    png_requested = Signal()

    def __init__(self, parent: QWidget, title: str, theme: Theme) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Sweep"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(720, 640)
        self._running = False
        self.result_: SweepResult | None = None
        self.about = label(title, "muted", wrap=True)
        self._make_fields()
        self.plot = SweepPlot(theme)
        legend = tr(
            "Delay: median (solid) and 95th percentile (dashed). Whether the device is stopped or in the foreground is "
            "derived from how it moves, whatever the track says."
        )
        self.legend = label(legend, "muted", wrap=True)
        self.verdict = label("", "strong", wrap=True)
        self.error = label("", "error", wrap=True)
        in_dialog(
            self,
            self.about,
            self._make_form(),
            (self.plot, 1),
            self.legend,
            self.verdict,
            self.error,
            self._make_buttons(),
        )
        self.parameter.currentIndexChanged.connect(self._on_parameter)
        self._on_parameter()
        self.show_running(False)
        self.finished.connect(lambda: self.cancel_requested.emit())

    @property
    def chosen(self) -> SweepParameter:
        """The parameter to vary."""
        return SweepParameter(self.parameter.currentData())

    def show_running(self, running: bool) -> None:
        """Show whether a sweep is running."""
        self._running = running
        self.run.setText(tr("Cancel") if running else tr("Run"))
        for part in (self.csv, self.png):
            part.setEnabled(not running and self.result_ is not None)

    def show_points(self, result: SweepResult, *, finished: bool) -> None:
        """Show the results so far, or all of them."""
        self.plot.show_result(result, _PARAMETERS[result.parameter][0], finished=finished)
        if not finished:
            return
        self.result_ = result
        self.verdict.setText(verdict_text(result))

    def show_error(self, text: str) -> None:
        """Show an error."""
        self.error.setText(text)
        self.error.setVisible(bool(text))

    def _on_run(self) -> None:
        if self._running:
            self.cancel_requested.emit()
        elif take_all((self.low, self.high, self.steps, self.seeds)):
            self.run_requested.emit()

    def _on_parameter(self) -> None:
        _, low, high = _PARAMETERS[self.chosen]
        has_range = self.chosen is not SweepParameter.BUFFER
        for box, value in ((self.low, low), (self.high, high)):
            box.setSuffix(f" {self.chosen.unit}")
            box.setValue(value)
            box.setEnabled(has_range)
        self.steps.setEnabled(has_range)
        self.event_.setCurrentIndex(2 if self.chosen is SweepParameter.DWELL else 0)

    def _make_fields(self) -> None:
        self.parameter = ChoiceBox()
        for parameter, (text, _, _) in _PARAMETERS.items():
            self.parameter.addItem(text, parameter.value)
        self.low, self.high = NumberBox("m"), NumberBox("m")
        self.steps, self.seeds = NumberBox(tr("values"), decimals=0), NumberBox(tr("runs"), decimals=0)
        self.steps.setValue(11)
        self.seeds.setValue(100)
        self.noise = ChoiceBox()
        self.noise.addItem(tr("No noise"), None)
        for name in PRESETS:
            self.noise.addItem(translated(name.replace("-", " ").capitalize()), name)
        self.noise.setCurrentIndex(2)
        self.event_ = ChoiceBox()
        for text, event_type in _EVENTS:
            self.event_.addItem(text, event_type.value)
        self.run = button(tr("Run"), self._on_run, "primary")
        self.csv = button(tr("Save CSV…"), self.csv_requested.emit)
        self.png = button(tr("Save picture…"), self.png_requested.emit)

    def _make_form(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(GRID)
        fields: tuple[tuple[str, QWidget], ...] = (
            *(
                (tr("Parameter"), self.parameter),
                (tr("From"), self.low),
                (tr("To"), self.high),
                (tr("Values"), self.steps),
            ),
            *((tr("Noise"), self.noise), (tr("Runs per value"), self.seeds), (tr("Events"), self.event_)),
        )
        for number, (name, widget) in enumerate(fields):
            grid.addWidget(Field(name, widget, gap=False), number // 4, number % 4)
        return grid

    def _make_buttons(self) -> QHBoxLayout:
        return in_row(self.csv, self.png, STRETCH, self.run, button(tr("Close"), self.close), spacing=6)
