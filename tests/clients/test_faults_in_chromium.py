"""Faults reach a page in Chromium, which repeats a request by itself after some of them.

It does so on connections that were already open, so each round begins with several of them.
"""

from collections.abc import Iterator
from functools import partial

import httpx
import psutil
import pytest

from app.api.server.server import ApiServer
from app.faults.rules import DropTime, FaultKind, FaultRule
from engine.domain.environment import Environment, KeyLevel
from engine.domain.settings import SettingsChange
from engine.domain.values import replace
from engine.engine import Engine
from tests.clients.chromium import browse, needs_chromium
from tests.clients.shop import SDK, Shop, shop, stock
from tests.waiting import eventually

__all__ = ["shop"]

pytestmark = [
    pytest.mark.slow,
    needs_chromium,
    pytest.mark.skipif(not SDK.exists(), reason="the web assets have not been installed"),
]

TRACKS = 3
"""Number of updates that a page sends at once, each on its own connection."""

PAGE = """\
<!doctype html><meta charset="utf-8"><title>A shop</title>
<script type="module">
import Radar from "/radar.js";
Radar.initialize("@KEY@", {host: "@HOST@"});
const seen = [];
const here = {latitude: 40.785, longitude: -73.975, accuracy: 5};
const track = deviceId => Radar.trackOnce({...here, deviceId})
  .then(() => "stored", error => error.name);
const ask = what => fetch(what, {method: "POST"});
for (let round = 0; round < ROUNDS; round++) {
  const before = await Promise.all(Array.from({length: TRACKS}, (_, number) => track(`before-${round}-${number}`)));
  await ask("/arm");
  BETWEEN
  const hit = await track(`hit-${round}`);
  seen.push({before, hit, after: await track(`after-${round}`)});
}
console.log("result:" + JSON.stringify(seen));
</script>
"""

PRECONNECT = """
  const link = Object.assign(document.createElement("link"), {rel: "preconnect", href: "@HOST@", crossOrigin: ""});
  document.head.append(link);
  await ask("/connected");
  link.remove();
"""

DROP = FaultRule(kind=FaultKind.DROP, path="/v1/track", nth=1)
DROPS = (replace(DROP, when=DropTime.BEFORE), replace(DROP, when=DropTime.AFTER))
TIMED_OUT = FaultRule(kind=FaultKind.STATUS, status=408, path="/v1/track", times=1)
OTHERS = (
    TIMED_OUT,
    FaultRule(kind=FaultKind.TRUNCATE, path="/v1/track", times=1),
)
RULES = (*DROPS * 10, *OTHERS * 5)
FAILURES = {
    FaultKind.DROP: "RadarNetworkError",
    FaultKind.STATUS: "RadarUnknownError",
    FaultKind.TRUNCATE: "RadarUnknownError",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with Engine.open(tmp_path_factory.mktemp("workspace")) as engine:
        engine.settings.change(Environment.TEST, SettingsChange(rate_limit=False))
        yield engine


@pytest.fixture(params=[False, True], ids=["HTTP", "HTTPS"])
def server(engine: Engine, request: pytest.FixtureRequest) -> Iterator[ApiServer]:
    with ApiServer(engine, port=0, tls=request.param) as server:
        yield server


@pytest.fixture
def secret(server: ApiServer, engine: Engine) -> Iterator[httpx.Client]:
    key = engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)
    with httpx.Client(base_url=server.url, headers={"Authorization": key}, verify=False) as client:
        yield client


def arm(secret: httpx.Client, rule: FaultRule) -> None:
    """Add a fault through the API, as the tests of a page would."""
    given = {"kind": rule.kind, "path": rule.path, "nth": rule.nth, "times": rule.times, "status": rule.status}
    body = {name: value for name, value in {**given, "when": rule.when}.items() if value is not None}
    assert secret.post("/v1/faults", json=body).status_code == 200


def visit(shop: str, server: ApiServer, engine: Engine, rounds: int, between: str = "") -> list[dict[str, object]]:
    """Return the messages of the SDK in each round. A workspace's own certificate is trusted."""
    page = PAGE.replace("BETWEEN", between).replace("ROUNDS", str(rounds)).replace("TRACKS", str(TRACKS))
    stock(page, engine, server.url, {"/radar.js": SDK})
    seen = browse(f"{shop}/", arguments=["--ignore-certificate-errors"])
    assert not seen.errors, seen.errors
    results: list[dict[str, object]] = seen.result
    return results


def test_each_fault_reaches_the_sdk_once(shop: str, server: ApiServer, engine: Engine, secret: httpx.Client) -> None:
    rules = iter(RULES)
    Shop.actions = {"/arm": lambda: arm(secret, next(rules))}
    results = visit(shop, server, engine, len(RULES))
    for number, (rule, found) in enumerate(zip(RULES, results, strict=True)):
        assert found == {
            "before": ["stored"] * TRACKS,
            "hit": FAILURES[rule.kind],
            "after": "stored",
        }, (number, rule)
    assert [(fault.seen, fault.hits) for fault in server.faults.all()] == [(1, 1)] * len(results)


@pytest.mark.second_try("a page has 60 s, and Chromium opens connections in advance when it likes")
@pytest.mark.parametrize("rule", [DROP, TIMED_OUT], ids=["drop", "408"])
def test_a_connection_that_the_browser_opened_in_advance(
    shop: str, server: ApiServer, engine: Engine, secret: httpx.Client, rule: FaultRule
) -> None:
    Shop.actions = {
        "/arm": lambda: arm(secret, rule),
        "/connected": partial(eventually, lambda: connections(server) > 0),
    }
    results = visit(shop, server, engine, 3, PRECONNECT.replace("@HOST@", server.url))
    assert [found["hit"] for found in results] == [FAILURES[rule.kind]] * 3
    assert [(fault.seen, fault.hits) for fault in server.faults.all()] == [(1, 1)] * 3


CONTEXT = "/v1/context"
ABRUPT = """\
<!doctype html><meta charset="utf-8"><title>A shop</title>
<script type="module">
const ask = what => fetch(what, {method: "POST"});
const context = signal => fetch("@HOST@/v1/context?coordinates=40.785,-73.975",
  {headers: {Authorization: "@KEY@"}, signal}).then(answer => answer.status, error => error.name);
const seen = {};
await ask("/misdirected-once");
seen.once = await context();
await ask("/misdirected-twice");
seen.twice = await context();
await ask("/late");
seen.late = await context(AbortSignal.timeout(300));
seen.after = await context();
console.log("result:" + JSON.stringify(seen));
</script>
"""


@pytest.mark.parametrize("server", [False], indirect=True)
def test_other_statements_of_the_docs_about_browsers(
    shop: str, server: ApiServer, engine: Engine, secret: httpx.Client
) -> None:
    misdirected = FaultRule(kind=FaultKind.STATUS, status=421, path=CONTEXT, times=1)
    late = FaultRule(kind=FaultKind.LATENCY, latency_ms=20_000, path=CONTEXT, times=1)
    Shop.actions = {
        "/misdirected-once": lambda: arm(secret, misdirected),
        "/misdirected-twice": lambda: arm(secret, replace(misdirected, times=2)),
        "/late": lambda: server.faults.add(late),
    }
    stock(ABRUPT, engine, server.url, {})
    seen = browse(f"{shop}/")
    assert seen.result == {"once": 200, "twice": 421, "late": "TimeoutError", "after": 200}
    assert [fault.hits for fault in server.faults.all()] == [1, 2, 1]
    eventually(lambda: logged(secret) == (6, 4))


def logged(secret: httpx.Client) -> tuple[int, int]:
    """Return how many requests the page sent, and how many of them were hit by a fault."""
    requests = secret.get("/v1/requests", params={"path": CONTEXT}).json()["requests"]
    sent = [request for request in requests if request["method"] == "GET"]
    return len(sent), sum("faults" in request for request in sent)


def connections(server: ApiServer) -> int:
    """Return the number of connections of a server in this process."""
    open_ones = psutil.Process().net_connections("tcp")
    return sum(each.laddr.port == server.port and each.status == psutil.CONN_ESTABLISHED for each in open_ones)
