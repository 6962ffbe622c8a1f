"""The fraud plugin of the browser SDK 5 in Chromium: it leaves the server alone, and asks only Radar's own hosts.

It is proprietary and only run here, as its users do.
"""

from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from tests.clients.answers import HERE
from tests.clients.chromium import MODULES, Seen, browse, needs_chromium
from tests.clients.compatibility import Client, check_client, count
from tests.clients.sdk_pages import CALLS_FILE
from tests.clients.served import served
from tests.clients.shop import open_shop, shelve

pytestmark = [pytest.mark.slow, needs_chromium]

FILES: Final = {
    "/radar.js": MODULES / "radar-sdk-js/dist/radar.js",
    "/fraud.js": MODULES / "@radarlabs/plugin-fraud/dist/index.js",
    "/calls.mjs": CALLS_FILE,
}
PAGE: Final = """<!doctype html><meta charset="utf-8"><title>A shop</title>
<script type="importmap">{"imports": {"radar-sdk-js": "/radar.js"}}</script>
<script type="module">
import { Record, methodsOf } from "/calls.mjs";
import Radar from "radar-sdk-js";
import { createFraudPlugin } from "/fraud.js";
const before = methodsOf(Radar);
Radar.registerPlugin(createFraudPlugin());
Radar.initialize("@KEY@", { host: "@HOST@" });
Radar.setUserId("ann");
const record = new Record(methodsOf(Radar.fraud));
const fraud = record.of(Radar.fraud);
const tokens = [];
fraud.setExpectedJurisdiction("FI", "18");
fraud.setExpectedAddress("Mannerheimintie 10, Helsinki");
fraud.setUserLanguage("en");
fraud.onTokenUpdated((token) => tokens.push(token));
await record.attempt("track", () => Radar.trackOnce({}));
await record.attempt("withApp", () => fraud.trackVerified());
await record.attempt("withoutApp", () => fraud.trackVerified({ skipVerifyApp: true }));
await record.attempt("encrypted", () => fraud.trackVerified({ skipVerifyApp: true }, true));
await record.attempt("token", () => fraud.getVerifiedLocationToken({ skipVerifyApp: true }));
await record.attempt("risk", () => fraud.revealRisk());
fraud.onIpChanged(() => {});
fraud.startTrackingVerified({ interval: 600, skipVerifyApp: true, ipChanges: true });
await new Promise((resolve) => setTimeout(resolve, 300));
fraud.stopTrackingVerified();
fraud.onIpChanged(null);
fraud.clearVerifiedLocationToken();
fraud.clearRevealRiskId();
await record.attempt("trackAgain", () => Radar.trackOnce({ latitude: 60.1719, longitude: 24.9414, accuracy: 5 }));
record.report({ tokens, added: methodsOf(Radar).filter((name) => !before.includes(name)) });
</script>
"""
RADAR: Final = {"api-verified.radar.io", "radar-verify.com"}
"""The hosts it asks, which the browser of the tests cannot reach."""

type Visited = tuple[Seen, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def visited(tmp_path_factory: pytest.TempPathFactory) -> Visited:
    with served(tmp_path_factory.mktemp("home")) as server, open_shop() as shop:
        server.add_store()
        shelve(PAGE, server.publishable, server.url, FILES)
        seen = browse(f"{shop}/", geolocation=HERE)
        logged = server.logged()
    assert not seen.errors, (seen.errors, seen.console)
    return seen, logged


def test_tracking_without_verification_works_beside_it(visited: Visited) -> None:
    answers = visited[0].result["answers"]
    assert answers["track"]["user"]["userId"] == "ann"
    assert [event["type"] for event in answers["trackAgain"]["events"]] == ["user.entered_geofence"]


def test_verified_calls_fail_without_radar(visited: Visited) -> None:
    answers = visited[0].result["answers"]
    assert answers["withApp"]["kind"] == "RadarVerifyAppError"
    for name in ("withoutApp", "encrypted", "token", "risk"):
        assert answers[name]["kind"] == "RadarNetworkError", name
    assert visited[0].result["tokens"] == []


def test_they_contact_other_hosts_and_not_the_server(visited: Visited) -> None:
    seen, logged = visited
    contacted = {(urlsplit(each.url).hostname, urlsplit(each.url).path) for each in seen.requests if each.failure}
    assert {host for host, _ in contacted} - {"127.0.0.1"} == RADAR
    assert {("radar-verify.com", "/v1/verify"), ("api-verified.radar.io", "/v1/reveal/risk")} <= contacted
    paths = {each["path"].partition("?")[0] for each in logged}
    assert paths - {"/v1/geofences/store/1", "/v1/requests"} == {"/v1/config", "/v1/track"}
    assert [each["nearMisses"] for each in logged if each["nearMisses"]] == []


def test_the_page_has_the_results_of_this_run(visited: Visited) -> None:
    result = visited[0].result
    assert set(result["added"]) < set(result["offered"]), "the same calls, at the root"
    differences = (
        "[not served](not-served.md#features): `trackVerified`, `getVerifiedLocationToken` and `revealRisk` ask only "
        "Radar's hosts, regardless of `host`, and fail without them; the other calls of the SDK work"
    )
    called = f"{count(result['called'], result['offered'])} of `Radar.fraud`"
    check_client(Client.FRAUD, "Chromium, without a network", called, differences)
