"""Moments as people type them, by the clocks of a place."""

from datetime import UTC, datetime, tzinfo

from app.desktop.language import tr
from engine.domain.errors import InvalidParameter


def spell_moment(at: datetime | None, zone: tzinfo) -> str:
    """Return a moment as `parse_moment` reads it back, without seconds where there are none; "" is none."""
    if at is None:
        return ""
    local = at.astimezone(zone)
    text = local.strftime("%Y-%m-%d %H:%M:%S" if local.second else "%Y-%m-%d %H:%M")
    # Of an hour that the change to winter time repeats, the second one has to be said.
    return f"{text}{local:%z}" if local.fold else text


def parse_moment(text: str, zone: tzinfo, param: str) -> datetime | None:
    """Return the moment that a date, or a date with a time, means in a zone; None for an empty text.

    An offset that is typed counts. Raises `InvalidParameter` naming `param`.
    """
    stripped = text.strip()
    if not stripped:
        return None
    try:
        found = datetime.fromisoformat(stripped)
        moment = (found if found.tzinfo else found.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidParameter(
            param,
            tr(
                "{param}: {stripped!r} is not a date; use a form such as 2026-12-31 18:00.",
                param=param,
                stripped=stripped[:40],
            ),
        ) from None
    return moment
