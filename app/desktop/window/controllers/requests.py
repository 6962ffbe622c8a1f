"""The requests of the open workspace in their panel: live view, filtering, copying and sending again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.ask import while_open
from app.desktop.dialogs.send_request import KeyChoice, SendDialog
from app.desktop.language import tr
from app.desktop.model.requests.book import RequestBook
from app.desktop.model.requests.filtering import RequestFilter
from app.desktop.model.requests.sending import Draft, Sent, send
from app.desktop.model.requests.texts import RequestDetails, can_repeat, curl_command, details_of
from app.desktop.model.words import key_name
from app.desktop.panels.request import RequestPage
from app.desktop.panels.requests import RequestsPanel
from app.desktop.relay import Relay
from app.desktop.window.docks import Docks
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from app.exchanges import EventMark, Exchange
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import NotFound
from engine.domain.tracking.updates import Event

_ANSWER_HEAD = 4_096
NO_KEY: KeyChoice = (tr("No key"), None)


class RequestController(QObject):
    """Updates the panel at most ten times a second and performs its commands.

    Only one update is in progress at a time. Requests that arrive during an update are handled after it.
    """

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        panel: RequestsPanel,
        page: RequestPage,
        book: RequestBook,
        docks: Docks,
        message: MessageLine,
        show_event: Callable[[Event], None],
    ) -> None:
        super().__init__(model)
        self._window, self._model, self._panel, self._page, self._book = window, model, panel, page, book
        self._docks, self._message, self._show_event = docks, message, show_event
        self._filter = RequestFilter()
        self._unsubscribe: Callable[[], None] | None = None
        self._looking = False
        self._stale = False
        self._paused = False
        self._details: RequestDetails | None = None
        self._awaited: bytes = b""
        self._news = Relay(self)
        self._news.rung.connect(self._look)
        panel.set_available(False)
        model.opened.connect(self._follow)
        model.environment_changed.connect(self._follow)
        panel.filter_changed.connect(self._on_filter)
        panel.pause_toggled.connect(self._on_pause)
        panel.clear_requested.connect(self._on_clear)
        panel.request_chosen.connect(self._on_chosen)
        panel.copy_requested.connect(self._on_copy)
        page.event_chosen.connect(self._on_event)
        page.copy_requested.connect(self._on_copy)
        page.send_requested.connect(self._on_send)

    def close(self) -> None:
        """Unsubscribe from the request log."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    # Display

    def _follow(self) -> None:
        """Show the requests of another workspace or environment."""
        session = self._model.session
        self.close()
        self._book.follow(session.requests if session else None, live=self._model.environment.live)
        self._show_details(None)
        self._panel.set_available(session is not None)
        if session is not None:
            self._unsubscribe = session.requests.subscribe(self._news.ring)
        self._news.ring()

    def _look(self) -> None:
        if self._looking or self._paused:
            self._stale = True
            return
        self._looking, self._stale = True, False
        book, wanted, requests = self._book, self._filter, self._book.requests

        def done(rows: Sequence[Exchange]) -> None:
            self._looking = False
            if requests is book.requests and wanted == self._filter and not self._paused:
                self._show(rows)
            elif not self._paused:
                self._stale = True
            if self._stale:
                self._news.ring()

        def failed(error: Exception) -> None:
            self._looking = False
            self._model.report_error(error)

        self._model.operations.read(lambda: book.look(wanted), done, failed)

    def _show(self, rows: Sequence[Exchange]) -> None:
        self._book.show(rows)
        self._panel.keep_chosen()
        self._panel.refresh()
        self._note()
        if self._awaited:
            self._choose_awaited()

    def _show_details(self, details: RequestDetails | None) -> None:
        self._details = details
        self._page.show_details(details)
        summary = details.logged.summary if details else None
        self._docks.note(self._docks.request, f"{summary.method} {summary.path}" if summary else "")

    def _note(self) -> None:
        count = len(self._book)
        paused = tr("paused") if self._paused else ""
        shown = tr("{count:,} shown", count=count) if count else ""
        self._docks.note(self._docks.requests, " · ".join(filter(None, (shown, paused))))

    # User actions

    def _on_filter(self, text: str) -> None:
        self._filter = RequestFilter.of(text)
        if self._paused:
            self._panel.pause.setChecked(False)
        self._news.ring()

    def _on_pause(self, paused: bool) -> None:
        self._paused = paused
        self._note()
        if not paused:
            self._news.ring()

    def _on_clear(self) -> None:
        requests, live = self._book.requests, self._book.live
        if requests is None:
            return
        self._panel.pause.setChecked(False)
        self._show_details(None)
        self._model.operations.read(
            lambda: requests.clear(live=live), lambda _: self._news.ring(), self._model.report_error
        )

    def _on_chosen(self, exchange: Exchange) -> None:
        """Show the request in full. It is read and its JSON formatted in a worker, as it may be large."""
        requests = self._book.requests
        self._docks.bring(self._docks.request)
        if requests is None or (self._details and self._details.logged.summary.number == exchange.number):
            return

        def done(details: RequestDetails) -> None:
            if requests is self._book.requests:
                self._show_details(details)

        self._model.operations.read(lambda: details_of(requests.read(exchange)), done, self._model.report_error)

    def _on_event(self, event: EventMark) -> None:
        """Select an event everywhere. If it is not among the loaded events, it is read first."""
        known, session, environment = self._model.events.get(event.id), self._model.session, self._model.environment
        if known is not None or session is None:
            if known is not None:
                self._show_event(known)
            return

        def failed(error: Exception) -> None:
            if isinstance(error, NotFound):
                self._message.show_info(tr("This event has been deleted."))
            else:
                self._model.report_error(error)

        engine = session.engine
        self._model.operations.read(lambda: engine.history.get(environment, event.id), self._show_event, failed)

    def _on_copy(self, with_key: bool) -> None:
        session, details = self._model.session, self._details
        if session is None or details is None or not can_repeat(details.logged):
            return
        key = session.engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE) if with_key else None
        url = session.url or "http://127.0.0.1:8787"

        def copy(authority: str | None) -> None:
            QGuiApplication.clipboard().setText(curl_command(details.logged, url, key, authority))
            self._message.show_info(
                tr("Copied as curl.") if with_key else tr("Copied as curl; put your key in its place.")
            )

        if url.startswith("https:"):
            self._model.operations.read(lambda: str(session.certificate().file), copy, self._model.report_error)
        else:
            copy(None)

    # Sending again

    def _on_send(self) -> None:
        session, details = self._model.session, self._details
        if session is None or details is None:
            return
        if session.url is None:
            self._message.complain(tr("The endpoint is stopped; start it to send a request."))
            return
        environment = Environment.LIVE if details.logged.summary.live else Environment.TEST
        keys = [
            (
                tr("{key_name} key", key_name=key_name(environment, level)),
                session.engine.workspace.keys.value(environment, level),
            )
            for level in KeyLevel
        ]
        chosen = _chosen_key(details)
        dialog = SendDialog(self._window, details.logged, [*keys, NO_KEY], chosen)
        dialog.sent.connect(lambda draft: self._send(dialog, draft))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _send(self, dialog: SendDialog, draft: Draft) -> None:
        session = self._model.session
        url = session.url if session else None
        if url is None:
            dialog.reject()
            return

        accept = while_open(dialog, dialog.accept)

        def done(sent: Sent) -> None:
            accept()
            self._awaited = sent.request_id.encode()
            self._message.show_info(tr("Sent: the answer has status {status}.", status=sent.status))
            self._panel.pause.setChecked(False)
            self._docks.bring(self._docks.requests)
            self._news.ring()

        def work() -> Sent:
            authority = session.certificate().pem.decode() if session and url.startswith("https:") else None
            return send(url, draft, authority)

        self._model.operations.send(work, done, while_open(dialog, dialog.show_error, self._model.report_error))

    def _choose_awaited(self) -> None:
        """Choose the request that was sent from here as soon as it is in the table."""
        for row in range(min(len(self._book), 200)):
            exchange = self._book[row]
            if self._awaited in exchange.answer[:_ANSWER_HEAD]:
                self._awaited = b""
                self._panel.choose(exchange.number)
                return


def _chosen_key(details: RequestDetails) -> int:
    """Return the index of a request's key: 0 for the publishable key, 1 for the secret one, 2 for none."""
    sent = details.logged.request.header("authorization")
    if sent is None:
        return 2
    return 1 if "_sk_" in sent else 0
