"""Other clients are served normally while very many beacons are created and deleted."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.app.program import Program, Serving
from tests.hostile.served import MAX_P99_S, ROUNDS, SLOWER, Target, measures_p99, onlooker
from tests.hostile.test_many_at_one_place import CALM_S, waited_s

MANY: Final = 20_000
UUID: Final = "b9407f30-f5f8-466e-aff9-25556b57fe6d"
HEADER: Final = "description,type,tag,externalId,uuid,major,minor,latitude,longitude\n"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def serving(home: Path) -> Iterator[Serving]:
    with Program(home / "home").serve(home / "workspace") as served:
        yield served


def table(file: Path, major: int) -> Path:
    """Write a file of beacons around one position, with signals that differ from those of other files."""
    with file.open("w", encoding="utf-8") as out:
        out.write(HEADER)
        for number in range(MANY):
            place = f"{46 + number % 140 * 1e-5:.5f},{8 + number // 140 * 1e-5:.5f}"
            out.write(f"Door {number},ibeacon,door,{number},{UUID},{major},{number},{place}\n")
    return file


def check_others(target: Target, edit: Callable[[int], None]) -> None:
    """Check that the updates of other clients do not wait for an edit, which may be repeated."""
    attempts = []
    for number in range(ROUNDS):
        with onlooker(target) as calm:
            time.sleep(CALM_S)
        with onlooker(target) as seen:
            edit(number)
        assert not seen.faults, seen.faults[:3]
        attempts.append(f"{waited_s(seen) * 1e3:.0f} ms, without the edit {waited_s(calm) * 1e3:.0f} ms")
        print(f"p99 {attempts[-1]}, longest {max(seen.latencies) * 1e3:.0f} ms")
        if waited_s(seen) <= max(MAX_P99_S, SLOWER * waited_s(calm)):
            return
    raise AssertionError(f"p99 was {'; '.join(attempts)}")


@measures_p99
def test_others_are_served_while_many_are_imported(home: Path, serving: Serving) -> None:
    program = Program(home / "home")

    def edit(number: int) -> None:
        file = table(home / f"{number}.csv", major=number)
        began = time.monotonic()
        imported = program.run("import", "--workspace", home / "workspace", file)
        assert imported.code == 0, imported.err
        print(f"imported in {time.monotonic() - began:.1f} s")

    check_others(Target.of(serving), edit)


@measures_p99
def test_others_are_served_while_all_are_deleted(home: Path, serving: Serving) -> None:
    program, target = Program(home / "home"), Target.of(serving)
    stored = program.run("import", "--workspace", home / "workspace", table(home / "stored.csv", major=0))
    assert stored.code == 0, stored.err

    def edit(number: int) -> None:
        began = time.monotonic()
        cleared = program.run("clear", "--beacons", "--yes", "--json", "--workspace", home / "workspace")
        assert cleared.code == 0, cleared.err
        assert json.loads(cleared.out)["beacons"] == (0 if number else MANY)
        print(f"deleted in {time.monotonic() - began:.1f} s")

    check_others(target, edit)
