"""A server for all tests, and the same geofences, users and time at the beginning of each."""

import json
import os
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

SEED = Path(__file__).with_name("seed.json")


@pytest.fixture(scope="session")
def fencewright(tmp_path_factory):
    """Address and keys of the server: the one that CI has started, else a new one."""
    if "RADAR_HOST" in os.environ:
        key = os.environ["RADAR_SECRET_KEY"]
        yield {"url": os.environ["RADAR_HOST"], "keys": {"test": {"secret": key}}}
        return
    ready = tmp_path_factory.mktemp("fencewright") / "ready.json"
    command = ["fencewright", "serve", "--workspace", ":memory:", "--port", "0"]
    with subprocess.Popen([*command, "--seed", SEED, "--ready-file", ready]) as server:
        while not ready.exists():
            assert server.poll() is None, "fencewright has ended; its last line says why"
            time.sleep(0.05)
        yield json.loads(ready.read_text())
        server.terminate()


@pytest.fixture
def radar(fencewright):
    """Send a request with the test secret key, and return the answer; everything is as in the seed."""

    def ask(method, path, **body):
        request = urllib.request.Request(fencewright["url"] + path, json.dumps(body).encode(), method=method)
        request.add_header("Authorization", fencewright["keys"]["test"]["secret"])
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    ask("POST", "/v1/reset")
    return ask
