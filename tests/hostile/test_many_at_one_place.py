"""Other clients are served normally while very many geofences at one place are created and deleted."""

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import httpx
import pytest

from tests.app.program import Program, Serving
from tests.hostile.onlooker import EVERY_S
from tests.hostile.served import MAX_P99_S, ROUNDS, SLOWER, Seen, Target, measures_p99, onlooker

MANY: Final = 20_000
CALM_S: Final = 3.0
HEADER: Final = "description,type,tag,externalId,coordinates,radius\n"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def serving(home: Path) -> Iterator[Serving]:
    with Program(home / "home").serve(home / "workspace") as served:
        yield served


def table(file: Path, radius_m: int) -> Path:
    """Write a file of geofences around one centre, which is away from the others."""
    chance = Random(1)
    with file.open("w", encoding="utf-8") as out:
        out.write(HEADER)
        for number in range(MANY):
            place = 8 + chance.uniform(-1e-4, 1e-4), 46 + chance.uniform(-1e-4, 1e-4)
            out.write(f'Store {number},circle,store,{number},"[{place[0]:.6f},{place[1]:.6f}]",{radius_m}\n')
    return file


def waited_s(seen: Seen) -> float:
    """Return the minimum wait of the slowest hundredth, over waits that could have begun at any moment.

    An onlooker waits for its response before the next request, so requests that it would have sent meanwhile count too.
    """
    waits = [late - begun * EVERY_S for late in seen.latencies for begun in range(max(1, int(late / EVERY_S)))]
    return Seen(waits, seen.faults).p99_s


@measures_p99
def test_others_are_served_while_many_are_imported(home: Path, serving: Serving) -> None:
    target, program = Target.of(serving), Program(home / "home")
    files = [table(home / f"{radius_m}.csv", radius_m) for radius_m in (300, 301, 302)]
    attempts = []
    for file in files[:ROUNDS]:
        with onlooker(target) as calm:
            time.sleep(CALM_S)
        with onlooker(target) as seen:
            imported = program.run("import", "--workspace", home / "workspace", file)
        assert imported.code == 0, imported.err
        assert not seen.faults, seen.faults[:3]
        attempts.append(f"{waited_s(seen) * 1e3:.0f} ms, without an import {waited_s(calm) * 1e3:.0f} ms")
        print(f"p99 {attempts[-1]}, longest {max(seen.latencies) * 1e3:.0f} ms")
        if waited_s(seen) <= max(MAX_P99_S, SLOWER * waited_s(calm)):
            return
    raise AssertionError(f"p99 was {'; '.join(attempts)}")


@measures_p99
def test_others_are_served_while_an_import_is_undone(home: Path, serving: Serving) -> None:
    target, file = Target.of(serving), table(home / "undone.csv", 303)
    imported = Program(home / "home").run("import", "--workspace", home / "workspace", file)
    assert imported.code == 0, imported.err
    headers = {"Authorization": target.secret}
    with httpx.Client(base_url=serving.url, headers=headers, timeout=120, trust_env=False) as client:
        newest = client.get("/v1/imports?limit=1").json()["imports"][0]["_id"]
        with onlooker(target) as calm:
            time.sleep(CALM_S)
        with onlooker(target) as seen:
            answer = client.post(f"/v1/imports/{newest}/undo")
    assert answer.status_code == 200, answer.text
    assert not seen.faults, seen.faults[:3]
    assert waited_s(seen) <= max(MAX_P99_S, SLOWER * waited_s(calm))
