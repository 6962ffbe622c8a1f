"""The vendor's own browser SDK in Chromium, on a page of another origin: CORS included."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from app.api.server import ApiServer
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geofence import GeofenceChange
from engine.domain.settings import SettingsChange
from engine.engine import Engine

ROOT = Path(__file__).parents[2]
SDK = ROOT / "resources" / "web" / "node_modules" / "radar-sdk-js" / "dist" / "radar.js"

pytestmark = pytest.mark.skipif(not SDK.exists(), reason="the web assets have not been installed")

PAGE = """\
<!doctype html><meta charset="utf-8"><title>A shop</title>
<script type="module">
import Radar from "/radar.js";
const told = {};
const failure = error => ({name: error.name, code: error.code, meta: error.response?.meta});
Radar.initialize("@KEY@", {host: "@HOST@"});
const here = {latitude: 40.785, longitude: -73.975, accuracy: 5};
const device = {deviceId: "browser", userId: "ann"};
try {
  told.entered = await Radar.trackOnce({...here, ...device});
  told.bought = await Radar.logConversion({name: "bought", revenue: 9.5, metadata: {sku: "a"}, ...device});
  told.context = await Radar.getContext(here);
  told.again = await Radar.trackOnce({...here, ...device, metadata: {plan: "gold", paid: true}});
  told.left = await Radar.trackOnce({...here, ...device, longitude: -73.5});
  told.found = await Radar.searchGeofences({near: here, limit: 10, tags: ["park"], metadata: {a: 1}});
} catch (error) { told.unexpected = failure(error); }
try { await Radar.trackOnce({...here, ...device, latitude: 91}); } catch (error) { told.bad = failure(error); }
const hasty = {...here, deviceId: "hasty"};
try { for (const _ of "ab") await Radar.trackOnce(hasty); } catch (error) { told.limited = failure(error); }
Radar.initialize("prj_test_pk_unknown", {host: "@HOST@"});
try { await Radar.trackOnce({...here, ...device}); } catch (error) { told.unknownKey = failure(error); }
console.log("result:" + JSON.stringify(told));
</script>
"""


class Shop(BaseHTTPRequestHandler):
    """Serves the page and the SDK, as a web shop would."""

    files: ClassVar[dict[str, tuple[str, bytes]]] = {}

    def do_GET(self) -> None:
        """Answer one of the two files."""
        kind, content = self.files.get(self.path, ("text/plain", b""))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_arguments: object) -> None:
        """Stay silent."""


@pytest.fixture
def shop() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Shop) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def browse(url: str) -> dict[str, Any]:
    """Return what a page says it found."""
    command = [sys.executable, "-m", "tests.clients.browser", url]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=90, check=False)
    assert done.returncode == 0, done.stderr.decode()
    told: dict[str, Any] = json.loads(done.stdout)
    return told


LAWN = GeofenceChange(
    tag="park",
    external_id="1",
    description="A lawn",
    type="circle",
    coordinates=(-73.975, 40.785),
    radius_m=100,
    metadata={"a": 1},
)


def visit(engine: Engine, shop: str) -> dict[str, Any]:
    """Return what the page says it found at an endpoint over `engine`."""
    with ApiServer(engine, port=0) as server:
        key = engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)
        page = PAGE.replace("@KEY@", key).replace("@HOST@", server.url)
        Shop.files = {"/": ("text/html", page.encode()), "/radar.js": ("text/javascript", SDK.read_bytes())}
        return browse(f"{shop}/")


def test_a_page_of_another_origin_tracks_and_searches(tmp_path: Path, shop: str) -> None:
    with Engine.open(tmp_path / "workspace") as engine:
        engine.change_settings(Environment.TEST, SettingsChange(rate_limit=False))
        stored = engine.create_geofence(Environment.TEST, LAWN)
        told = visit(engine, shop)

    assert "unexpected" not in told, told["unexpected"]
    assert "limited" not in told
    assert [event["type"] for event in told["entered"]["events"]] == ["user.entered_geofence"]
    assert told["entered"]["user"]["userId"] == "ann"
    assert told["entered"]["user"]["geofences"][0]["_id"] == stored.id
    assert told["again"]["events"] == []
    assert told["again"]["user"]["metadata"] == {"plan": "gold", "paid": True}
    assert [event["type"] for event in told["left"]["events"]] == ["user.exited_geofence"]
    assert [geofence["_id"] for geofence in told["found"]["geofences"]] == [stored.id]
    bought = told["bought"]["event"]
    assert (bought["type"], bought["user"]["userId"]) == ("bought", "ann")
    assert bought["metadata"] == {"sku": "a", "revenue": 9.5}
    assert [geofence["_id"] for geofence in told["context"]["geofences"]] == [stored.id]
    assert told["bad"]["meta"]["param"] == "latitude"
    assert "[-90, 90]" in told["bad"]["meta"]["message"]
    assert told["unknownKey"]["meta"]["code"] == 401
    assert told["unknownKey"]["meta"]["requestId"]


def test_a_page_that_tracks_too_fast_is_told_so(tmp_path: Path, shop: str) -> None:
    with Engine.open(tmp_path / "workspace") as engine:
        told = visit(engine, shop)
    assert told["limited"]["name"] == "RadarRateLimitError"
    assert told["limited"]["meta"]["type"] == "trackPerDevice"
