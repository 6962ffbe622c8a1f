"""The group-commit writer: grouping, isolation and results."""

import gc
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
import sqlalchemy as sa

from engine.domain.errors import StorageUnavailable
from engine.domain.ports import settle
from engine.store.database import Database
from engine.store.tables import presences
from engine.store.writer import Batch, Writer, without_collecting


class Commits:
    """Counts commits and rollbacks."""

    def __init__(self) -> None:
        self.results: list[list[Any]] = []
        self.rollbacks = 0

    def committed(self, results: list[Any]) -> None:
        self.results.append(results)

    def rolled_back(self) -> None:
        self.rollbacks += 1


@pytest.fixture
def commits() -> Commits:
    return Commits()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "test.db")
    yield opened
    opened.close()


@pytest.fixture
def writer(database: Database, commits: Commits) -> Iterator[Writer]:
    opened = Writer(database, committed=commits.committed, rolled_back=commits.rolled_back)
    yield opened
    opened.close()


def put(user: str, entered_at: int | None = 0) -> Any:
    def work(batch: Batch) -> str:
        batch.put(presences, user, {"user": user, "geofence": "g", "entered_at": entered_at, "dwelled": 0, "since": 0})
        return user

    return work


def stored(database: Database) -> list[tuple[str, int]]:
    statement = sa.select(presences.c.user, presences.c.entered_at).order_by(presences.c.user)
    return database.read(lambda connection: [tuple(row) for row in connection.execute(statement)])


def submit(writer: Writer, work: Any) -> Future[Any]:
    future: Future[Any] = Future()
    writer.submit_all([(work, settle(future))])
    return future


def hold(writer: Writer) -> Event:
    """Keep the writer busy until the event is set, so that later work is grouped."""
    release = Event()
    submit(writer, lambda batch: release.wait(10))
    return release


def test_neighbours_share_a_commit(writer: Writer, commits: Commits, database: Database) -> None:
    release = hold(writer)
    futures = [submit(writer, put(f"u{i}")) for i in range(100)]
    release.set()
    assert [future.result() for future in futures] == [f"u{i}" for i in range(100)]
    assert len(commits.results) <= 3
    assert len(stored(database)) == 100


def test_the_answer_comes_after_the_commit(writer: Writer, database: Database) -> None:
    submit(writer, put("u")).result()
    assert stored(database) == [("u", 0)]


def test_later_rows_of_a_key_win_within_a_batch(writer: Writer, database: Database) -> None:
    def leave(batch: Batch) -> None:
        batch.drop(presences, "gone", {"user": "gone", "geofence": "g"})

    release = hold(writer)
    futures = [submit(writer, work) for work in (put("u", 1), put("u", 2), put("gone"), leave)]
    release.set()
    for future in futures:
        future.result()
    assert stored(database) == [("u", 2)]


def test_a_failing_work_fails_alone(writer: Writer, database: Database) -> None:
    def fail(_batch: Batch) -> None:
        raise ValueError("no")

    release = hold(writer)
    good, bad, also_good = (submit(writer, work) for work in (put("a"), fail, put("b")))
    release.set()
    assert (good.result(), also_good.result()) == ("a", "b")
    with pytest.raises(ValueError, match="no"):
        bad.result()
    assert [user for user, _ in stored(database)] == ["a", "b"]


def test_a_row_the_database_refuses_fails_alone(writer: Writer, commits: Commits, database: Database) -> None:
    release = hold(writer)
    good, bad, also_good = (submit(writer, work) for work in (put("a"), put("b", None), put("c")))
    release.set()
    assert (good.result(), also_good.result()) == ("a", "c")
    with pytest.raises(StorageUnavailable, match="entered_at"):
        bad.result()
    assert [user for user, _ in stored(database)] == ["a", "c"]
    assert commits.rollbacks == 2


def test_work_alone_is_undone_whole(writer: Writer, commits: Commits, database: Database) -> None:
    def fail(connection: sa.Connection) -> None:
        connection.execute(sa.insert(presences).values(user="u", geofence="g", entered_at=0, dwelled=0, since=0))
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        writer.run(fail)
    assert stored(database) == []
    assert commits.rollbacks == 1


def test_order_is_kept_between_grouped_and_alone(writer: Writer) -> None:
    order: list[str] = []
    release = hold(writer)
    first = submit(writer, lambda batch: order.append("first"))
    release.set()
    writer.run(lambda connection: order.append("alone"), lambda _: order.append("then"))
    submit(writer, lambda batch: order.append("last")).result()
    first.result()
    assert order == ["first", "alone", "then", "last"]


def test_waiting_inside_the_writer_is_refused(writer: Writer) -> None:
    with pytest.raises(RuntimeError, match="must not wait"):
        writer.run(lambda connection: writer.run(lambda inner: None))


def test_closing_finishes_requested_writes_and_refuses_more(writer: Writer, database: Database) -> None:
    futures = [submit(writer, put(f"u{i}")) for i in range(20)]
    writer.close()
    assert all(future.done() for future in futures)
    assert len(stored(database)) == 20
    with pytest.raises(StorageUnavailable, match="closed"):
        submit(writer, put("late"))


def test_a_fault_in_a_row_fails_its_work_alone_and_the_writer_goes_on(writer: Writer, database: Database) -> None:
    def faulty(batch: Batch) -> str:
        batch.put(presences, "faulty", {"user": "faulty"})
        return "faulty"

    release = hold(writer)
    good, bad = submit(writer, put("u1")), submit(writer, faulty)
    release.set()
    with pytest.raises(KeyError):
        bad.result(10)
    assert good.result(10) == "u1"
    assert submit(writer, put("u2")).result(10) == "u2"
    assert stored(database) == [("u1", 0), ("u2", 0)]


def test_garbage_is_looked_for_again_when_the_last_thread_has_made_its_objects() -> None:
    assert gc.isenabled()
    began, ended = Event(), Event()

    def make() -> None:
        with without_collecting():
            began.set()
            assert ended.wait(10)

    with without_collecting():
        thread = Thread(target=make)
        thread.start()
        assert began.wait(10)
    assert not gc.isenabled()
    ended.set()
    thread.join()
    assert gc.isenabled()


@pytest.mark.parametrize("few", [True, False])
def test_only_very_many_objects_that_may_go_are_not_looked_through(monkeypatch: pytest.MonkeyPatch, few: bool) -> None:
    monkeypatch.setattr("engine.store.writer._VERY_MANY", 1_000_000 if few else 10_000)
    gc.collect()
    frozen = gc.get_freeze_count()
    try:
        with without_collecting():
            many = [[number] for number in range(20_000)]
        assert gc.isenabled()
        assert (gc.get_freeze_count() >= frozen + len(many)) is not few
    finally:
        gc.unfreeze()
