"""A webhook, new or changed; and the range of time whose events are sent once more."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app.desktop.model.moments import parse_moment, spell_moment
from app.desktop.model.webhooks import listed, words_of
from app.desktop.model.words import error_text
from app.desktop.panels.fields.basic import ChoiceBox, TextLine
from app.desktop.panels.widgets import GRID, Field, label, restyle
from engine.domain.errors import Conflict, InvalidParameter
from engine.domain.geofence import UNSET
from engine.domain.webhooks import CHUNK, DeliveryMode, Webhook, WebhookChange

_MODES = ((DeliveryMode.SINGLE, "One event a request"), (DeliveryMode.MULTIPLE, f"Up to {CHUNK} events a request"))


class WebhookDialog(QDialog):
    """Emits a change and stays open until it is stored."""

    submitted = Signal(object)

    def __init__(self, parent: QWidget, webhook: Webhook | None, *, live: bool) -> None:
        super().__init__(parent)
        self.setWindowTitle("New webhook" if webhook is None else "Edit webhook")
        self.setMinimumWidth(460)
        self._webhook = webhook
        self.url = TextLine()
        self.url.setPlaceholderText("https://example.com/webhooks" if live else "http://localhost:8080/webhooks")
        self.token = TextLine()
        self.token.setPlaceholderText("made by Fencewright")
        self.mode = ChoiceBox()
        for mode, text in _MODES:
            self.mode.addItem(text, mode)
        self.types = TextLine()
        self.types.setPlaceholderText("all, or such as user.entered_geofence, user.exited_geofence")
        self.tags = TextLine()
        self.tags.setPlaceholderText("all events, or only those of geofences and beacons with these tags")
        self.enabled = QCheckBox("Enabled: queue events for this webhook")
        self.enabled.setChecked(True)
        self._fields = {
            "url": Field("URL", self.url),
            "token": Field("Token, which keys the signature", self.token),
            "mode": Field("Delivery", self.mode),
            "event_types": Field("Event types", self.types),
            "tags": Field("Tags", self.tags),
        }
        self.error = label("", "error", wrap=True)
        self.error.hide()
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Save | standard.Cancel)
        self.save = self.buttons.button(standard.Save)
        self.save.setText("Create" if webhook is None else "Save")
        if live:
            restyle(self.save, "role", "live")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        for widget in (*self._fields.values(), self.enabled, self.error, self.buttons):
            layout.addWidget(widget)
        self.buttons.accepted.connect(self._submit)
        self.buttons.rejected.connect(self.reject)
        if webhook is not None:
            self._fill(webhook)

    def show_error(self, error: Exception) -> None:
        """Say at its field why it was not stored."""
        self.save.setEnabled(True)
        param = error.param if isinstance(error, InvalidParameter | Conflict) else ""
        for name, field in self._fields.items():
            field.show_error(error_text(error) if name == param else None)
        self.error.setText("" if param in self._fields else error_text(error))
        self.error.setVisible(param not in self._fields)

    def change(self) -> WebhookChange:
        """Return the fields as they are; an empty token is made, or stays."""
        token = self.token.text().strip()
        return WebhookChange(
            url=self.url.text().strip(),
            token=token or UNSET,
            mode=self.mode.currentData(),
            event_types=words_of(self.types.text()),
            tags=words_of(self.tags.text()),
            enabled=self.enabled.isChecked(),
        )

    def _fill(self, webhook: Webhook) -> None:
        self.url.setText(webhook.url)
        self.token.setText(webhook.token)
        self.mode.setCurrentIndex(self.mode.findData(webhook.mode))
        self.types.setText(listed(webhook.event_types))
        self.tags.setText(listed(webhook.tags))
        self.enabled.setChecked(webhook.enabled)

    def _submit(self) -> None:
        self.save.setEnabled(False)
        self.submitted.emit(self.change())


class ReplayRangeDialog(QDialog):
    """Asks for two moments and stays open until the events are queued."""

    submitted = Signal(object, object)

    def __init__(self, parent: QWidget, now: datetime) -> None:
        super().__init__(parent)
        self.setWindowTitle("Replay events")
        self.setMinimumWidth(380)
        self.after, self.before = TextLine(), TextLine()
        self.after.setText(spell_moment((now - timedelta(hours=1)).replace(microsecond=0), UTC))
        self.before.setText(spell_moment((now + timedelta(seconds=1)).replace(microsecond=0), UTC))
        self._fields = {"after": Field("After", self.after), "before": Field("Before", self.before)}
        note = label("Sends the events of this time once more, in their order. Times are in UTC.", "hint", wrap=True)
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self.send = self.buttons.button(standard.Ok)
        self.send.setText("Replay")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        for widget in (note, *self._fields.values(), self.buttons):
            layout.addWidget(widget)
        self.buttons.accepted.connect(self._submit)
        self.buttons.rejected.connect(self.reject)

    def show_error(self, error: Exception) -> None:
        """Say at its field what is wrong."""
        param = error.param if isinstance(error, InvalidParameter) else "before"
        for name, field in self._fields.items():
            field.show_error(error_text(error) if name == param else None)

    def _submit(self) -> None:
        try:
            after, before = (
                parse_moment(line.text(), UTC, name) for name, line in (("after", self.after), ("before", self.before))
            )
        except InvalidParameter as error:
            self.show_error(error)
            return
        if after is None or before is None:
            name = "after" if after is None else "before"
            self.show_error(InvalidParameter(name, f"{name}: must be a date, such as 2026-03-29 01:30."))
            return
        self.submitted.emit(after, before)
