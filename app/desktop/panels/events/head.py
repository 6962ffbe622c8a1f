"""Head of the events panel: the filter, and actions for the selected event."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QWidget

from app.desktop.icons import icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.inspector.filtering import AFTER, BEFORE
from app.desktop.model.search.parts import with_part
from app.desktop.panels.layouts import in_row
from app.desktop.panels.menus import Menu
from app.desktop.panels.widgets import button_text, restyle, tip_text, tool_button
from engine.domain.tracking.updates import Event

_TIP = tr(
    "Each word narrows the list. To filter by a field, write its name and a value:\n"
    "type:entered  device:phone-1  user:ann  geofence:store/12  tag:store\n"
    "after:2026-05-01T08:00  before:2026-05-02\n"
    "* matches any characters; put values with spaces in quotes. Times are in the time zone "
    "of the newest event."
)


class EventHead(QWidget):
    """The filter and actions; emits requests that the panel handles."""

    filter_changed = Signal(str)
    pin_requested = Signal()
    copy_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.words = QLineEdit()
        self.words.setPlaceholderText(tr("Filter"))
        self.words.setAccessibleName(tr("Filter events"))
        self.words.setToolTip(tip_text(_TIP))
        self.words.setClearButtonEnabled(True)
        self.words.setMinimumWidth(60)
        self.narrow = tool_button(tr("Filter by the selected event"), self._open_menu, "NarrowEvents")
        self.pin = tool_button(tr("Pin the selected event to keep it in view"), self.pin_requested.emit, "PinEvent")
        self.pin.setCheckable(True)
        self.copy = tool_button(
            tr("Copy the selected event as the API returns it"), self.copy_requested.emit, "CopyEvent"
        )
        self._event: Event | None = None
        in_row((self.words, 1), self.narrow, self.pin, self.copy, of=self, margins=0, spacing=4)
        self.words.textChanged.connect(self.filter_changed)
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.words, context=Qt.ShortcutContext.WidgetShortcut)
        leave.activated.connect(self.words.clear)
        self.show_event(None, pinned=False)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Allow the panel to become narrow."""
        return QSize(160, super().minimumSizeHint().height())

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons for a theme."""
        for made, name in ((self.narrow, "funnel"), (self.pin, "push-pin"), (self.copy, "brackets-curly")):
            made.setIcon(icon(name, theme))

    def show_event(self, event: Event | None, *, pinned: bool) -> None:
        """Enable the actions for an event, or disable them for None."""
        self._event = event
        for made in (self.narrow, self.pin, self.copy):
            made.setEnabled(event is not None)
        self.pin.setChecked(pinned)

    def show_problem(self, problem: str | None) -> None:
        """Mark the part of the filter that cannot be understood."""
        restyle(self.words, "invalid", problem is not None)
        self.words.setToolTip(tip_text(problem or _TIP))

    def narrow_to(self, name: str, value: str) -> None:
        """Add a value to the filter, replacing any other value of that name."""
        self.words.setText(with_part(self.words.text(), name, value))

    def menu_of(self, event: Event) -> Menu:
        """Return a menu with filters for an event and other actions."""
        menu = Menu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        for text, name, value in _ways(event):
            entry = menu.addAction(button_text(text))
            entry.triggered.connect(lambda _=False, name=name, value=value: self.narrow_to(name, value))
        menu.addSeparator()
        menu.addAction(tr("Unpin") if self.pin.isChecked() else tr("Pin")).triggered.connect(self.pin_requested)
        menu.addAction(tr("Copy JSON")).triggered.connect(self.copy_requested)
        return menu

    def _open_menu(self) -> None:
        if self._event is not None:
            self.menu_of(self._event).popup(self.narrow.mapToGlobal(self.narrow.rect().bottomLeft()))


def _ways(event: Event) -> list[tuple[str, str, str]]:
    """Return the filters for an event: the menu text, and the name and value of the filter."""
    ways = [(tr("Only {event_type}", event_type=event.type), "type", event.type)]
    if (fence := event.geofence) is not None:
        name = f"{fence.tag}/{fence.external_id}"
        ways += [
            (tr("Only geofence {geofence_id}", geofence_id=name), "geofence", name),
            (tr("Only tag {tag}", tag=fence.tag), "tag", fence.tag),
        ]
    elif event.beacon is not None:
        ways.append((tr("Only tag {tag}", tag=event.beacon.tag), "tag", event.beacon.tag))
    if event.user.device_id:
        ways.append((tr("Only device {device_id}", device_id=event.user.device_id), "device", event.user.device_id))
    if event.user.user_id:
        ways.append((tr("Only user {user_id}", user_id=event.user.user_id), "user", event.user.user_id))
    at = f"{event.created_at:%Y-%m-%dT%H:%M:%S.%fZ}"
    return [*ways, (tr("From this event on"), AFTER, at), (tr("Up to this event"), BEFORE, at)]
