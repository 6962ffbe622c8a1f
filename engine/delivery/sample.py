"""The event that tests a webhook: made up, and like a real one."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from engine.domain.geofence import Extent, GeofenceSummary
from engine.domain.geometry import GeometryType, Point
from engine.domain.metadata import NO_METADATA
from engine.domain.tracking.updates import UNKNOWN_DEVICE, Confidence, Event, EventType, Fix, User
from engine.domain.webhooks.webhook import Webhook

DEVICE: Final = "webhook-test"
_HERE: Final = Point(9.5209, 47.1410)
_RADIUS_M: Final = 100.0


def sample(webhook: Webhook, make_id: Callable[[], str], now: datetime) -> tuple[User, Event]:
    """Return a user, and their entry of a geofence that does not exist."""
    tag = webhook.tags[0] if webhook.tags else "test"
    extent = Extent(GeometryType.CIRCLE, _HERE, _RADIUS_M)
    geofence = GeofenceSummary(make_id(), tag, "1", "Webhook test", NO_METADATA, extent)
    user = User(
        id=make_id(),
        environment=webhook.environment,
        device_id=DEVICE,
        user_id=None,
        description=None,
        metadata=NO_METADATA,
        fix=Fix(_HERE, 10.0, now),
        device=UNKNOWN_DEVICE,
        ip=None,
        created_at=now,
        updated_at=now,
        geofences=(geofence,),
    )
    event = Event(
        id=make_id(),
        environment=webhook.environment,
        type=EventType.ENTERED_GEOFENCE,
        created_at=now,
        actual_created_at=now,
        user=user.summary,
        geofence=geofence,
        point=_HERE,
        accuracy_m=10.0,
        confidence=Confidence.HIGH,
    )
    return user, event
