"""The same walk gives the same events, whether the terminal plays it or a client sends it."""

from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.along_track import (
    ACCURACY_M,
    CIRCLES,
    POLYGONS,
    Essence,
    essence,
    simulated,
    track,
    walk_file,
    write_fences,
)
from tests.app.program import Program, Serving

__all__ = ["walk_file"]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return Program(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def fences(walk_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_fences(tmp_path_factory.mktemp("fences") / "fences.csv", walk_file)


@pytest.fixture(scope="module")
def by_terminal(
    program: Program, fences: Path, walk_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[Essence]:
    workspace = tmp_path_factory.mktemp("terminal")
    assert program.run("import", fences, "--workspace", workspace).code == 0
    return simulated(program, workspace, walk_file)


def _sent_over_http(server: Serving, walk: Path, device: str) -> list[Essence]:
    events: list[Essence] = []
    headers = {"Authorization": server.key(level="publishable")}
    with httpx.Client(base_url=server.url, headers=headers, trust_env=False) as client:
        for point in track(walk).points:
            assert point.at is not None
            body = {
                "deviceId": device,
                "latitude": point.point.latitude,
                "longitude": point.point.longitude,
                "accuracy": ACCURACY_M,
                "updatedAt": point.at.isoformat(),
                "replayed": True,
            }
            answer = client.post("/v1/track", json=body)
            assert answer.status_code == 200, answer.text
            events += map(essence, answer.json()["events"])
    return events


@pytest.mark.slow
def test_the_walk_meets_most_fences(by_terminal: list[Essence]) -> None:
    assert len({fence for _, fence, _, _ in by_terminal}) > (CIRCLES + POLYGONS) * 0.6
    assert {confidence for _, _, confidence, _ in by_terminal} >= {2, 3}


def test_a_stay_begins_before_it_ends_and_times_only_grow(by_terminal: list[Essence]) -> None:
    kinds: dict[str, list[str]] = defaultdict(list)
    for kind, fence, _, _ in by_terminal:
        kinds[fence].append(kind)
    for sequence in kinds.values():
        assert set(sequence[::2]) == {"user.entered_geofence"}
        assert set(sequence[1::2]) <= {"user.exited_geofence"}
    times = [time for _, _, _, time in by_terminal]
    assert times == sorted(times)


@pytest.mark.slow
def test_a_client_over_http_gets_the_same_events(
    program: Program, fences: Path, walk_file: Path, by_terminal: list[Essence], tmp_path: Path
) -> None:
    with program.serve(tmp_path / "served") as server:
        assert program.run("import", fences, "--workspace", tmp_path / "served").code == 0
        assert _sent_over_http(server, walk_file, "client") == by_terminal
        assert simulated(program, tmp_path / "served", walk_file, "through the server") == by_terminal
        listed = httpx.get(
            f"{server.url}/v1/events",
            params={"deviceId": "client", "limit": 1000},
            headers={"Authorization": server.key()},
            trust_env=False,
        ).json()["events"]
        assert [essence(event) for event in listed[::-1]] == by_terminal
        assert server.stop().code == 0


@pytest.mark.slow
def test_terminals_at_once_all_play_to_the_end(
    program: Program, fences: Path, walk_file: Path, by_terminal: list[Essence], tmp_path: Path
) -> None:
    """The terminal that opened the workspace closes it when it is done; the others continue without it."""
    workspace = tmp_path / "common"
    assert program.run("import", fences, "--workspace", workspace).code == 0
    with ThreadPoolExecutor(3) as terminals:
        lists = list(terminals.map(lambda device: simulated(program, workspace, walk_file, device), ["a", "b", "c"]))
    assert lists == [by_terminal] * 3
