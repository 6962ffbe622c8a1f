"""Other clients are served normally while very many geofences at one place are created and deleted."""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
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


def others_are_served(target: Target, works: Iterable[Callable[[], object]]) -> None:
    """Check the waits of an onlooker during a work, or during the next one if other programs may have caused them."""
    attempts = []
    for work in works:
        with onlooker(target) as calm:
            time.sleep(CALM_S)
        with onlooker(target) as seen:
            work()
        assert not seen.faults, seen.faults[:3]
        attempts.append(f"{waited_s(seen) * 1e3:.0f} ms, before it {waited_s(calm) * 1e3:.0f} ms")
        print(f"p99 {attempts[-1]}, longest {max(seen.latencies) * 1e3:.0f} ms")
        if waited_s(seen) <= max(MAX_P99_S, SLOWER * waited_s(calm)):
            return
    raise AssertionError(f"p99 was {'; '.join(attempts)}")


def imported(home: Path, file: Path) -> None:
    """Import a file into the workspace."""
    done = Program(home / "home").run("import", "--workspace", home / "workspace", file)
    assert done.code == 0, done.err


def undo(client: httpx.Client, import_id: str) -> None:
    """Undo an import."""
    answer = client.post(f"/v1/imports/{import_id}/undo")
    assert answer.status_code == 200, answer.text


@measures_p99
def test_others_are_served_while_many_are_imported(home: Path, serving: Serving) -> None:
    files = [table(home / f"{radius_m}.csv", radius_m) for radius_m in range(300, 300 + ROUNDS)]
    others_are_served(Target.of(serving), (partial(imported, home, file) for file in files))


@measures_p99
def test_others_are_served_while_an_import_is_undone(home: Path, serving: Serving) -> None:
    target, file = Target.of(serving), table(home / "undone.csv", 400)

    def undoing() -> Iterator[Callable[[], None]]:
        for _ in range(ROUNDS):
            imported(home, file)
            newest = client.get("/v1/imports?limit=1").json()["imports"][0]["_id"]
            yield partial(undo, client, newest)

    headers = {"Authorization": target.secret}
    with httpx.Client(base_url=serving.url, headers=headers, timeout=120, trust_env=False) as client:
        others_are_served(target, undoing())
