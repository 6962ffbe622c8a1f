"""Operating hours as the API's JSON, beside the week."""

from __future__ import annotations

from PySide6.QtCore import Signal

from app.desktop.language import tr
from app.desktop.model.hours.texts import HoursRead, read_hours, write_hours
from app.desktop.panels.geofence.text import TextPane
from app.desktop.panels.widgets import key_text
from engine.domain.hours import OperatingHours

_HEIGHT = 148


class HoursText(TextPane):
    """Follows the week, and is followed by it.

    `previewed` carries the hours that the text says while it is typed, `given` those that are applied.
    """

    previewed = Signal(object)
    given = Signal(object)

    def __init__(self) -> None:
        super().__init__(tr("Operating hours as JSON"), height=_HEIGHT)
        self._stored: OperatingHours | None = None
        self.typed.connect(self._on_typed)
        self.apply_requested.connect(lambda _: self.take())
        self.wanted.connect(self._on_wanted)
        self.let_go.connect(self._on_let_go)

    def show_hours(self, hours: OperatingHours | None) -> None:
        """Show hours, unless something is typed, or is what the user has just written like this."""
        self._stored = hours
        if self.dirty:
            return
        if not (self.edit.hasFocus() and _says(read_hours(self.text), hours)):
            self.show_text(write_hours(hours))

    def put_back(self, text: str) -> None:
        """Show a text that is not applied."""
        self.edit.setPlainText(text)

    def take(self) -> None:
        """Apply what is typed, where it can be read."""
        if not self.dirty:
            return
        read = read_hours(self.text)
        if read.fault is not None:
            self.show_status("", read.fault)
            return
        self._stored = read.hours
        self.accept("")
        self.given.emit(read.hours)

    def forget(self) -> None:
        """Drop what is typed."""
        self.show_text(write_hours(self._stored))

    def _on_typed(self) -> None:
        read = read_hours(self.text)
        if read.fault is not None:
            self.show_status("", read.fault)
        elif _says(read, self._stored):
            self.accept(tr("As stored"))
            self.previewed.emit(read.hours)
        else:
            self.show_status(tr("Valid. Applied after a pause, or with {key_text}.", key_text=key_text("Ctrl+Enter")))
            self.previewed.emit(read.hours)
            self.wait()

    def _on_wanted(self) -> None:
        self.forget()
        self.previewed.emit(self._stored)

    def _on_let_go(self) -> None:
        """Apply what is sound, and write it as it is written here, once nobody is at it any more."""
        self.take()
        if not self.dirty:
            self.show_text(write_hours(self._stored))


def _says(read: HoursRead, hours: OperatingHours | None) -> bool:
    return read.fault is None and read.hours == hours
