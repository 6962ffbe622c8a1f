"""The requests in the window: rows that follow the log, the filter, and shell commands."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.server.server import ApiServer
from app.desktop.model.requests.book import RequestBook
from app.desktop.model.requests.filtering import RequestFilter
from app.desktop.model.requests.sending import Draft, parse_headers, send
from app.desktop.model.requests.texts import LONGEST_LINE, curl_command, details_of, folded, pretty, who_text
from app.exchanges import (
    EventMark,
    Exchange,
    HeaderLines,
    LoggedRequest,
    Message,
    NearMiss,
    NearMissKind,
    RequestSummary,
)
from engine.domain.errors import FencewrightError, InvalidParameter
from engine.engine import Engine

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
MISS = NearMiss(NearMissKind.MISSPELLED_FIELD, "userID: did you mean userId?", "userID", "userId")


def summary(number: int = 1, path: str = "/v1/track", status: int = 200, *misses: NearMiss) -> RequestSummary:
    """Return the one-line summary of a request of phone-1."""
    events = (EventMark("1", "user.entered_geofence"),)
    return RequestSummary(number, NOW, 0.003, False, "POST", path, status, "phone-1", "Ann", events, misses)


def logged(body: str = "", path: str = "/v1/track", headers: HeaderLines = (), size: int = 0) -> LoggedRequest:
    """Return a request in full."""
    request = Message(headers, body, size or len(body), is_cut=bool(size))
    return LoggedRequest(summary(1, path), "127.0.0.1", request, Message((), "{}", 2, is_cut=False))


class Log:
    """A request log with numbers as requests."""

    def __init__(self) -> None:
        self.kept: list[Exchange] = []
        self.read_numbers: list[int] = []

    def snapshot(self) -> Sequence[Exchange]:
        return list(self.kept)

    def summary(self, exchange: Exchange) -> RequestSummary:
        self.read_numbers.append(exchange.number)
        return summary(exchange.number, f"/v1/{exchange.number % 3}")

    def read(self, exchange: Exchange) -> LoggedRequest:
        raise NotImplementedError

    def clear(self, *, live: bool) -> int:
        raise NotImplementedError

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        raise NotImplementedError


def exchange(number: int, live: bool | None = False) -> Exchange:
    """Return an empty request."""
    return Exchange(number, NOW, 0.0, 0.0, None, live, b"", b"", 0, 200, b"", 0)


@given(
    steps=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 6), st.booleans()), max_size=12),
    word=st.sampled_from(["", "/v1/1"]),
)
def test_rows_follow_the_log_and_report_each_change(steps: list[tuple[int, int, bool]], word: str) -> None:
    log, book = Log(), RequestBook()
    shown: list[int] = []
    wanted = RequestFilter.of(word)
    pending: list[tuple[int, int]] = []

    def added() -> None:
        shown[:0] = [book[row].number for row in range(counts.pop())]

    counts: list[int] = []
    book.adding.connect(counts.append)
    book.added.connect(added)
    book.removing.connect(lambda first, last: pending.append((first, last)))
    book.removed.connect(lambda: shown.__delitem__(slice(pending[-1][0], pending.pop()[1] + 1)))
    book.replaced.connect(lambda: shown.__setitem__(slice(None), [book[row].number for row in range(len(book))]))
    book.follow(log, live=False)
    number = 0
    for adds, drops, clears in steps:
        for _ in range(adds):
            number += 1
            log.kept.append(exchange(number))
        del log.kept[: len(log.kept) if clears else drops]
        book.show(book.look(wanted))
        assert shown == [book[row].number for row in range(len(book))]
        assert shown == [each.number for each in reversed(log.kept) if not word or each.number % 3 == 1]
        assert all(book.row(each) == row for row, each in enumerate(shown))


def test_requests_of_the_other_environment_are_not_shown_and_those_without_a_key_in_both() -> None:
    log, book = Log(), RequestBook()
    log.kept = [exchange(1, False), exchange(2, True), exchange(3, None)]
    for live, numbers in ((False, [3, 1]), (True, [3, 2])):
        book.follow(log, live=live)
        assert len(book) == 0
        book.show(book.look(RequestFilter()))
        assert [book[row].number for row in range(len(book))] == numbers
    book.follow(None, live=False)
    assert book.look(RequestFilter()) == []


def test_ten_thousand_requests_are_shown_without_reading_one() -> None:
    log, book = Log(), RequestBook()
    log.kept = [exchange(number) for number in range(10_000)]
    book.follow(log, live=False)
    book.show(book.look(RequestFilter()))
    assert len(book) == 10_000
    assert log.read_numbers == []
    book.summary(book[0])
    book.summary(book[0])
    assert log.read_numbers == [9_999]


@pytest.mark.parametrize("text", ["", "post", "TRACK", "200", "2xx", "2XX", "phone", "entered", "post 2xx ann"])
def test_words_that_a_request_has(text: str) -> None:
    assert RequestFilter.of(text).matches(summary())


@pytest.mark.parametrize("text", ["get", "404", "4xx", "!", "phone-2", "post 4xx", "userid"])
def test_words_that_a_request_has_not(text: str) -> None:
    assert not RequestFilter.of(text).matches(summary())


def test_near_misses_are_found_by_their_mark_and_words() -> None:
    missed = summary(1, "/v1/track", 200, MISS)
    for text in ("!", "userid", "! mean post"):
        assert RequestFilter.of(text).matches(missed)


@given(body=st.text(st.characters(exclude_categories=["Cs", "Cc"])), header=st.text("abc'\"$`\\ !", max_size=9))
def test_a_command_for_curl_contains_the_request(body: str, header: str) -> None:
    sent = logged(body, "/v1/track?a='b'&c=$d", (("Authorization", "prj_…"), ("X-A", header), ("Host", "h")))
    words = shlex.split(curl_command(sent, "http://127.0.0.1:1").replace("\\\n", ""))
    expected = ["curl", *([] if body else ["-X", "POST"]), "http://127.0.0.1:1/v1/track?a='b'&c=$d"]
    expected += ["-H", "Authorization: YOUR_KEY", "-H", f"X-A: {header}"]
    assert words == [*expected, *(["--data-raw", body] if body else [])]


def test_a_shell_understands_the_command() -> None:
    command = curl_command(logged("a'b\n$c", headers=(("A", "b c"),)), "http://x").replace("curl", "printf '%s|'", 1)
    output = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout
    assert output == "http://x/v1/track|-H|A: b c|--data-raw|a'b\n$c|"


def test_the_key_is_in_the_command_only_on_request() -> None:
    sent = logged(headers=(("Authorization", "prj_test_pk_…a1b2"),))
    assert "YOUR_KEY" in curl_command(sent, "http://x")
    assert "Authorization: prj_test_pk_1" in curl_command(sent, "http://x", "prj_test_pk_1")
    assert "Authorization" not in curl_command(logged(), "http://x", "prj_test_pk_1")


def test_details_are_indented_and_mark_missing_parts() -> None:
    details = details_of(logged('{"a":[1,"ü"]}', headers=(("A", "b"),)))
    assert details.request == 'POST /v1/track\nA: b\n\n{\n  "a": [\n    1,\n    "ü"\n  ]\n}'
    assert details.answer == "200\n\n{}"
    assert "the body has 9,000 bytes" in details_of(logged('{"a', size=9_000)).request
    assert who_text(summary()) == "phone-1 · Ann"


@given(text=st.text(max_size=40))
def test_text_that_is_no_json_stays(text: str) -> None:
    assert pretty("x" + text) == "x" + text
    long = text * LONGEST_LINE
    assert folded(long).replace("\n", "") == long.replace("\n", "")
    assert max(map(len, folded(long).split("\n"))) <= LONGEST_LINE


def test_deeply_nested_json_stays_as_it_is() -> None:
    deep = "[" * 60_000
    assert pretty(deep) == deep


def test_headers_are_read_line_by_line() -> None:
    assert parse_headers("A: b: c\n\n X-Y :z ") == (("A", "b: c"), ("X-Y", "z"))
    for wrong in ("no colon", ": x", "a b: c", "ü: x"):
        with pytest.raises(InvalidParameter):
            parse_headers(wrong)


@pytest.mark.parametrize("path", ["v1/track", "/a b\x00", "/\r\nX: y"])
def test_an_unsendable_path_is_refused(path: str) -> None:
    with pytest.raises(FencewrightError):
        send("http://127.0.0.1:9", Draft("GET", path, (), "", None))


def test_an_endpoint_of_https_is_trusted_by_its_own_authority(tmp_path: Path) -> None:
    draft = Draft("GET", "/v1/ping", (), "", None)
    with Engine.open(tmp_path / "workspace") as engine, ApiServer(engine, port=0, tls=True) as server:
        with pytest.raises(FencewrightError, match="certificate"):
            send(server.url, draft)
        authority = engine.workspace.certificates.authority()
        assert send(server.url, draft, authority.pem.decode()).status == 401
        (kept,) = [each for each in server.requests.snapshot() if each.status]
        assert kept.head.startswith(b"GET /v1/ping ")
    assert "--cacert '/a b.pem'" in curl_command(logged(), server.url, authority="/a b.pem")
