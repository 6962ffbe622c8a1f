"""The webhook of the seed, with the clock stopped: what arrives at once, and what only after time has passed."""

import hmac
import json
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

TOKEN = b"a-token-for-tests"


@pytest.fixture
def receiver():
    """A server that receives deliveries and answers with `statuses`, then with 200. In your project, use your own."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            expected = hmac.new(TOKEN, self.headers["X-Radar-Signing-Id"].encode(), "sha1").hexdigest()
            assert hmac.compare_digest(self.headers["X-Radar-Signature"], expected)
            self.send_response(server.statuses.pop(0) if server.statuses else 200)
            self.end_headers()
            server.received.put(body["event"]["type"])

    with HTTPServer(("127.0.0.1", 8788), Handler) as server:
        server.received, server.statuses = queue.Queue(), []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def enter_the_store(radar):
    radar("POST", "/v1/track", deviceId="phone-2", latitude=51.2798, longitude=1.0828, accuracy=12)


def test_an_entry_is_delivered_at_once(radar, receiver):
    enter_the_store(radar)
    assert receiver.received.get(timeout=10) == "user.entered_geofence"


def test_a_failed_delivery_is_repeated_after_some_seconds(radar, receiver):
    receiver.statuses.append(503)
    enter_the_store(radar)
    assert receiver.received.get(timeout=10) == "user.entered_geofence"

    (webhook,) = radar("GET", "/v1/webhooks")["webhooks"]
    while not radar("GET", f"/v1/webhooks/{webhook['_id']}/deliveries?status=queued")["deliveries"][0]["attempts"]:
        time.sleep(0.05)  # until the failure is noted
    assert receiver.received.empty(), "a stopped clock repeats nothing"
    radar("POST", "/v1/clock", advanceSeconds=10)
    assert receiver.received.get(timeout=10) == "user.entered_geofence"
