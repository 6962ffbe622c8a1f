"""The built-in receiver in the window, and the webhook that sends to it."""

from __future__ import annotations

from collections import deque
from secrets import token_hex
from threading import Lock

from PySide6.QtCore import QObject, Signal

from app.desktop.relay import Relay
from app.desktop.workspace_model import WorkspaceModel
from app.receiver import Received, Receiver
from engine.domain.environment import Environment
from engine.domain.webhooks.webhook import Webhook, WebhookChange
from engine.engine import Engine

_KEPT = 200


class Receiving(QObject):
    """Starts and stops the receiver. `arrived` is emitted when a request arrived, `toggled` when the receiver starts or
    stops."""

    arrived = Signal()
    toggled = Signal(bool)
    created = Signal(object)

    def __init__(self, model: WorkspaceModel) -> None:
        super().__init__(model)
        self._model = model
        self._receiver: Receiver | None = None
        self._engine: Engine | None = None
        self._webhook: Webhook | None = None
        self._lock = Lock()
        self._received: deque[tuple[int, Received]] = deque(maxlen=_KEPT)
        self._count = 0
        self._news = Relay(self)
        self._news.rung.connect(self.arrived)

    @property
    def is_on(self) -> bool:
        """Whether the receiver runs."""
        return self._receiver is not None

    def received(self) -> list[tuple[int, Received]]:
        """Return the received requests with their numbers, newest first."""
        with self._lock:
            return list(reversed(self._received))

    def start(self) -> None:
        """Start the receiver and create a Test webhook that sends to it."""
        session = self._model.session
        if session is None or self._receiver is not None:
            return
        token = token_hex(20)
        engine = self._engine = session.engine
        receiver = self._receiver = Receiver(self._take, token=token)
        change = WebhookChange(url=receiver.url, token=token)

        def done(webhook: Webhook) -> None:
            self._webhook = webhook
            self.created.emit(webhook)

        def failed(error: Exception) -> None:
            self.stop()
            self._model.report_error(error)

        self._model.operations.change(lambda: engine.webhooks.create(Environment.TEST, change), done, failed)
        self.toggled.emit(True)

    def stop(self) -> None:
        """Stop the receiver and delete its webhook."""
        receiver, engine, webhook = self._receiver, self._engine, self._webhook
        self._receiver = self._engine = self._webhook = None
        if receiver is None or engine is None:
            return

        def work() -> None:
            receiver.close()
            # The webhook may have just been created, or deleted by hand.
            for each in engine.webhooks.all(Environment.TEST):
                if each.url == receiver.url or (webhook is not None and each.id == webhook.id):
                    engine.webhooks.delete(Environment.TEST, each.id)

        self._model.operations.change(work, lambda _: None, self._model.report_error)
        self.toggled.emit(False)

    def _take(self, received: Received) -> None:
        """Store a received request. Called in a thread of the receiver."""
        with self._lock:
            self._count += 1
            self._received.append((self._count, received))
        self._news.ring()
