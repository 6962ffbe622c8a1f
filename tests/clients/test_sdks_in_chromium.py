"""The vendor's three browser SDKs in Chromium, on a page of another origin: every method and its result."""

from typing import Final

import pytest

from tests.clients.answers import (
    HERE,
    answered,
    check_conversion,
    check_searches,
    check_tracking,
    check_trips,
)
from tests.clients.chromium import needs_chromium
from tests.clients.compatibility import Client, check_calls, check_client, count
from tests.clients.sdk_pages import VERSION_3, VERSION_4, VERSION_5, Visit, visit
from tests.clients.sent_fields import check_requests

pytestmark = [pytest.mark.slow, needs_chromium]

PAGES: Final = {Client.SDK_5: VERSION_5, Client.SDK_4: VERSION_4, Client.SDK_3: VERSION_3}
DIFFERENCES: Final = {
    Client.SDK_4: (
        "`trackVerified` and `getVerifiedLocationToken` fail with `RadarVerifyAppError`: verified tracking is "
        "[not served](not-served.md#features)"
    )
}

type Visited = tuple[Client, Visit]


@pytest.fixture(scope="module", params=PAGES, ids=lambda client: client.name)
def visited(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Visited:
    client: Client = request.param
    return client, visit(PAGES[client], tmp_path_factory.mktemp("served"))


def test_every_call_returns_its_answer(visited: Visited) -> None:
    client, seen = visited
    assert seen.failed == {}
    check_tracking(seen.answers)
    check_conversion(seen.answers)
    check_trips(seen.answers)
    check_searches(seen.answers)
    assert "verificationStatus" in seen.answers["validate"]["result"]
    user = seen.answers["trackOnce"]["user"]
    assert (user["description"], user["metadata"]) == ("Ann", {"plan": "gold"})
    if client is Client.SDK_3:
        assert (user["deviceId"], user["deviceType"]) == ("web-1", "Web")


def test_what_the_browser_keeps(visited: Visited) -> None:
    _, seen = visited
    assert seen.more["located"] == [HERE["latitude"], HERE["longitude"]]
    assert (seen.more["options"], seen.more["kept"], seen.more["cleared"]) == (None, {"externalId": "order-3"}, None)


def test_the_log_reports_no_parameter_that_the_sdk_adds(visited: Visited) -> None:
    client, seen = visited
    check_requests(client.value.rpartition(" ")[2], seen.logged)


def test_verified_tracking_does_not_reach_the_server(visited: Visited) -> None:
    client, seen = visited
    if client is Client.SDK_4:
        fails = "RadarVerifyAppError"
        assert seen.more["verified"] == {"trackVerified": fails, "getVerifiedLocationToken": fails}
    else:
        assert seen.more["verified"] == {}
        assert not any("erified" in name for name in seen.offered)
    assert not [each for each in seen.logged if "verif" in each["path"]]


def test_the_page_has_the_results_of_this_run(visited: Visited) -> None:
    client, seen = visited
    check_client(client, "Chromium", count(seen.called, seen.offered), DIFFERENCES.get(client, "–"))
    check_calls(client, answered(seen.answers))
