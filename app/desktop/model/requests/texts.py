"""Descriptions of requests for the rows, the details and the shell command."""

from __future__ import annotations

import json
import shlex

from msgspec import Struct

from app.desktop.language import tr
from app.exchanges import EventMark, LoggedRequest, Message, NearMiss, RequestSummary

LONGEST_LINE = 1_000
"""Length above which lines are wrapped, because the view is slow to lay out long lines."""

PLACEHOLDER = "YOUR_KEY"
OWN_HEADERS = frozenset(
    {"authorization", "host", "content-length", "connection", "accept-encoding", "transfer-encoding", "expect"}
)
"""Headers that are set automatically on a new request, or cannot be set."""


class RequestDetails(Struct, frozen=True):
    """All details of a request as shown in the panel."""

    logged: LoggedRequest
    request: str
    answer: str

    @property
    def events(self) -> tuple[EventMark, ...]:
        """Events caused by the request."""
        return self.logged.summary.events

    @property
    def near_misses(self) -> tuple[NearMiss, ...]:
        """Parameters that had no effect, with those probably meant."""
        return self.logged.summary.near_misses


def details_of(logged: LoggedRequest) -> RequestDetails:
    """Return all details of a request. This may be slow."""
    summary = logged.summary
    first = f"{summary.method} {summary.path}"
    request = "\n".join([first, *_lines(logged.request)])
    if logged.answer is None:
        return RequestDetails(logged, request, tr("The client disconnected before the response was sent."))
    return RequestDetails(logged, request, "\n".join([str(summary.status), *_lines(logged.answer)]))


def _lines(message: Message) -> list[str]:
    headers = [f"{name}: {value}" for name, value in message.headers]
    return [folded(text) for text in (*headers, "", pretty(message.body), *cut_note(message))]


def cut_note(message: Message) -> list[str]:
    """Return a note if the log holds only the beginning of a body."""
    if not message.is_cut:
        return []
    return ["", tr("… truncated by the log; the body has {count:,} bytes.", count=message.size)]


def pretty(body: str) -> str:
    """Return a body with its JSON indented. Other bodies are returned unchanged."""
    try:
        return json.dumps(json.loads(body), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return body


def folded(text: str) -> str:
    """Return a text with overlong lines wrapped."""
    if len(text) <= LONGEST_LINE:
        return text
    lines = text.split("\n")
    return "\n".join(line[at : at + LONGEST_LINE] for line in lines for at in range(0, max(len(line), 1), LONGEST_LINE))


def status_text(summary: RequestSummary) -> str:
    """Return the status, or a word for a request without a response, with a mark for injected faults."""
    status = str(summary.status) if summary.status else tr("dropped") if summary.faults else tr("left")
    return f"{status} ⚡" if summary.faults else status


def duration_text(duration_s: float) -> str:
    """Return a duration in milliseconds, or in seconds if it is long."""
    milliseconds = duration_s * 1000
    return (
        tr("{milliseconds:.1f} ms", milliseconds=milliseconds)
        if milliseconds < 10_000
        else tr("{seconds:.1f} s", seconds=duration_s)
    )


def who_text(summary: RequestSummary) -> str:
    """Return the device ID and user ID of a request."""
    return " · ".join(filter(None, (summary.device_id, summary.user_id)))


def events_text(summary: RequestSummary) -> str:
    """Return a short description of the events."""
    names = [event_name(event) for event in summary.events]
    return names[0] + (f" +{len(names) - 1}" if len(names) > 1 else "") if names else ""


def event_name(event: EventMark) -> str:
    """Return an event's type as words: ``entered geofence``."""
    return event.type.removeprefix("user.").replace("_", " ")


def can_repeat(logged: LoggedRequest) -> bool:
    """Return whether the request was logged completely, so that it can be sent again."""
    return not logged.request.is_cut and bool(logged.summary.method and logged.summary.path)


def sent_headers(message: Message) -> list[tuple[str, str]]:
    """Return the headers to send again, without the key and headers of the connection."""
    return [(name, value) for name, value in message.headers if name.lower() not in OWN_HEADERS]


def curl_command(logged: LoggedRequest, url: str, key: str | None = None, authority: str | None = None) -> str:
    """Return a request as a command for a POSIX shell, with `key` or a placeholder if the request had a key.

    `authority` is the file of the certificate used to verify an HTTPS endpoint.
    """
    summary, request = logged.summary, logged.request
    parts = [f"curl {shlex.quote(url + summary.path)}"]
    if summary.method != ("POST" if request.body else "GET"):
        parts[0] = f"curl -X {shlex.quote(summary.method)} {shlex.quote(url + summary.path)}"
    if authority is not None:
        parts.append(f"--cacert {shlex.quote(authority)}")
    headers = sent_headers(request)
    if request.header("authorization") is not None:
        headers.insert(0, ("Authorization", key or PLACEHOLDER))
    parts += [f"-H {shlex.quote(f'{name}: {value}')}" for name, value in headers]
    if request.body:
        parts.append(f"--data-raw {shlex.quote(request.body)}")
    return " \\\n  ".join(parts)
