"""An event as one line for people."""

from app.api.wire.common.encoding import Encoded


def event_line(event: Encoded) -> str:
    """Return an event, spelled as on the wire, as one line."""
    parts = [event["createdAt"], f"{_kind(event['type']):<7}"]
    named = event.get("geofence") or event.get("beacon")
    if named is not None:
        parts += [f"{named['tag']}/{named['externalId']}", named["description"]]
    for name in ("place", "region"):
        if name in event:
            parts.append(event[name]["name"])
    if details := _details(event):
        parts.append(f"({', '.join(details)})")
    return "  ".join(parts)


def _kind(event_type: str) -> str:
    return event_type.removeprefix("user.").removesuffix("_in_geofence").removesuffix("_geofence")


def _details(event: Encoded) -> list[str]:
    details = []
    if "confidence" in event:
        details.append(f"confidence {event['confidence']}")
    if "duration" in event:
        details.append(f"after {event['duration']:g} min")
    if "currentlyOperating" in event:
        details.append("open" if event["currentlyOperating"] else "closed")
    return details
