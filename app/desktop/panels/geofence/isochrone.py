"""The small panel over the map for trying out an isochrone."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QWidget

from app.desktop.language import tr, translated
from app.desktop.model.isochrones import DEFAULT_MINUTES, Trial
from app.desktop.model.words import position
from app.desktop.panels.fields.minutes import MinutesEdit
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.widgets import GRID, Field, PageSwitch, button, label
from engine.domain.geometry import Point
from engine.domain.travel import TravelMode
from engine.domain.values import replace

_MODES = tuple(TravelMode)
_WIDTH = 360


class IsochronePanel(QFrame):
    """A panel that chooses the travel mode and time of an isochrone and keeps both for the next one."""

    changed = Signal()
    create_requested = Signal()
    cancel_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("IsochronePanel")
        self.setFixedWidth(_WIDTH)
        self.center: Point | None = None
        self.name = ""
        self.location = label("", "muted", wrap=True)
        self.modes = PageSwitch(tuple(translated(mode.value.capitalize()) for mode in _MODES))
        self.minutes = MinutesEdit()
        self.minutes.set_value(DEFAULT_MINUTES)
        self.modes.spread()
        self.bands = QCheckBox(tr("Bands"))
        self.bands.setToolTip(tr("Show shorter times as well, such as 5 and 10 of 15 minutes"))
        self.create_button = button(tr("Create"), self._create, "primary")
        self.cancel_button = button(tr("Cancel"), self.cancel_requested.emit)
        self.create_button.setToolTip(tr("Create a geofence from it (Enter)"))
        self.cancel_button.setToolTip(tr("Choose another tool (Esc)"))
        self.edge = label("", "hint", wrap=True)
        self.edge.hide()
        self._mode = TravelMode.CAR
        self._is_chosen = False
        """Whether the user has chosen the mode or the time."""
        self.fields = {
            "coordinates": Field("", self.location),
            "mode": Field("", self.modes),
            "size": Field("", self.minutes, self.minutes.number),
        }
        self._arrange()
        self.modes.chosen.connect(self._on_mode)
        self.minutes.previewed.connect(lambda _: self._on_minutes())
        self.minutes.committed.connect(lambda _: self._on_minutes())
        self.bands.toggled.connect(lambda _: self.changed.emit())
        self.show_center(None)

    @property
    def trial(self) -> Trial | None:
        """The previewed isochrone, or None before a destination is chosen."""
        if self.center is None:
            return None
        return Trial(self.center, self.minutes.shown, self._mode, self.bands.isChecked(), name=self.name)

    @property
    def proposal(self) -> Trial | None:
        """The isochrone to try first at a new destination: the default until the user has chosen a mode or time."""
        trial = self.trial
        if trial is None or self._is_chosen:
            return trial
        return replace(trial, minutes=DEFAULT_MINUTES, mode=TravelMode.CAR, proposed=True)

    def adopt(self, trial: Trial) -> None:
        """Show the mode and time of a trial without a signal."""
        self._mode = trial.mode
        self.modes.show_page(_MODES.index(trial.mode))
        self.minutes.set_value(trial.minutes)

    def show_edge(self, text: str) -> None:
        """Show that the isochrone reaches the edge of an area, or nothing."""
        self.edge.setText(text)
        self.edge.setVisible(bool(text))
        self.adjustSize()

    def show_center(self, center: Point | None, name: str = "") -> None:
        """Show the destination by its name, or by its coordinates if it has no name."""
        self.center, self.name = center, name
        self.location.setText(
            tr("To {destination}", destination=name or position(center))
            if center
            else tr("Click the destination on the map")
        )
        self.show_error("", "")
        self.show_edge("")
        self.set_ready(ready=False)

    def set_ready(self, *, ready: bool) -> None:
        """Enable or disable the creation of a geofence."""
        self.create_button.setEnabled(ready)

    def show_error(self, param: str, message: str) -> None:
        """Show an error at its field, or at the destination if no field matches."""
        named = param if param in self.fields else "coordinates"
        for name, field in self.fields.items():
            field.show_error(message if name == named else None)
        self.adjustSize()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Adopt the size from the style sheet, so that the first error does not resize the panel."""
        super().showEvent(event)
        self.adjustSize()

    def _create(self) -> None:
        if self.minutes.number.take():
            self.create_requested.emit()

    def _on_minutes(self) -> None:
        self._is_chosen = True
        self.changed.emit()

    def _on_mode(self, number: int) -> None:
        self._is_chosen = True
        self._mode = _MODES[number]
        self.changed.emit()

    def _arrange(self) -> None:
        in_column(
            *self.fields.values(),
            self.edge,
            in_row(self.bands, STRETCH, self.create_button, self.cancel_button, spacing=GRID),
            of=self,
            margins=12,
            spacing=GRID,
        )
