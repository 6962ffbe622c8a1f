"""Webhooks in the window: created, tested, received, changed and deleted."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QTableWidgetItem

from app.desktop.dialogs.webhooks.editing import ReplayRangeDialog, WebhookDialog
from app.desktop.panels.webhooks.panel import RowTable
from app.receiver import Received, Receiver, Signature
from engine.domain.environment import Environment
from engine.domain.tracking.updates import Conversion
from engine.domain.webhooks.delivery import DeliveryStatus
from engine.domain.webhooks.webhook import DeliveryMode, DeliveryQuery, WebhookChange
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("availability", "commands", "endpoint", "webhooks")

TEST = Environment.TEST


def open_panel(user: User) -> None:
    """Show the panel with its command."""
    user.window.actions_.webhooks.trigger()
    user.until(user.window.webhooks_panel.isVisible)


def cell(table: RowTable, row: int, column: int) -> QTableWidgetItem:
    """Return an existing cell."""
    item = table.item(row, column)
    assert item is not None
    return item


def happen(user: User, name: str) -> None:
    """Store an event from outside the window."""
    user.engine.history.log_conversion(TEST, Conversion(name, device_id="phone"))


def test_a_webhook_is_made_tested_changed_and_deleted(user: User) -> None:
    open_panel(user)
    panel = user.window.webhooks_panel
    received: list[Received] = []
    with Receiver(received.append) as receiver:
        user.click(panel.new)
        dialog = user.window.findChildren(WebhookDialog)[-1]
        user.type(dialog.url, "nothing", enter=False)
        user.click(dialog.save)
        user.until(lambda: "http" in dialog._fields["url"].error.text())
        user.type(dialog.url, receiver.url, enter=False)
        user.type(dialog.tags, "store, depot", enter=False)
        dialog.mode.setCurrentIndex(1)
        user.click(dialog.save)
        user.until(lambda: panel.choice.count() == 1)
        (webhook,) = user.engine.webhooks.all(TEST)
        assert (webhook.url, webhook.tags, webhook.mode) == (receiver.url, ("store", "depot"), DeliveryMode.MULTIPLE)

        user.until(panel.test.isEnabled)
        user.click(panel.test)
        user.until(lambda: panel.deliveries.rowCount() == 1)
        assert [each.signature for each in received] == [Signature.UNCHECKED]
        user.until(lambda: "acknowledged" in user.window.message.text.text())

        user.click_in(panel.deliveries, panel.deliveries.visualItemRect(cell(panel.deliveries, 0, 1)).center())
        user.until(lambda: '"user.entered_geofence"' in user.window.delivery_page.text.toPlainText())
        user.until(user.window.delivery_page.resend.isVisible)
        user.click(user.window.delivery_page.resend)
        user.until(lambda: len(received) == 2)

        panel.pause.trigger()
        user.until(lambda: panel.pause.text() == "Resume")
        assert user.engine.webhooks.all(TEST)[0].paused
        panel.edit.trigger()
        edited = user.window.findChildren(WebhookDialog)[-1]
        user.type(edited.tags, "", enter=False)
        edited.tags.clear()
        user.click(edited.save)
        user.until(lambda: user.engine.webhooks.all(TEST)[0].tags == ())
        happen(user, "bought")
        user.until(lambda: panel.deliveries.rowCount() == 2)
        assert cell(panel.deliveries, 0, 1).text() == "Queued"
        user.until(lambda: "1 queued" in user.window.docks.title(user.window.docks.webhooks).note.whole)
        panel.pause.trigger()
        user.until(lambda: len(received) == 3)

        panel.replay.trigger()
        replay = user.window.findChildren(ReplayRangeDialog)[-1]
        user.click(replay.send)
        user.until(lambda: len(received) == 4)
        panel.delete.trigger()
        user.answer("Delete")
        user.until(lambda: panel.choice.count() == 0)
        assert not user.engine.webhooks.all(TEST)


def test_the_built_in_receiver_shows_deliveries(user: User) -> None:
    open_panel(user)
    panel = user.window.webhooks_panel
    user.click(panel.receive)
    user.until(lambda: len(user.engine.webhooks.all(TEST)) == 1)
    happen(user, "bought")
    user.until(lambda: panel.received.rowCount() == 1)
    assert cell(panel.received, 0, 1).text() == "Valid"
    user.click_in(panel.received, panel.received.visualItemRect(cell(panel.received, 0, 1)).center())
    assert '"bought"' in user.window.delivery_page.text.toPlainText()
    user.click(panel.receive)
    user.until(lambda: not user.engine.webhooks.all(TEST))


@pytest.mark.slow
def test_a_receiver_that_fails_is_seen(user: User) -> None:
    open_panel(user)
    panel = user.window.webhooks_panel
    webhook = user.engine.webhooks.create(TEST, WebhookChange(url="http://127.0.0.1:9/"))
    happen(user, "bought")
    user.until(lambda: panel.deliveries.rowCount() == 1 and cell(panel.deliveries, 0, 1).text() == "Retrying")
    assert cell(panel.deliveries, 0, 3).text() == "cannot be reached: it refused the connection"
    user.until(panel.test.isEnabled)
    user.click(panel.test)
    user.until(lambda: "The test failed" in user.window.message.text.text())
    statuses = {each.status for each in user.engine.webhooks.deliveries(TEST, webhook.id, DeliveryQuery()).items}
    assert statuses == {DeliveryStatus.QUEUED, DeliveryStatus.FAILED}


def test_live_receives_nothing_on_this_computer(user: User) -> None:
    open_panel(user)
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: user.window.model.environment is Environment.LIVE)
    assert not user.window.webhooks_panel.receive.isEnabled()
    assert user.window.webhooks_panel.new.isEnabled()
