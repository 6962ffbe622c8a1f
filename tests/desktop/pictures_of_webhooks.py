"""Pictures of webhooks: none yet, sent and received requests, and the dialogs."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.webhooks.editing import ReplayRangeDialog, WebhookDialog
from app.desktop.language import tr
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.tracking.updates import Conversion
from engine.domain.webhooks.webhook import DeliveryMode, WebhookChange
from tests.desktop.studio import Studio, wait_for


def webhooks_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show a receiver that fails and the built-in one."""
    window = studio.window
    studio.open()
    studio.fill()
    window.docks.bring(window.docks.webhooks)
    yield "webhooks-empty", None
    session = window.model.session
    assert session is not None
    engine = session.engine
    panel = window.webhooks_panel
    failing = engine.webhooks.create(
        Environment.TEST,
        WebhookChange(url="http://127.0.0.1:9/hooks", mode=DeliveryMode.MULTIPLE, tags=("store", "depot")),
    )
    panel.receive.click()
    wait_for(lambda: len(engine.webhooks.all(Environment.TEST)) == 2, "the webhook")
    for name in ("opened_app", "added_to_cart", "bought_ticket"):
        engine.history.log_conversion(Environment.TEST, Conversion(name, device_id="phone-1", user_id="anna"))
    engine.webhooks.update(Environment.TEST, failing.id, WebhookChange(tags=()))
    engine.history.log_conversion(Environment.TEST, Conversion("closed_app", device_id="phone-1"))
    wait_for(lambda: panel.received.rowCount() == 4, "what was received")
    panel.received.setCurrentCell(1, 0)
    yield "webhooks-received", None
    window.webhooks._choose(failing.id)
    panel.show_page(0)
    wait_for(lambda: panel.deliveries.rowCount() == 1, "what was sent")
    panel.deliveries.setCurrentCell(0, 0)
    again = tr("Next attempt at {time}", time="")
    wait_for(lambda: again in window.delivery_page.text.toPlainText(), "the delivery")
    yield "webhooks", None
    dialog = WebhookDialog(window, failing, live=False)
    dialog.show_error(
        InvalidParameter("url", "url: must be an http or https URL such as http://localhost:8080/webhooks.")
    )
    yield "webhook-edit", dialog
    dialog.deleteLater()
    replay = ReplayRangeDialog(window, window.model.now())
    yield "webhook-replay", replay
    replay.deleteLater()
    panel.receive.click()
    wait_for(lambda: len(engine.webhooks.all(Environment.TEST)) == 1, "the end of the receiver")
