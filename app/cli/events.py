"""Events as single lines for people."""

from app.api.wire.common.encoding import Encoded
from engine.domain.words import brief_duration


def event_line(event: Encoded, *, device: bool = False) -> str:
    """Return an event, in its wire format, as one line; with `device` the line includes the user."""
    parts = [event["createdAt"]]
    if device:
        parts.append(_whose(event["user"]))
    parts.append(f"{_kind(event['type']):<7}")
    named = event.get("geofence") or event.get("beacon")
    if named is not None:
        parts += [f"{named['tag']}/{named['externalId']}", named["description"]]
    for name in ("place", "region"):
        if name in event:
            parts.append(event[name]["name"])
    if "trip" in event:
        parts.append(f"trip {event['trip']['externalId']}")
    if details := _details(event):
        parts.append(f"({', '.join(details)})")
    return "  ".join(parts)


def _whose(user: Encoded) -> str:
    """Return the device of a user, and the user who is logged in on it."""
    return f"{user.get('deviceId', '')} ({user['userId']})" if "userId" in user else str(user.get("deviceId", ""))


def _kind(event_type: str) -> str:
    return event_type.removeprefix("user.").removesuffix("_in_geofence").removesuffix("_geofence")


def _details(event: Encoded) -> list[str]:
    details = []
    if "confidence" in event:
        details.append(f"confidence {event['confidence']}")
    if "duration" in event:
        details.append(f"after {brief_duration(round(60 * event['duration'], 1))}")
    if "currentlyOperating" in event:
        details.append("open" if event["currentlyOperating"] else "closed")
    if (eta := event.get("trip", {}).get("eta")) is not None:
        details.append(f"ETA {brief_duration(round(60 * eta['duration']))}")
    return details
