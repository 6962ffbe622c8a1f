"""Simulation of many devices at once: their plan and their progress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QWidget

from app.desktop.language import counted, tr, translated
from app.desktop.model.words import duration, error_text
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.fields.numbers import NumberBox, take_all
from app.desktop.panels.layouts import STRETCH, in_column, in_dialog, in_row
from app.desktop.panels.simulation.phone import NO_NOISE, preset_title
from app.desktop.panels.widgets import GRID, Field, OneLine, button, label
from engine.domain.errors import InvalidParameter
from engine.domain.travel import TravelMode
from engine.simulation.fleet.fleet import FleetState, FleetStatus
from engine.simulation.fleet.plan import FleetPlan
from engine.simulation.noise.model import PRESETS

SPEEDS: Final[tuple[tuple[str, float | None], ...]] = (
    ("×1", 1.0),
    ("×2", 2.0),
    ("×5", 5.0),
    ("×10", 10.0),
    ("×60", 60.0),
    (tr("As fast as possible"), None),
)
_ANYWHERE: Final = tr("Anywhere in the areas in use")
_M_PER_KM: Final = 1_000.0
_COLUMNS: Final = 2
_STATES: Final = {
    FleetState.READY: tr("Ready"),
    FleetState.RUNNING: tr("Running"),
    FleetState.FINISHED: tr("Finished"),
    FleetState.STOPPED: tr("Stopped"),
    FleetState.FAILED: tr("Stopped by an error"),
}


class FleetWish(Struct, frozen=True):
    """The parameters of a fleet: its plan, the tag of the geofences it visits (None for any place), and its speed."""

    plan: FleetPlan
    tag: str | None
    speed: float | None


class FleetDialog(QDialog):
    """Emits fleet requests. The dialog is modeless, so the window stays usable while a fleet moves."""

    start_requested = Signal(object)
    stop_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Fleet"))
        self.setMinimumWidth(460)
        self.devices, self.seed = NumberBox("", decimals=0), NumberBox("", decimals=0)
        self.reach, self.stagger, self.interval = NumberBox("km"), NumberBox("s"), NumberBox("s")
        for box, value in ((self.devices, 50), (self.reach, 5), (self.stagger, 1), (self.interval, 5)):
            box.setValue(value)
        self.seed.setToolTip(tr("The same seed gives the same fleet"))
        self.reach.setToolTip(tr("Longest distance that a device travels"))
        self.stagger.setToolTip(tr("Time between the start of one device and the next"))
        self.mode, self.destination, self.noise, self.speed = ChoiceBox(), ChoiceBox(), ChoiceBox(), ChoiceBox()
        for mode in TravelMode:
            self.mode.addItem(translated(mode.value.capitalize()), mode)
        self.noise.addItem(NO_NOISE, None)
        for name, preset in PRESETS.items():
            self.noise.addItem(preset_title(name), preset)
        for text, factor in SPEEDS:
            self.speed.addItem(text, factor)
        self.loop = QCheckBox(tr("Go back and forth until stopped"))
        self.trips = QCheckBox(tr("Start and complete trips"))
        self.trips.setToolTip(tr("Start a trip with each route and complete it at the end"))
        self.state, self.rate, self.note = OneLine(), OneLine(), label("", "hint", wrap=True)
        self.start = button(tr("Start"), self._on_start, "primary")
        self.stop = button(tr("Stop"), self.stop_requested.emit)
        self.fields = self._make_fields()
        self._arrange()
        self.show_tags(())
        self.show_status(None)

    def show_tags(self, tags: Sequence[str]) -> None:
        """Offer the geofences with these tags as destinations, and keep the choice if possible."""
        chosen = self.destination.currentData()
        self.destination.clear()
        self.destination.addItem(_ANYWHERE, None)
        for tag in tags:
            self.destination.addItem(tr("Geofences with the tag {tag}", tag=tag), tag)
        self.destination.setCurrentIndex(max(0, self.destination.findData(chosen)))

    def show_planning(self) -> None:
        """Show that trips are being planned."""
        self.state.show_text(tr("Finding trips…"))
        self._enable(busy=True)

    def show_status(self, status: FleetStatus | None) -> None:
        """Show the progress of the fleet, or that no fleet is running if it is None."""
        running = status is not None and status.state is FleetState.RUNNING
        self._enable(busy=running)
        if status is None:
            self.state.show_text(tr("No fleet is running."))
            self.rate.show_text("")
            self.note.setText("")
            return
        moving = tr("{moving:,} of {devices} moving", moving=status.moving, devices=counted(status.devices, "device"))
        self.state.show_text(f"{_STATES[status.state]} · {duration(status.elapsed_s)} · {moving}")
        rate = (
            tr(
                "{update_rate:,.0f} updates/s · ×{speed_factor:.2g} · ",
                update_rate=status.per_second,
                speed_factor=status.pace,
            )
            if running and status.pace
            else ""
        )
        self.rate.show_text(
            tr(
                "{update_rate}{fixes} sent · {events}",
                update_rate=rate,
                fixes=counted(status.sent, "fix", "fixes"),
                events=counted(status.events, "event"),
            )
        )
        self.note.setText(self._note(status))

    def _note(self, status: FleetStatus) -> str:
        if status.late:
            return tr("The engine cannot process more updates per second, so the fleet runs slower than requested.")
        if status.refused and status.error is not None:
            return tr(
                "{updates} refused; last error: {error}", updates=counted(status.refused, "update"), error=status.error
            )
        return str(status.error) if status.error is not None else ""

    def show_error(self, error: Exception | None) -> None:
        """Show the error of a field or of the fleet."""
        param = error.param if isinstance(error, InvalidParameter) else ""
        for name, field in self.fields.items():
            field.show_error(error_text(error) if error is not None and name == param else None)
        if error is not None and param not in self.fields:
            self.note.setText(error_text(error))

    def _enable(self, *, busy: bool) -> None:
        for editor in (*(field.editor for field in self.fields.values()), self.loop, self.trips):
            editor.setDisabled(busy)
        self.start.setDisabled(busy)
        self.stop.setEnabled(busy)

    def _on_start(self) -> None:
        if not take_all((self.devices, self.seed, self.reach, self.stagger, self.interval)):
            return
        try:
            plan = FleetPlan(
                devices=int(self.devices.value()),
                seed=int(self.seed.value()),
                mode=TravelMode(self.mode.currentData()),  # Qt returns a plain string.
                interval_s=self.interval.value(),
                stagger_s=self.stagger.value(),
                reach_m=self.reach.value() * _M_PER_KM,
                loop=self.loop.isChecked(),
                trips=self.trips.isChecked(),
                noise=self.noise.currentData(),
            )
        except InvalidParameter as error:
            self.show_error(error)
            return
        self.show_error(None)
        self.start_requested.emit(FleetWish(plan, self.destination.currentData(), self.speed.currentData()))

    def _make_fields(self) -> dict[str, Field]:
        return {
            "devices": Field(tr("Devices"), self.devices),
            "seed": Field(tr("Seed"), self.seed),
            "area": Field(tr("Destinations"), self.destination),
            "reach_m": Field(tr("Maximum distance"), self.reach),
            "mode": Field(tr("Travel mode"), self.mode),
            "speed": Field(tr("Speed"), self.speed),
            "stagger_s": Field(tr("Start interval"), self.stagger),
            "interval_s": Field(tr("Fix interval"), self.interval),
            "noise": Field(tr("Noise"), self.noise),
        }

    def _arrange(self) -> None:
        layout = in_dialog(self)
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        for column in range(_COLUMNS):
            grid.setColumnStretch(column, 1)
        for number, field in enumerate(self.fields.values()):
            grid.addWidget(field, number // _COLUMNS, number % _COLUMNS)
        grid.addLayout(
            in_column(STRETCH, self.loop, self.trips), len(self.fields) // _COLUMNS, len(self.fields) % _COLUMNS
        )
        layout.addLayout(grid)
        for widget in (self.state, self.rate, self.note):
            layout.addWidget(widget)
        layout.addLayout(in_row(STRETCH, self.stop, self.start))
