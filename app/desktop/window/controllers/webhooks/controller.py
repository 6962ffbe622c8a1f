"""The panel of the open workspace's webhooks: showing, editing and testing them, and receiving their events."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.ask import ask, while_open
from app.desktop.dialogs.webhooks.editing import ReplayRangeDialog, WebhookDialog
from app.desktop.language import counted, tr
from app.desktop.model.webhooks import (
    WebhooksShown,
    delivery_text,
    outcome_text,
    queue_text,
    received_row,
    received_text,
)
from app.desktop.panels.webhooks.details import DeliveryPage
from app.desktop.panels.webhooks.panel import WebhooksPanel
from app.desktop.relay import Relay
from app.desktop.window.controllers.webhooks.receiving import Receiving
from app.desktop.window.docks import Docks
from app.desktop.window.live_confirmation import LiveConfirmation
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.delivery.webhooks import Webhooks
from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.values import replace
from engine.domain.webhooks.delivery import Delivery
from engine.domain.webhooks.webhook import DeliveryQuery, Webhook, WebhookChange
from engine.outbound.urls import without_url_secrets

_SHOWN = 100


class WebhookController(QObject):
    """Keeps the panel up to date, at most a few times a second, and handles its requests."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        panel: WebhooksPanel,
        page: DeliveryPage,
        docks: Docks,
        message: MessageLine,
        confirmation: LiveConfirmation,
    ) -> None:
        super().__init__(model)
        self._window, self._model, self._panel, self._page = window, model, panel, page
        self._docks, self._message, self._confirmation = docks, message, confirmation
        self._shown = WebhooksShown()
        self._chosen: str | None = None
        self._looking = False
        self._stale = False
        self._news = Relay(self, interval_ms=250)
        self._news.rung.connect(self._look)
        self.receiving = Receiving(model)
        self.receiving.arrived.connect(self._on_arrived)
        self.receiving.toggled.connect(lambda on: panel.show_receiving(on=on))
        self.receiving.created.connect(self._on_created)
        panel.set_available(available=False, live=False)
        model.opened.connect(self.receiving.stop)
        model.environment_changed.connect(self._follow)
        model.webhooks_changed.connect(self._news.ring)
        panel.webhook_chosen.connect(self._choose)
        panel.delivery_chosen.connect(self._on_delivery_chosen)
        panel.received_chosen.connect(self._on_received)
        panel.create_requested.connect(lambda: self._open_dialog(None))
        panel.edit_requested.connect(lambda: self._open_dialog(self._shown.chosen))
        panel.delete_requested.connect(self._on_delete)
        panel.test_requested.connect(self._on_test)
        panel.pause_toggled.connect(self._on_pause)
        panel.replay_requested.connect(self._on_replay)
        page.resend_requested.connect(self._on_resend)
        panel.receive_toggled.connect(self._on_receive)

    def close(self) -> None:
        """Stop the receiver."""
        self.receiving.stop()

    # Showing

    def _follow(self) -> None:
        """Show the webhooks of another workspace or environment."""
        self._chosen = None
        self._shown = WebhooksShown()
        self._panel.show_webhooks(self._shown)
        self._page.show_text("")
        self._panel.set_available(available=self._model.session is not None, live=self._model.environment.live)
        self._news.ring()

    def _look(self) -> None:
        webhooks, environment, chosen = self._webhooks(), self._model.environment, self._chosen
        if webhooks is None:
            return
        if self._looking:
            self._stale = True
            return
        self._looking, self._stale = True, False

        def done(shown: WebhooksShown) -> None:
            self._looking = False
            if environment is self._model.environment and chosen == self._chosen:
                self._show(replace(shown, zone=self._model.zones.without_place))
            else:
                self._stale = True
            if self._stale:
                self._news.ring()

        def failed(error: Exception) -> None:
            self._looking = False
            self._model.report_error(error)

        self._model.operations.read(lambda: _read(webhooks, environment, chosen), done, failed)

    def _show(self, shown: WebhooksShown) -> None:
        self._shown = shown
        self._chosen = None if shown.chosen is None else shown.chosen.id
        self._panel.show_webhooks(shown)
        note = ""
        if shown.chosen is not None and shown.lengths is not None:
            note = queue_text(shown.chosen, shown.lengths[shown.chosen.id])
        self._docks.note(self._docks.webhooks, note)
        if (delivery_id := self._panel.deliveries.chosen) is not None and not self._panel.received.isVisible():
            self._show_delivery(delivery_id)

    def _choose(self, webhook_id: str) -> None:
        self._chosen = webhook_id
        self._news.ring()

    def _on_delivery_chosen(self, delivery_id: str) -> None:
        if delivery_id:
            self._docks.bring(self._docks.delivery)
        self._show_delivery(delivery_id)

    def _show_delivery(self, delivery_id: str) -> None:
        """Show a delivery in full."""
        webhooks, chosen, environment = self._webhooks(), self._shown.chosen, self._model.environment
        if webhooks is None or chosen is None or not delivery_id:
            self._page.show_text("")
            return

        def done(delivery: Delivery) -> None:
            if delivery.id == self._panel.deliveries.chosen:
                self._page.show_text(delivery_text(delivery, self._model.zones.without_place), can_resend=True)

        def failed(error: Exception) -> None:
            if not isinstance(error, NotFound):
                self._model.report_error(error)

        read = webhooks.delivery
        self._model.operations.read(lambda: read(environment, chosen.id, delivery_id), done, failed)

    def _on_arrived(self) -> None:
        self._panel.show_received(
            [received_row(number, each, self._model.zones.without_place) for number, each in self.receiving.received()]
        )

    def _on_received(self, number: str) -> None:
        found = (each for key, each in self.receiving.received() if str(key) == number)
        received = next(found, None)
        if received is not None:
            self._docks.bring(self._docks.delivery)
        self._page.show_text("" if received is None else received_text(received))

    # Acting

    def _open_dialog(self, webhook: Webhook | None) -> None:
        environment = self._model.environment
        dialog = WebhookDialog(self._window, webhook, live=environment.live)
        dialog.submitted.connect(lambda change: self._store(dialog, webhook, environment, change))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _store(
        self, dialog: WebhookDialog, webhook: Webhook | None, environment: Environment, change: WebhookChange
    ) -> None:
        webhooks = self._webhooks()
        if webhooks is None or environment is not self._model.environment:
            dialog.reject()
            return

        def work() -> Webhook:
            if webhook is None:
                return webhooks.create(environment, change)
            return webhooks.update(environment, webhook.id, change)

        accept = while_open(dialog, dialog.accept)

        def done(stored: Webhook) -> None:
            accept()
            self._choose(stored.id)

        self._model.operations.change(work, done, while_open(dialog, dialog.show_error, self._model.report_error))

    def _on_delete(self) -> None:
        chosen = self._shown.chosen
        if chosen is None:
            return
        environment = chosen.environment
        details = tr("Its deliveries are deleted too, including those still queued.")
        question = tr("Delete the webhook {url}?", url=without_url_secrets(chosen.url))
        answers = [(tr("Delete"), lambda: self._change(lambda all_: all_.delete(environment, chosen.id)))]
        box = ask(self._window, tr("Delete webhook"), question, answers, details=details)
        self._model.environment_changed.connect(box.reject)

    def _on_pause(self, paused: bool) -> None:
        chosen = self._shown.chosen
        if chosen is None:
            return
        change = WebhookChange(paused=paused)
        question = tr("Pause this webhook?") if paused else tr("Resume this webhook and send its queued events?")
        self._confirmation.confirm(
            question,
            tr("Pause") if paused else tr("Resume"),
            lambda: self._change(lambda all_: all_.update(chosen.environment, chosen.id, change)),
        )

    def _on_test(self) -> None:
        webhooks, chosen = self._webhooks(), self._shown.chosen
        if webhooks is None or chosen is None:
            return

        def done(delivery: Delivery) -> None:
            if delivery.last is not None and delivery.last.acknowledged:
                self._message.show_info(
                    tr("The receiver acknowledged the test: {outcome}.", outcome=outcome_text(delivery))
                )
            else:
                self._message.complain(tr("The test failed: the receiver {outcome}.", outcome=outcome_text(delivery)))

        self._model.operations.send(
            lambda: webhooks.test(chosen.environment, chosen.id), done, self._model.report_error
        )

    def _on_resend(self) -> None:
        chosen, delivery_id = self._shown.chosen, self._panel.deliveries.chosen
        if chosen is not None and delivery_id:
            self._confirmation.confirm(
                tr("Send this delivery again?"),
                tr("Resend"),
                lambda: self._change(lambda all_: all_.resend(chosen.environment, chosen.id, delivery_id)),
            )

    def _on_replay(self) -> None:
        chosen = self._shown.chosen
        if chosen is None:
            return
        dialog = ReplayRangeDialog(self._window, self._model.now())
        dialog.submitted.connect(lambda after, before: self._replay(dialog, chosen, after, before))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _replay(self, dialog: ReplayRangeDialog, chosen: Webhook, after: datetime, before: datetime) -> None:
        webhooks = self._webhooks()
        if webhooks is None:
            dialog.reject()
            return

        accept = while_open(dialog, dialog.accept)

        def done(queued: int) -> None:
            accept()
            self._message.show_info(tr("Queued {events}.", events=counted(queued, "event")))

        replay = webhooks.replay
        self._model.operations.change(
            lambda: replay(chosen.environment, chosen.id, after, before),
            done,
            while_open(dialog, dialog.show_error, self._model.report_error),
        )

    def _on_receive(self, on: bool) -> None:
        if not on:
            self.receiving.stop()
            return
        self.receiving.start()
        self._panel.show_page(1)

    def _on_created(self, webhook: Webhook) -> None:
        self._message.show_info(
            tr("Receiving at {url}; a Test webhook sends its events there.", url=without_url_secrets(webhook.url))
        )
        self._choose(webhook.id)

    def _change[T](self, work: Callable[[Webhooks], T]) -> None:
        webhooks = self._webhooks()
        if webhooks is not None:
            self._model.operations.change(lambda: work(webhooks), lambda _: self._news.ring(), self._model.report_error)

    def _webhooks(self) -> Webhooks | None:
        return self._model.session.engine.webhooks if self._model.session else None


def _read(webhooks: Webhooks, environment: Environment, chosen: str | None) -> WebhooksShown:
    """Return the panel's content for the chosen webhook, or for the newest."""
    found = webhooks.all(environment)
    if not found:
        return WebhooksShown()
    webhook = next((each for each in found if each.id == chosen), found[-1])
    deliveries = webhooks.deliveries(environment, webhook.id, DeliveryQuery(limit=_SHOWN)).items
    return WebhooksShown(found, webhooks.lengths(found), webhook, deliveries)
