"""The instructions for connecting an SDK, and the detection of the SDK that sent a request."""

import re
import threading
from collections.abc import Iterator
from datetime import datetime

import httpx
import pytest

from app.sdks.sightings import MAX_REMEMBERED, Sightings, sdk_of
from app.sdks.snippets import Part, Sdk, Target, instructions, parts
from app.session import WorkspaceSession
from engine.domain.environment import Environment, KeyLevel
from tests.app.program import ROOT
from tests.engine.fixtures import NOON

TARGET = Target("http://127.0.0.1:8787", "prj_test_pk_…", "prj_test_sk_…")
NATIVE = {b"x-radar-x-platform-sdk-type": b"Native"}
HEADERS: dict[Sdk, dict[bytes, bytes]] = {
    Sdk.JAVASCRIPT: {b"x-radar-device-type": b"Web", b"x-radar-sdk-version": b"5.2.0", b"user-agent": b"Mozilla/5.0"},
    Sdk.PYTHON: {b"user-agent": b"radar-python/0.0.4 (Python 3.12.1)"},
    Sdk.IOS: {b"x-radar-device-type": b"iOS", b"x-radar-sdk-version": b"3.39.1", **NATIVE},
    Sdk.ANDROID: {b"x-radar-device-type": b"Android", b"x-radar-sdk-version": b"3.34.0", **NATIVE},
    Sdk.REACT_NATIVE: {b"x-radar-device-type": b"iOS", b"x-radar-x-platform-sdk-type": b"ReactNative"},
    Sdk.FLUTTER: {
        b"x-radar-device-type": b"Android",
        b"x-radar-sdk-version": b"3.34.0",
        b"x-radar-x-platform-sdk-type": b"Flutter",
        b"x-radar-x-platform-sdk-version": b"3.12.4",
    },
}
VERSIONS = {
    Sdk.JAVASCRIPT: "5.2.0",
    Sdk.PYTHON: "0.0.4",
    Sdk.IOS: "3.39.1",
    Sdk.ANDROID: "3.34.0",
    Sdk.REACT_NATIVE: None,
    Sdk.FLUTTER: "3.12.4",
}


@pytest.mark.parametrize("sdk", Sdk)
def test_the_page_shows_the_lines_of_the_window(sdk: Sdk) -> None:
    page = (ROOT / "docs" / "sdks.md").read_text(encoding="utf-8")
    page = re.sub(r"<!-- not run: .*? -->\n", "", page)
    assert f"## {sdk.label}\n\n{instructions(sdk, TARGET)}\n\n" in page


@pytest.mark.parametrize("sdk", Sdk)
def test_everything_is_filled_in(sdk: Sdk) -> None:
    target = Target("http://10.0.0.7:1234", "prj_live_pk_1", "prj_live_sk_1")
    text = instructions(sdk, target)
    assert "prj_live_pk_1" in text
    assert "10.0.0.7:1234" in text or "10.0.2.2:1234" in text
    assert "$" not in text
    assert ("prj_live_sk_1" in text) == (sdk is Sdk.PYTHON)
    assert all(part.text.strip() for part in parts(text))


def test_instructions_are_paragraphs_and_code() -> None:
    text = "One\nparagraph.\n\nTwo:\n\n```sh\nls\n\ncd\n```\n\nEnd."
    assert parts(text) == [Part("One\nparagraph."), Part("Two:"), Part("ls\n\ncd", "sh"), Part("End.")]


@pytest.mark.parametrize("sdk", Sdk)
def test_each_sdk_is_known_by_its_headers(sdk: Sdk) -> None:
    assert sdk_of(HEADERS[sdk]) is sdk
    sightings = Sightings(lambda: NOON)
    sightings.note(HEADERS[sdk], Environment.TEST)
    first = sightings.first(sdk, Environment.TEST)
    assert first is not None
    assert (first.at, first.version, first.environment) == (NOON, VERSIONS[sdk], Environment.TEST)
    assert [other for other in Sdk if sightings.first(other, Environment.TEST)] == [sdk]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {b"user-agent": b"curl/8.5.0"},
        {b"user-agent": b"python-requests/2.32"},
        {b"x-radar-device-type": b"Toaster"},
        {b"x-radar-device-type": b"\xff"},
    ],
)
def test_other_clients_are_none_of_them(headers: dict[bytes, bytes]) -> None:
    assert sdk_of(headers) is None


def test_a_version_that_is_no_version_is_left_out() -> None:
    sightings = Sightings(lambda: NOON)
    sightings.note(HEADERS[Sdk.IOS] | {b"x-radar-sdk-version": b"9" * 500}, Environment.TEST)
    first = sightings.first(Sdk.IOS, Environment.TEST)
    assert first is not None
    assert first.version is None


def test_the_first_request_stays_and_one_with_the_right_key_counts_more() -> None:
    times = iter([NOON.replace(minute=minute) for minute in range(9)])
    notified: list[datetime] = []
    sightings = Sightings(lambda: next(times))

    def listen() -> None:
        first = sightings.first(Sdk.IOS, Environment.TEST)
        assert first is not None
        notified.append(first.at)

    leave = sightings.subscribe(listen)
    test, live = Environment.TEST, Environment.LIVE
    for environment in (None, None, live, test, test, None, live):
        sightings.note(HEADERS[Sdk.IOS], environment)
    first = sightings.first(Sdk.IOS, Environment.TEST)
    assert first is not None
    assert (first.environment, first.at.minute) == (test, 3)
    assert [moment.minute for moment in notified] == [0, 2, 3]
    other = sightings.first(Sdk.IOS, live)
    assert other is not None
    assert (other.environment, other.at.minute) == (live, 2)
    leave()
    sightings.note(HEADERS[Sdk.ANDROID], test)
    assert len(notified) == 3


def test_a_client_with_ever_new_names_takes_no_memory() -> None:
    sightings = Sightings(lambda: NOON)
    for number in range(3 * MAX_REMEMBERED):
        sightings.note({b"user-agent": b"%d" % number}, Environment.TEST)
    assert len(sightings._settled) == MAX_REMEMBERED


@pytest.fixture
def session() -> Iterator[WorkspaceSession]:
    with WorkspaceSession(":memory:", port=0) as session:
        session.start_endpoint()
        yield session


def ask(session: WorkspaceSession, sdk: Sdk, key: str | None, path: str = "/v1/config", **options: object) -> None:
    headers = {name.decode(): value.decode() for name, value in HEADERS[sdk].items()}
    if key is not None:
        headers["Authorization"] = key
    httpx.request("POST" if options else "GET", f"{session.url}{path}", headers=headers, trust_env=False, **options)  # type: ignore[arg-type]


def test_requests_to_the_endpoint_are_seen_whichever_way_they_take(session: WorkspaceSession) -> None:
    keys = session.engine.workspace.keys
    publishable = keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)
    body = {"deviceId": "phone", "latitude": 1, "longitude": 2, "accuracy": 5}
    ask(session, Sdk.IOS, publishable, "/v1/track", json=body)
    ask(session, Sdk.JAVASCRIPT, keys.value(Environment.LIVE, KeyLevel.PUBLISHABLE))
    ask(session, Sdk.ANDROID, "prj_test_pk_of_another_workspace")
    ask(session, Sdk.FLUTTER, None)
    test, live = Environment.TEST, Environment.LIVE
    seen = {sdk: first.environment for sdk in Sdk if (first := session.sightings.first(sdk, test)) is not None}
    assert seen == {Sdk.IOS: test, Sdk.JAVASCRIPT: live, Sdk.ANDROID: None, Sdk.FLUTTER: None}
    # Sightings are kept while the endpoint is stopped and started again.
    session.stop_endpoint()
    session.start_endpoint()
    assert session.sightings.first(Sdk.IOS, Environment.TEST) is not None
    ask(session, Sdk.ANDROID, publishable)
    android = session.sightings.first(Sdk.ANDROID, Environment.TEST)
    assert android is not None
    assert android.environment is test


def test_the_lines_for_python_work_as_they_stand(session: WorkspaceSession, capsys: pytest.CaptureFixture[str]) -> None:
    keys = session.engine.workspace.keys
    values = (keys.value(Environment.TEST, level) for level in (KeyLevel.PUBLISHABLE, KeyLevel.SECRET))
    text = instructions(Sdk.PYTHON, Target(session.url or "", *values))
    (code,) = (part.text for part in parts(text) if part.language == "python")
    exec(compile(code, "docs/sdks.md", "exec"), {})
    assert capsys.readouterr().out.strip() == "[]"
    assert session.sightings.first(Sdk.PYTHON, Environment.TEST) is not None


def test_many_first_requests_at_once_are_one() -> None:
    sightings, notified = Sightings(lambda: NOON), []
    sightings.subscribe(lambda: notified.append(1))
    threads = [
        threading.Thread(target=sightings.note, args=(HEADERS[Sdk.FLUTTER], Environment.TEST)) for _ in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert notified == [1]
