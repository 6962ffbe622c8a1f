"""Errors for missing kept updates: none at all, none of the user, or none in the time range."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from engine.domain.clock import utc_text
from engine.domain.environment import Environment
from engine.domain.errors import NotFound
from engine.domain.tracking.explaining import KnownDevices
from engine.domain.words import count
from engine.store.updates import KeptRange, devices_with_updates, kept_range, last_update
from engine.store.writer import Connection

MOST_LISTED: Final = 10
"""Maximum number of known devices that are named."""

_MOST_COMPARED: Final = 100_000
_CLOSE: Final = 70.0
"""Smallest similarity, of 100, with which a device is suggested."""


def nothing_kept(
    connection: Connection,
    environment: Environment,
    device_ids: Sequence[str],
    user_id: str | None = None,
    after: datetime | None = None,
    before: datetime | None = None,
) -> NotFound:
    """Return the error that no updates of the first device, or of any device, were found. It names ``device``."""
    device = "" if not device_ids else f" for the device {device_ids[0]!r}"
    of_device = kept_range(connection, environment, device_ids[:1])
    if of_device is None and device_ids:
        return NotFound("device", f"No location updates are kept for the device {device_ids[0]!r}.")
    if of_device is None:
        return NotFound("device", "No location updates are kept.")
    whose = device if user_id is None else f" for the user {user_id!r}{device.replace(' for', ' on', 1)}"
    found = of_device if user_id is None else kept_range(connection, environment, device_ids[:1], user_id)
    if found is None:
        return NotFound("device", f"No location updates are kept{whose}; there {_are(of_device)} of other users.")
    others = f"there {_are(found)} {_when(found)}"
    return NotFound("device", f"No location updates are kept{whose} {_span(after, before)}; {others}.")


def known_devices(connection: Connection, environment: Environment, device_id: str) -> KnownDevices:
    """Return the devices with kept updates that are most similar to one that is not known."""
    from rapidfuzz.process import extract, extractOne  # only needed for errors, so that the window starts without it

    found = devices_with_updates(connection, environment, _MOST_COMPARED)
    listed = found
    if len(found) > MOST_LISTED:
        similar = extract(device_id, found, processor=str.lower, limit=MOST_LISTED)
        listed = sorted(name for name, *_ in similar)
    close = extractOne(device_id, found, processor=str.lower, score_cutoff=_CLOSE)
    other = next(each for each in Environment if each is not environment)
    elsewhere = last_update(connection, other, device_id, None, None) is not None
    return KnownDevices(tuple(listed), len(found) - len(listed), close[0] if close else None, elsewhere)


def _are(found: KeptRange) -> str:
    return f"{'is' if found.number == 1 else 'are'} {count(found.number, 'update')}"


def _when(found: KeptRange) -> str:
    if found.first == found.last:
        return f"of {utc_text(found.first)}"
    return f"from {utc_text(found.first)} to {utc_text(found.last)}"


def _span(after: datetime | None, before: datetime | None) -> str:
    ends = [f"after {utc_text(after)}" if after else "", f"before {utc_text(before)}" if before else ""]
    return " and ".join(filter(None, ends))
