"""Edits of many geofences are stored in portions: visible as a whole or not at all, even after failures."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from threading import Event, Thread

import pytest

from engine.domain.environment import Environment
from engine.domain.errors import StorageUnavailable
from engine.domain.geofence import Geofence
from engine.domain.imports import ImportFile, ImportOptions, ImportQuery
from engine.domain.ports import Cancelled
from engine.domain.queries import GeofenceQuery
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.values import replace
from engine.engine import Engine
from engine.store.staging import records, turns
from engine.store.workspace import DATABASE
from engine.store.writer import Connection, Writer
from tests.app.program import ROOT
from tests.engine.fixtures import circle, update
from tests.engine.geofences.killed import EDITS, spread, table

TEST = Environment.TEST
DELETING = ImportOptions(delete_missing=True)

type State = frozenset[tuple[str, float]]


@pytest.fixture(autouse=True)
def _small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "FEW", 0)
    monkeypatch.setattr(records, "AT_ONCE", 10)
    monkeypatch.setattr(records, "DROPPED_AT_ONCE", 10)


def state(found: tuple[Geofence, ...]) -> State:
    return frozenset((each.external_id, each.geometry.radius_m) for each in found)  # type: ignore[union-attr]


def in_memory(engine: Engine) -> State:
    return state(engine.geofences.all(TEST))


def stored(engine: Engine) -> State:
    return state(engine.geofences.page(TEST, GeofenceQuery(limit=1_000)).items)


def of(radius_m: float, numbers: range) -> State:
    return frozenset((str(number), radius_m) for number in numbers)


def staged(folder: Path) -> int:
    """Return the number of rows left over from edits that are not in force."""
    orphans = "SELECT count(*) FROM import_items WHERE import_number NOT IN (SELECT number FROM imports WHERE undoable)"
    counts = ("SELECT count(*) FROM staged_edits", "SELECT count(*) FROM staged_geofences", orphans)
    with closing(connect(folder / DATABASE)) as database:
        return sum(database.execute(each).fetchone()[0] for each in counts)


BEFORE = of(60, range(30))
AFTER: dict[str, State] = {
    "create": BEFORE | of(50, range(30, 60)),
    "change": of(70, range(15, 45)),
    "undo": frozenset(),
    "delete": frozenset(),
}


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, int]]:
    folder = tmp_path_factory.mktemp("killed")
    command = [sys.executable, "-m", "tests.engine.geofences.killed", str(folder)]
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
            assert (stored(engine), engine.history.counts(TEST).geofences) == (there, len(there))
            assert staged(workspace) == 0
            is_done = there == AFTER[edit]
            imports = engine.imports.page(TEST, ImportQuery()).items
            assert len(imports) == 1 + (is_done and edit in ("create", "change"))
            if edit in ("create", "change") and is_done:
                engine.imports.undo(TEST, imports[0].id)
                assert in_memory(engine) == stored(engine) == BEFORE
            engine.geofences.create(TEST, circle("another"))
        seen.append(is_done)
    # The edit becomes visible at one moment and stays visible.
    assert seen == sorted(seen)
    assert 0 < sum(seen) < len(seen)


@pytest.fixture
def begun(engine: Engine) -> Engine:
    engine.imports.run(TEST, ImportFile(table(60, range(30)), "first.csv"))
    return engine


def between(monkeypatch: pytest.MonkeyPatch, look: Callable[[], None]) -> None:
    """Call `look` before each task passed to the writer."""
    run = Writer.run

    def looking[T](writer: Writer, work: Callable[[Connection], T], *rest: object, **options: object) -> T:
        look()
        return run(writer, work, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Writer, "run", looking)


@pytest.mark.parametrize("edit", EDITS)
def test_readers_see_all_of_an_edit_or_nothing(begun: Engine, monkeypatch: pytest.MonkeyPatch, edit: str) -> None:
    begun.tracking.track(TEST, update())
    seen = list[State]()

    def look() -> None:
        there = in_memory(begun)
        assert stored(begun) == there
        assert begun.history.counts(TEST).geofences == len(there) == begun.geofences.count(TEST)
        assert state(begun.seeding.snapshot().contents[TEST].geofences) == there
        found = begun.geofences.page(TEST, GeofenceQuery(tag="store", external_id="20")).items
        assert state(found) == {each for each in there if each[0] == "20"}
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
        begun.imports.run(TEST, ImportFile(table(50, range(100, 400)), "many.csv"))
    finally:
        ended.set()
        thread.join()
    assert tasks.count("edit") == 1
    assert tasks.index("edit") > 10


@pytest.mark.parametrize("few", [0, 1_000])
def test_an_edit_does_not_wait_for_itself(begun: Engine, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr(turns, "FEW", few)

    def edit(_done: int, _total: int) -> None:
        begun.geofences.create(TEST, circle("another"))

    with pytest.raises(RuntimeError, match="must not wait"):
        begun.geofences.put_all(TEST, begun.geofences.all(TEST), (), edit)
    begun.geofences.create(TEST, circle("another"))
    assert in_memory(begun) == stored(begun) == BEFORE | {("another", 100)}


@pytest.mark.parametrize("few", [0, 1_000])
@pytest.mark.parametrize("edit", ["import", "put"])
def test_the_progress_of_an_edit_only_grows_up_to_its_end(
    begun: Engine, monkeypatch: pytest.MonkeyPatch, edit: str, few: int
) -> None:
    monkeypatch.setattr(turns, "FEW", few)
    progress: list[float] = []

    def report(done: int, total: int) -> None:
        progress.append(done / total)

    if edit == "import":
        begun.imports.run(TEST, ImportFile(table(70, range(15, 45)), "changed.csv"), DELETING, report)
    else:
        there = begun.geofences.all(TEST)
        begun.geofences.put_all(TEST, [replace(each, enabled=False) for each in there[:20]], [there[25].id], report)
    assert progress == sorted(progress)
    assert (min(progress) < 0.1, max(progress)) == (True, 1)
    assert any(0.5 < each < 1 for each in progress), "storing is a part of it"


@pytest.mark.parametrize("at", [1, 20, 60, 80, 100])
def test_a_cancelled_import_leaves_nothing(begun: Engine, tmp_path: Path, at: int) -> None:
    def cancel(done: int, total: int) -> None:
        if 100 * done >= at * total:
            raise Cancelled

    with pytest.raises(Cancelled):
        begun.imports.run(TEST, ImportFile(table(70, range(15, 45)), "changed.csv"), DELETING, cancel)
    assert in_memory(begun) == stored(begun) == BEFORE
    assert len(begun.imports.page(TEST, ImportQuery()).items) == 1
    assert staged(tmp_path / "workspace") == 0
    assert not begun.geofence_history.deleted(TEST)
    begun.imports.run(TEST, ImportFile(table(70, range(15, 45)), "changed.csv"), DELETING)
    assert in_memory(begun) == stored(begun) == AFTER["change"]


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """A function that fills the disk after this many tasks of the writer; 0 makes room again."""
    left = [0]
    run = Writer.run

    def running[T](writer: Writer, work: Callable[[Connection], T], *rest: object, **options: object) -> T:
        left[0] -= left[0] > 0
        if left[0] == 1:
            left[0] += 1
            raise StorageUnavailable("The disk is full.")
        return run(writer, work, *rest, **options)  # type: ignore[arg-type]

    def fill(after: int) -> None:
        left[0] = after + 2 if after else 0

    monkeypatch.setattr(Writer, "run", running)
    yield fill
    left[0] = 0


@pytest.mark.parametrize("after", [*range(1, 16, 2), 16])
def test_a_full_disk_stops_an_edit_as_a_whole(
    begun: Engine, tmp_path: Path, full: Callable[[int], None], after: int
) -> None:
    """The remaining work is done when the disk has space again."""
    full(after)
    try:
        begun.imports.run(TEST, ImportFile(table(70, range(15, 45)), "changed.csv"), DELETING)
        expected = AFTER["change"]
    except StorageUnavailable:
        expected = BEFORE
    assert in_memory(begun) == stored(begun) == expected
    with pytest.raises(StorageUnavailable):
        begun.geofences.create(TEST, circle("another"))
    assert in_memory(begun) == stored(begun) == expected
    full(0)
    begun.geofences.create(TEST, circle("another"))
    assert in_memory(begun) == stored(begun) == expected | {("another", 100)}
    assert staged(tmp_path / "workspace") == 0


def test_users_leave_geofences_deleted_in_portions(begun: Engine) -> None:
    begun.imports.run(TEST, ImportFile(table(50, range(30, 60)), "new.csv"))
    at = begun.geofences.all(TEST)[0].geometry.center  # type: ignore[union-attr]
    inside = begun.tracking.track(TEST, LocationUpdate("visitor", point=at, accuracy_m=5)).user
    assert len(inside.geofences) == 60
    begun.geofences.delete_all(TEST)
    assert begun.users.get(TEST, "visitor").geofences == ()
    after = begun.tracking.track(TEST, LocationUpdate("visitor", point=at, accuracy_m=5))
    assert (after.events, after.user.geofences) == ((), ())
