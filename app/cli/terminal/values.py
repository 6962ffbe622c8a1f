"""Values of options, read from text; errors use the terms of the command line."""

from argparse import ArgumentTypeError
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from difflib import get_close_matches
from math import isfinite
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from app.endpoint import normal_host
from engine.domain.clock import EARLIEST, LATEST
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.imports import Repair, check_line_width, repairs_of
from engine.domain.queries import MAX_LIMIT
from engine.domain.tracking.whatif import Assignment
from engine.domain.words import did_you_mean, spelled_seconds
from engine.geocoding.remote.kinds import kind_and_url
from engine.geofences.checks.findings import MAX_ACCURACY_M, Check, Severity
from engine.outbound.urls import ServerUrl, shown_url
from engine.simulation.writing.writing import TrackFormat

_LONGEST_S: Final = 3_660 * 86_400.0


def read_environment(text: str) -> Environment:
    """Return the environment with the given name."""
    try:
        return Environment(text)
    except ValueError:
        raise ArgumentTypeError(f"must be test or live, not {text!r}") from None


def read_positive(text: str) -> float:
    """Return a number greater than 0."""
    try:
        value = float(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a number") from None
    if not (isfinite(value) and value > 0):
        raise ArgumentTypeError(f"must be greater than 0, not {text}")
    return value


def read_line_width(text: str) -> float:
    """Return the width of a line in metres."""
    try:
        return check_line_width(read_positive(text), "width")
    except InvalidParameter as error:
        raise ArgumentTypeError(error.message.removeprefix("width: ")) from None


def read_repairs(text: str) -> frozenset[Repair]:
    """Return repairs, separated by commas."""
    try:
        return repairs_of([name.strip() for name in text.split(",")], "repairs")
    except InvalidParameter as error:
        raise ArgumentTypeError(error.message.removeprefix("repairs: ")) from None


def read_seconds(text: str) -> float:
    """Return a duration of 0 seconds or more: a number of seconds, or with units."""
    try:
        value = float(text)
    except ValueError:
        return _with_units(text, "must be a number of seconds, or a duration such as 90s, 5m or 1h30m")
    if not (isfinite(value) and value >= 0):
        raise ArgumentTypeError(f"must be 0 or more seconds, not {text}")
    return value


def read_some_seconds(text: str) -> float:
    """Return a duration of more than 0 seconds: a number of seconds, or with units."""
    value = read_seconds(text)
    if value == 0:
        raise ArgumentTypeError(f"must be more than 0 seconds, not {text}")
    return value


def read_duration(text: str) -> float:
    """Return the seconds of a duration with its units, of more than 0 seconds."""
    wanted = "must be a duration with its unit, such as 90s, 5m or 1h30m"
    value = _with_units(text, wanted)
    if value == 0:
        raise ArgumentTypeError(f"{wanted}, not {text!r}")
    return value


def _with_units(text: str, wanted: str) -> float:
    value = spelled_seconds(text)
    if value is None or value > _LONGEST_S:
        raise ArgumentTypeError(f"{wanted}, not {text!r}")
    return value


def read_number(text: str) -> int:
    """Return a position in a sequence, counting from 1."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:10]) <= 10**9):
        raise ArgumentTypeError(f"must be a whole number from 1, not {text!r}")
    return int(text)


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Return a reader for a whole number within limits."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 10 and least <= int(text) <= most):
            raise ArgumentTypeError(f"must be a whole number from {least:,} to {most:,}, not {text!r}")
        return int(text)

    return read


read_count: Final = whole_number(0, MAX_LIMIT)
"""Reader for the number of records to show, 0 for none."""

read_limit: Final = whole_number(1, MAX_LIMIT)
"""Reader for the number of records to list, at least one."""

read_count_of_findings: Final = whole_number(0, 100_000)
"""Reader for the number of findings or changes to list, 0 for none."""


def read_check(text: str) -> Check:
    """Return a check by its name."""
    try:
        return Check(text)
    except ValueError:
        listed = f"; must be one of {', '.join(Check)}"
        raise ArgumentTypeError(f"unknown check {text!r}{did_you_mean(text, Check, listed)}") from None


def read_severity(text: str) -> Severity:
    """Return a severity by its name."""
    try:
        return Severity(text)
    except ValueError:
        raise ArgumentTypeError(f"must be {', '.join(Severity)}, not {text!r}") from None


def read_accuracy(text: str) -> float:
    """Return an accuracy in metres."""
    value = read_positive(text)
    if value > MAX_ACCURACY_M:
        raise ArgumentTypeError(f"must be at most {MAX_ACCURACY_M:,.0f} m, not {text}")
    return value


def read_speed(text: str) -> float | None:
    """Return the factor by which playback is faster than the recording, or None for as fast as possible."""
    return None if text == "max" else read_positive(text)


def read_port(text: str) -> int:
    """Return a port number, 0 for any free one."""
    if not (text.isascii() and text.isdigit() and int(text) <= 65535):
        raise ArgumentTypeError(f"must be a number from 0 to 65535, not {text!r}")
    return int(text)


def read_status(text: str) -> int:
    """Return an HTTP status."""
    if not (text.isascii() and text.isdigit() and len(text) == 3 and 200 <= int(text) <= 599):
        raise ArgumentTypeError(f"must be a number from 200 to 599, not {text!r}")
    return int(text)


def read_allowed_host(text: str) -> str:
    """Return a host name or address in its normalized form for comparison."""
    name = normal_host(text.strip())
    if name is None:
        raise ArgumentTypeError(
            f"must be a host name or an address without scheme and port, such as map.example.com, not {text!r}"
        )
    return name


def read_url(text: str) -> str:
    """Return the URL of a server."""
    try:
        ServerUrl.parse(text)
    except ValueError:
        raise ArgumentTypeError(f"must be a URL such as http://localhost:8002, not {shown_url(text)!r}") from None
    return text


def read_geocoder(text: str) -> str:
    """Return the kind and URL of a geocoder."""
    try:
        kind_and_url(text)
    except InvalidParameter as error:
        raise ArgumentTypeError(error.message.partition(": ")[2].rstrip(".")) from None
    return text


def read_assignment(text: str) -> tuple[str, str]:
    """Return a name and its value."""
    name, equals, value = text.partition("=")
    if not (name.strip() and equals):
        raise ArgumentTypeError(f"must be NAME=VALUE, not {text!r}")
    return name.strip(), value


def assigned(option: str, pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the values by name. Raises `InvalidParameter` for a name that is given twice."""
    values = dict(pairs)
    if len(values) < len(pairs):
        twice = next(name for name in values if sum(name == each for each, _ in pairs) > 1)
        raise InvalidParameter(option, f"--{option}: {twice} is given twice.")
    return values


def read_track_format(text: str) -> TrackFormat:
    """Return the format of a track."""
    try:
        return TrackFormat(text)
    except ValueError:
        raise ArgumentTypeError(f"must be one of {', '.join(TrackFormat)}, not {text!r}") from None


def read_header(text: str) -> tuple[str, str]:
    """Return a header's name and value."""
    name, colon, value = text.partition(":")
    if not (name.strip() and colon):
        raise ArgumentTypeError(f"must be 'NAME: VALUE', not {text!r}")
    return name.strip(), value.strip()


def read_fence_assignment(text: str) -> Assignment:
    """Return a field of a geofence and its value."""
    target, equals, value = text.partition("=")
    geofence, colon, field = target.rpartition(":")
    if not (geofence and colon and field.strip() and equals):
        raise ArgumentTypeError(f"must be ID:FIELD=VALUE, such as store/12:radius=200, not {text!r}")
    return Assignment(geofence, field.strip(), value)


def read_start(text: str) -> datetime | str:
    """Return a moment, or ``now``."""
    return text if text == "now" else _iso(text, "now or an ISO 8601 time")


def read_moment(text: str) -> datetime:
    """Return a moment, in UTC if it has no time zone."""
    return _iso(text, "an ISO 8601 time such as 2026-03-29T01:30:00Z")


def read_local_moment(text: str) -> datetime:
    """Return a moment, or a local time without a zone if it has no offset."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"must be an ISO 8601 time such as 2026-03-29T18:05+02:00, not {text!r}") from None


def read_zone(text: str) -> ZoneInfo:
    """Return the time zone with an IANA name."""
    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        # An abbreviation such as CEST must not lead to EST, which is the time of another continent.
        close = get_close_matches(text, (name for name in available_timezones() if "/" in name), n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise ArgumentTypeError(
            f"must be the IANA name of a time zone such as Europe/Vienna, not {text!r}{hint}"
        ) from None


def read_clock(text: str) -> datetime:
    """Return a moment that a clock can show."""
    moment = read_moment(text)
    if not EARLIEST <= moment <= LATEST:
        raise ArgumentTypeError(f"must be between the years {EARLIEST:%Y} and {LATEST:%Y}, not {text!r}")
    return moment


def _iso(text: str, wanted: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise ArgumentTypeError(f"must be {wanted}, not {text!r}") from None
