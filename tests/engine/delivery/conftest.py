"""An engine that sends to webhooks, with a clock controlled by the test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.api.wire.webhook import WirePayloads
from engine import Engine
from engine.domain.environment import Environment
from engine.domain.tracking.updates import Conversion, Event
from engine.domain.webhooks.delivery import Delivery
from engine.domain.webhooks.webhook import DeliveryQuery, Webhook, WebhookChange
from tests.engine.fixtures import SetClock

TEST = Environment.TEST
LONG_S = 60.0
"""Timeout of a receiver in tests that are not about timeouts, since the machine may be busy."""


@pytest.fixture
def sending(tmp_path: Path, clock: SetClock) -> Iterator[Engine]:
    with Engine.open(tmp_path / "workspace", clock=clock, payloads=WirePayloads) as opened:
        take(opened, LONG_S)
        yield opened


@pytest.fixture
def hook(sending: Engine) -> Callable[..., Webhook]:
    def create(url: str, **fields: object) -> Webhook:
        return sending.webhooks.create(TEST, WebhookChange(url=url, **fields))  # type: ignore[arg-type]

    return create


def take(engine: Engine, seconds: float) -> None:
    """Set the timeout of receivers."""
    assert engine._parts.dispatcher is not None
    engine._parts.dispatcher._timeout_s = seconds


def happen(engine: Engine, user: str, name: str) -> Event:
    """Log a conversion of a user."""
    return engine.history.log_conversion(TEST, Conversion(name, device_id=user))


def of(engine: Engine, webhook: Webhook) -> list[Delivery]:
    """Return the deliveries of a webhook, oldest first."""
    return list(reversed(engine.webhooks.deliveries(TEST, webhook.id, DeliveryQuery(limit=1_000)).items))
