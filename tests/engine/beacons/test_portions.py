"""Edits of many beacons are stored in portions: visible as a whole or not at all, even after failures."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from threading import Event, Thread

import pytest

from engine.domain.environment import Environment
from engine.domain.errors import StorageUnavailable
from engine.domain.ports import Cancelled
from engine.domain.queries import BeaconQuery
from engine.domain.tracking.beacon import Beacon, IBeacon, ReportedBeacon
from engine.domain.tracking.updates import LocationUpdate
from engine.engine import Engine
from engine.store.staging import records, turns
from engine.store.workspace import DATABASE
from engine.store.writer import Connection, Writer
from tests.app.program import ROOT
from tests.engine.beacons.killed import EDITS, changed, first, imported, new, table
from tests.engine.fixtures import HOME, UUID, beacon, update
from tests.engine.geofences.killed import spread
from tests.engine.geofences.test_portions import between

TEST = Environment.TEST

type State = frozenset[tuple[int, int, bool]]


@pytest.fixture(autouse=True)
def _small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "FEW", 0)
    monkeypatch.setattr(records, "AT_ONCE", 10)
    monkeypatch.setattr(records, "DROPPED_AT_ONCE", 10)


def state(found: Iterable[Beacon]) -> State:
    return frozenset((int(each.external_id), each.signal.minor, each.enabled) for each in found)  # type: ignore[union-attr]


def in_memory(engine: Engine) -> State:
    return state(engine.beacons.all(TEST))


def stored(engine: Engine) -> State:
    return state(engine.beacons.page(TEST, BeaconQuery(limit=1_000)).items)


def staged(folder: Path) -> int:
    """Return the number of rows left over from edits that are not in force."""
    counts = ("SELECT count(*) FROM staged_edits", "SELECT count(*) FROM staged_beacons")
    with closing(connect(folder / DATABASE)) as database:
        return sum(database.execute(each).fetchone()[0] for each in counts)


BEFORE = frozenset(first())
AFTER: dict[str, State] = {
    "create": BEFORE | frozenset(new()),
    "change": frozenset({each[0]: each for each in changed()}.values()),
    "delete": frozenset(),
}


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, int]]:
    folder = tmp_path_factory.mktemp("killed")
    command = [sys.executable, "-m", "tests.engine.beacons.killed", str(folder)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=300)
    return folder, json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("edit", EDITS)
def test_a_killed_edit_is_stored_as_a_whole_or_not_at_all(killed: tuple[Path, dict[str, int]], edit: str) -> None:
    folder, moments = killed
    seen = list[bool]()
    for moment in spread(moments[edit]):
        workspace = folder / f"{edit}-{moment}"
        with Engine.open(workspace) as engine:
            there = in_memory(engine)
            assert there in (BEFORE, AFTER[edit]), moment
            assert stored(engine) == there
            assert staged(workspace) == 0
            engine.beacons.create(TEST, beacon("another", minor=5_000))
        seen.append(there == AFTER[edit])
    # The edit becomes visible at one moment and stays visible.
    assert seen == sorted(seen)
    assert 0 < sum(seen) < len(seen)


@pytest.fixture
def begun(engine: Engine) -> Engine:
    imported(first, engine)
    return engine


@pytest.mark.parametrize("edit", EDITS)
def test_readers_see_all_of_an_edit_or_nothing(begun: Engine, monkeypatch: pytest.MonkeyPatch, edit: str) -> None:
    seen = list[State]()

    def look() -> None:
        there = in_memory(begun)
        assert stored(begun) == there
        assert state(begun.seeding.snapshot().contents[TEST].beacons) == there
        found = begun.beacons.page(TEST, BeaconQuery(tag="door", external_id="20")).items
        assert state(found) == {each for each in there if each[0] == 20}
        seen.append(there)

    between(monkeypatch, look)
    EDITS[edit](begun)
    assert set(seen) == {BEFORE, AFTER[edit]}
    assert seen == sorted(seen, key=lambda each: each == AFTER[edit])
    assert min(seen.count(BEFORE), seen.count(AFTER[edit])) > 2


def test_updates_of_others_come_between(begun: Engine) -> None:
    """Each portion is a separate task: concurrent updates are stored after the next portion at the latest."""
    tasks, ended = list[str](), Event()
    begun.changes.subscribe(lambda change: tasks.append("update" if change.tracked else "edit"))

    def others() -> None:
        while not ended.is_set():
            begun.tracking.track(TEST, update())

    thread = Thread(target=others)
    thread.start()
    try:
        begun.beacons.import_csv(TEST, table((each, each, True) for each in range(100, 400)))
    finally:
        ended.set()
        thread.join()
    assert tasks.count("edit") == 1
    assert tasks.index("edit") > 10


def test_the_progress_of_an_import_only_grows_up_to_its_end(begun: Engine) -> None:
    progress: list[float] = []
    begun.beacons.import_csv(TEST, table(changed()), progress=lambda done, total: progress.append(done / total))
    assert progress == sorted(progress)
    assert (min(progress), max(progress)) == (0, 1)
    assert any(0.5 < each < 1 for each in progress), "storing is a part of it"


@pytest.mark.parametrize("at", [1, 20, 40, 60, 80, 100])
def test_a_cancelled_import_leaves_nothing(begun: Engine, tmp_path: Path, at: int) -> None:
    def cancel(done: int, total: int) -> None:
        if 100 * done >= at * total:
            raise Cancelled

    with pytest.raises(Cancelled):
        begun.beacons.import_csv(TEST, table(changed()), progress=cancel)
    assert in_memory(begun) == stored(begun) == BEFORE
    assert staged(tmp_path / "workspace") == 0
    EDITS["change"](begun)
    assert in_memory(begun) == stored(begun) == AFTER["change"]


def test_a_portion_may_be_refused_by_a_full_disk(
    begun: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The remaining work is done when the disk has space again."""
    run, left = Writer.run, [0]

    def running[T](writer: Writer, work: Callable[[Connection], T], *rest: object, **options: object) -> T:
        left[0] -= 1
        if left[0] < 0:
            raise StorageUnavailable("The disk is full.")
        return run(writer, work, *rest, **options)  # type: ignore[arg-type]

    expected = BEFORE
    for after in range(1, 40):
        with monkeypatch.context() as patched:
            patched.setattr(Writer, "run", running)
            left[0] = after
            try:
                EDITS["change"](begun)
                expected = AFTER["change"]
            except StorageUnavailable:
                pass
            assert in_memory(begun) == stored(begun) == expected
        if expected != BEFORE:
            break
    begun.beacons.delete_by_key(TEST, "door", "20")
    there = {each for each in AFTER["change"] if each[0] != 20}
    assert in_memory(begun) == stored(begun) == there
    assert staged(tmp_path / "workspace") == 0


def test_an_edit_waits_for_the_one_before_it(begun: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks of a large edit still hold when it is stored; edits of geofences continue meanwhile."""
    took: list[Thread] = []

    def look() -> None:
        if not took:
            took.append(Thread(target=begun.beacons.delete_by_key, args=(TEST, "door", "7")))
            took[0].start()

    between(monkeypatch, look)
    EDITS["change"](begun)
    took[0].join()
    assert in_memory(begun) == stored(begun)
    assert {each for each in in_memory(begun) if each[0] != 7} == {each for each in AFTER["change"] if each[0] != 7}


def test_users_leave_beacons_disabled_or_deleted_in_portions(begun: Engine) -> None:
    def near(number: int) -> list[str]:
        reported = (ReportedBeacon(IBeacon(UUID, 1, number)),)
        user = begun.tracking.track(TEST, LocationUpdate("visitor", point=HOME, accuracy_m=5, beacons=reported)).user
        return [each.external_id for each in user.beacons]

    assert near(29) == ["29"]
    EDITS["change"](begun)
    # The beacon that now sends 29 is disabled.
    assert near(29) == []
    assert near(28) == ["1"]
    begun.beacons.delete_all(TEST)
    assert begun.users.get(TEST, "visitor").beacons == ()
    assert near(28) == []
