"""The program after `uv tool install` and before `fencewright setup`, when it has no address data."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import copytree
from typing import Any

import httpx
import pytest

from engine import bundled, wiring
from engine.areas.library import AreaLibrary
from engine.geocoding.geocoding import Geocoding
from tests.app.commands import Commands, ServingHere
from tests.app.program import TIMEOUT_S, Serving
from tests.app.test_setup import Installation, extract, installation
from tests.servers import answering, serving

__all__ = ["extract", "installation"]

LOOKUPS = {
    "geocode/forward?query=berlin": "There is no address data",
    "geocode/forward?query=52.5, 13.4": "There is no address data",
    "geocode/reverse?coordinates=52.5,13.4": "There is no address data",
    "search/autocomplete?query=berl": "There is no address data",
    "search/autocomplete?query=berl&near=52.5,13.4": "There is no address data",
    "search/places?near=52.5,13.4&categories=food-beverage": "There is no place data",
    "search/places?iataCode=BER": "There is no place data",
    "addresses/validate?city=New York&stateCode=NY&postalCode=10003&countryCode=US&number=841&street=Broadway": (
        "There is no address data"
    ),
    "geocode/ip": "The location of this machine is unknown",
    "geocode/ip?ip=8.8.8.8": "There is no IP address data",
}


@pytest.fixture
def without_data(fencewright: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    """Commands that find the sources of the data, and no data."""
    inputs = copytree(bundled.INPUTS, tmp_path / "resources" / "setup")
    monkeypatch.setattr(bundled, "INPUTS", inputs)
    # Their defaults are the folders found when the modules were loaded.
    monkeypatch.setattr(wiring, "Geocoding", partial(Geocoding, world=bundled.WORLD.folder()))
    monkeypatch.setattr(wiring, "AreaLibrary", partial(AreaLibrary, bundled=bundled.AREAS.folder()))
    return fencewright


@contextmanager
def running(installation: Installation, workspace: Path, *options: object) -> Iterator[Serving]:
    """A server without data, or with data that was created for it."""
    ready = installation.home / "ready.json"
    installation.home.mkdir(exist_ok=True)
    arguments = ("--workspace", workspace, "--port", 0, "--ready-file", ready, *options)
    with installation.start("serve", *map(str, arguments), PYTHONUNBUFFERED="1") as process:
        try:
            yield Serving(process, ready)
        finally:
            process.kill()


def ask(server: Serving | ServingHere, path: str, **options: Any) -> httpx.Response:
    key = {"Authorization": server.key()}
    method = "POST" if options else "GET"
    return httpx.request(method, f"{server.url}/v1/{path}", headers=key, trust_env=False, timeout=TIMEOUT_S, **options)


def test_lookups_and_the_log_at_the_start_name_the_command_to_run(without_data: Commands, tmp_path: Path) -> None:
    with without_data.serve(tmp_path / "w") as server:
        started = "".join(server.startup_lines)
        for path, reason in LOOKUPS.items():
            answer = ask(server, path)
            assert answer.status_code == 503, f"{path}: {answer.text}"
            message = answer.json()["meta"]["message"]
            assert message.startswith(reason), path
            assert "Run 'fencewright setup'" in message
        # Errors in the request take precedence.
        for path in (
            "geocode/forward",
            "search/places?near=1,2",
            "search/places?near=1,2&categories=no",
            "geocode/ip?ip=x",
        ):
            assert ask(server, path).status_code == 400, path
        fence = {"description": "x", "type": "circle", "tag": "a", "externalId": "1", "radius": 50}
        made = ask(server, "geofences", json=fence | {"address": "841 Broadway, New York"})
        assert (made.status_code, "fencewright setup" in made.text) == (503, True)
        # Operations that need no data still work.
        assert ask(server, "geofences", json=fence | {"coordinates": [13.4, 52.5]}).status_code == 200
        fix = {"deviceId": "phone", "latitude": 52.5, "longitude": 13.4, "accuracy": 5}
        assert len(ask(server, "track", json=fix).json()["events"]) == 1
        assert ask(server, "context?coordinates=52.5,13.4").status_code == 200
        ended = server.stop()
    assert "\nfencewright: There is no world pack and no area in use" in f"\n{started}"
    assert "'fencewright setup'" in started
    assert started.index("There is no world pack") < started.index("listening on")
    assert "Traceback" not in ended.err
    assert ended.err.count("There is no world pack") == 1


@pytest.mark.slow
def test_an_area_alone_is_searched_and_the_log_names_the_missing_data(
    installation: Installation, tmp_path: Path
) -> None:
    workspace = tmp_path / "w"
    built = installation.run("area", "build", installation.environment["EXTRACT"], "--workspace", str(workspace))
    assert built.code == 0, built.err
    with running(installation, workspace) as server:
        started = "".join(server.startup_lines)
        # Airports and countries of IP addresses are only in the world pack.
        statuses = dict.fromkeys(LOOKUPS, 200) | {"search/places?iataCode=BER": 400, "geocode/ip?ip=8.8.8.8": 503}
        assert {path: ask(server, path).status_code for path in LOOKUPS} == statuses
    assert "There is no world pack" in started
    assert "no area in use" not in started


def test_a_remote_geocoder_answers_the_requests_it_supports(without_data: Commands, tmp_path: Path) -> None:
    with (
        serving(answering([])) as nominatim,
        without_data.serve(tmp_path / "w", "--geocoder", f"nominatim+{nominatim.url}") as server,
    ):
        assert ask(server, "geocode/forward?query=berlin").json()["addresses"] == []
        completed = ask(server, "search/autocomplete?query=berl")
        assert (completed.status_code, "fencewright setup" in completed.text) == (503, True), (
            "Nominatim does not complete"
        )
        nominatim.stop()
        failed = ask(server, "geocode/forward?query=berlin")
        assert failed.status_code == 503
        assert f"The Nominatim server {nominatim.url} cannot be reached" in failed.json()["meta"]["message"]


@pytest.mark.parametrize("kind", ["photon", "pelias"])
def test_one_that_completes_answers_that_too(without_data: Commands, tmp_path: Path, kind: str) -> None:
    with (
        serving(answering({"features": []})) as elsewhere,
        without_data.serve(tmp_path / "w", "--geocoder", f"{kind}+{elsewhere.url}") as server,
    ):
        for path in LOOKUPS:
            by_server = path.startswith(("geocode/forward", "geocode/reverse", "search/autocomplete"))
            assert ask(server, path).status_code == (200 if by_server else 503), path
