"""Copying events as they are sent, and exporting the filtered events."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.desktop.language import tr
from app.desktop.model.words import event_sentence
from app.desktop.panels.events.table import EventTable
from app.desktop.window.docks import Docks
from app.desktop.window.exporting import RecordExporter
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.tracking.updates import Event


class EventController(QObject):
    """Performs the commands in the head of the events panel and shows the number of events there."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        panel: EventTable,
        docks: Docks,
        exporter: RecordExporter,
        message: MessageLine,
    ) -> None:
        super().__init__(window)
        self._model, self._panel, self._docks, self._message = model, panel, docks, message
        exporter.filter_events(panel.sieve)
        panel.copy_requested.connect(self._copy)
        panel.shown_changed.connect(self._note)

    def _note(self) -> None:
        """Show the number of events in the head of the panel."""
        events, shown = len(self._model.events), len(self._panel.shown)
        text = (
            tr("{shown:,} of {total:,}", shown=shown, total=events)
            if self._panel.is_filtered
            else tr("{count:,}", count=events)
        )
        self._docks.note(self._docks.events, text if events else "")

    def _copy(self, event: Event) -> None:
        if (session := self._model.session) is not None:
            QGuiApplication.clipboard().setText(session.event_json(event))
            self._message.show_info(tr("Copied as JSON: {event_description}", event_description=event_sentence(event)))
