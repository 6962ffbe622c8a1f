"""``fencewright faults``, and the terminal's messages about requests that faults hit."""

from fnmatch import fnmatchcase
from functools import reduce
from itertools import product
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cli.terminal.request_lines import request_line
from app.faults.rules import FaultKind, FaultRule
from app.faults.served import may_meet
from app.faults.words import choice_of, effect_of, scope_of
from app.session import WorkspaceSession
from engine.domain.environment import Environment, KeyLevel
from tests.app.commands import Commands


def test_faults_of_the_process_that_serves(fencewright: Commands, tmp_path: Path) -> None:
    with WorkspaceSession(tmp_path, port=0) as session:
        url = session.start_endpoint()
        workspace_option = ("--workspace", tmp_path)
        headers = {"Authorization": session.engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)}
        added = fencewright(
            *("faults", "add", "status", "--status", 429, "--header", "Retry-After: 3", "--path", "/v1/config"),
            *("--key", "publishable", "--times", 2, "--json", *workspace_option),
        ).json["fault"]
        assert (added["status"], added["headers"], added["times"]) == (429, {"Retry-After": "3"}, 2)
        answer = httpx.get(f"{url}/v1/config", headers=headers)
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "3")
        assert fencewright("faults", "add", "drop", "--when", "after", "--every", 2, *workspace_option).code == 0
        assert httpx.get(f"{url}/v1/geocode/ip", headers=headers).status_code == 200
        live = {"Authorization": session.engine.workspace.keys.value(Environment.LIVE, KeyLevel.PUBLISHABLE)}
        assert [httpx.get(f"{url}/v1/config", headers=live).status_code for _ in range(3)] == [200] * 3
        with pytest.raises(httpx.RemoteProtocolError):
            httpx.get(f"{url}/v1/geocode/ip", headers=headers)
        lines = [request_line(session.requests.summary(each)) for each in session.requests.snapshot()]
        assert "429" in lines[0]
        assert "[fault1]" in lines[0]
        assert "dropped" in lines[-1]
        assert "[fault2]" in lines[-1]
        shown = fencewright("faults", "list", *workspace_option).out.splitlines()
        assert shown[0].split("  ") == [
            *("fault1", "status 429", "/v1/config, publishable key", "the next 2 requests", "1 hit"),
        ]
        assert shown[1].startswith("fault2  drop after it is processed  any path  every 2nd request")
        assert fencewright("faults", "clear", "fault2", *workspace_option).out == "1 removed\n"
        assert fencewright("faults", "clear", "fault2", *workspace_option).code == 1
        assert fencewright("faults", "clear", *workspace_option).out == "1 removed\n"
        assert session.faults.all() == ()
        assert fencewright("faults", "list", *workspace_option).out == "No faults.\n"


def test_invalid_faults(fencewright: Commands, tmp_path: Path) -> None:
    with WorkspaceSession(tmp_path) as session:
        for wrong, words in (
            (("add", "status"), "--status: is required for a fault of the kind status."),
            (("add", "drop", "--nth", "0"), "--nth: must be within [1, 1000000]"),
            (("add", "drop", "--latency-ms", "5"), "--latency-ms: is only for faults of the kind latency"),
            (("add", "drop", "--path", "/elsewhere"), "--path: must be a path that begins with /v1/"),
            (
                ("add", "drop", "--path", "/v1/trak"),
                "--path: faults hit nothing at '/v1/trak'; did you mean /v1/track?",
            ),
            (("add", "status", "--status", 429, "--header", "A: 1", "--header", "A: 2"), "--header: A is given twice"),
            (("add", "status", "--status", 429, "--header", "A B: 1"), "--header: 'A B' is not the name of a header"),
        ):
            ended = fencewright("faults", *wrong, "--workspace", tmp_path)
            assert ended.code == 1
            assert words in ended.err
        assert fencewright("faults", "add", "teapot", "--workspace", tmp_path).code == 2
        assert fencewright("faults", "add", "status", "--header", "no colon", "--workspace", tmp_path).code == 2
        assert session.faults.all() == ()
    closed = fencewright("faults", "list", "--workspace", tmp_path)
    assert closed.code == 1
    assert "is not open, so there are no requests to affect" in closed.err


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (FaultRule(kind=FaultKind.LATENCY, latency_ms=1500), ("1500 ms latency", "any path", "every request")),
        (
            FaultRule(kind=FaultKind.DROP, method="POST", path="/v1/track", nth=22, device_id="phone"),
            ("drop before it is processed", "POST /v1/track, device phone", "the 22nd request"),
        ),
        (
            FaultRule(kind=FaultKind.TRUNCATE, key=KeyLevel.SECRET, share=0.25, times=1000),
            ("half of the body", "any path, secret key", "25 % of requests, seed 0, 1000 in all"),
        ),
        (
            FaultRule(kind=FaultKind.SLOW, bytes_per_second=9, every=113, path="/v1/route/*"),
            ("9 bytes per second", "/v1/route/*", "every 113th request"),
        ),
        (FaultRule(kind=FaultKind.TRUNCATE, bytes=5, times=1), ("5 bytes of the body", "any path", "the next request")),
    ],
)
def test_rules_in_words(rule: FaultRule, words: tuple[str, str, str]) -> None:
    assert (effect_of(rule), scope_of(rule), choice_of(rule)) == words


PATTERNS = st.text("ab/*", max_size=5)
TEMPLATES = st.lists(st.sampled_from(["a", "b", "ab", "{x}", "a{x}"]), min_size=1, max_size=2).map("/".join)
SEGMENTS = ["".join(letters) for size in range(6) for letters in product("ab", repeat=size)]


@given(PATTERNS, TEMPLATES)
def test_a_pattern_meets_a_path_exactly_if_a_request_matches_both(pattern: str, template: str) -> None:
    paths = (
        reduce(lambda path, segment: path.replace("{x}", segment, 1), chosen, template)
        for chosen in product(SEGMENTS, repeat=template.count("{x}"))
    )
    assert may_meet(pattern, template) is any(fnmatchcase(path, pattern) for path in paths)
