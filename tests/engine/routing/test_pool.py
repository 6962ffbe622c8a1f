"""Worker threads: one tool each, never more than allowed, and no deadlocks."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from engine.domain.errors import RoutingUnavailable
from engine.routing import pool as pool_module
from engine.routing.pool import MAX_STUCK, Pool
from engine.routing.service import Deadline, NotTaken, Refused
from tests.waiting import eventually


class Tool:
    """A tool that returns its thread's name; `sleep` takes the requested time, `hold` waits, `fail` raises."""

    released = threading.Event()
    closed = 0

    def __init__(self) -> None:
        self.thread = threading.current_thread()
        self.busy = False

    def __call__(self, action: str, request: str) -> str:
        assert threading.current_thread() is self.thread, "a tool belongs to one thread"
        assert not self.busy
        self.busy = True
        try:
            if action == "sleep":
                time.sleep(float(request))
            elif action == "hold":
                self.released.wait(20)
            elif action == "fail":
                raise ValueError(request)
            elif action == "refuse":
                if request == "bad":
                    raise Refused(442, "no way")
                time.sleep(0.02)
                return request
            return self.thread.name + str(id(self))
        finally:
            self.busy = False

    def close(self) -> None:
        """Count the end of a tool, which must happen in its own thread."""
        assert threading.current_thread() is self.thread
        type(self).closed += 1


@pytest.fixture
def pool() -> Iterator[Pool[str]]:
    Tool.released.clear()
    pool = Pool(Tool, 2, "test")
    yield pool
    Tool.released.set()
    pool.close()


def fill_with_stuck_threads(pool: Pool[str]) -> NotTaken:
    """Send requests that time out until the pool refuses one, and return the refusal.

    A request that timed out while waiting for a thread was only withdrawn, so the required number depends on the
    machine's load.
    """
    for _ in range(100):
        with pytest.raises(RoutingUnavailable) as refusal:
            pool.ask("hold", "", Deadline(0.02))
        if isinstance(refusal.value, NotTaken):
            return refusal.value
        assert "within 0.02 seconds" in str(refusal.value)
    pytest.fail("requests are taken however many threads are stuck")


def test_threads_start_when_needed_and_no_more_than_allowed(pool: Pool[str]) -> None:
    assert pool.size == 0
    pool.ask("say", "", Deadline(5))
    pool.ask("say", "", Deadline(5))
    assert pool.size == 1
    with ThreadPoolExecutor(8) as clients:
        tools = set(clients.map(lambda _: pool.ask("sleep", "0.02", Deadline(5)), range(24)))
    assert pool.size == len(tools) == 2


def test_an_exception_of_a_tool_arrives(pool: Pool[str]) -> None:
    with pytest.raises(ValueError, match="no luck"):
        pool.ask("fail", "no luck", Deadline(5))
    assert pool.ask("say", "", Deadline(5))


def test_many_requests_are_answered_each_in_its_place_by_all_threads(pool: Pool[str]) -> None:
    requests = ["bad" if number % 7 == 3 else str(number) for number in range(30)]
    answers = pool.ask_all("refuse", requests, Deadline(20))
    assert ["bad" if isinstance(answer, Refused) else answer for answer in answers] == requests
    assert pool.size == 2
    assert pool.ask_all("refuse", [], Deadline(5)) == []


def test_of_many_requests_none_is_served_after_the_deadline(pool: Pool[str]) -> None:
    with pytest.raises(RoutingUnavailable, match="seconds"):
        pool.ask_all("sleep", ["0.2"] * 60, Deadline(0.3))
    began = time.monotonic()
    assert pool.ask("say", "", Deadline(5))
    assert time.monotonic() - began < 5, "what waited was taken back"


def test_an_exception_of_one_of_many_arrives_and_ends_the_rest(pool: Pool[str]) -> None:
    with pytest.raises(ValueError, match="no luck"):
        pool.ask_all("fail", ["no luck"] * 5, Deadline(5))
    assert pool.ask("say", "", Deadline(5))


def test_a_stuck_thread_is_left_behind_and_replaced(pool: Pool[str]) -> None:
    began = time.monotonic()
    for _ in range(2):
        with pytest.raises(RoutingUnavailable, match=r"0\.05 seconds"):
            pool.ask("sleep", "4", Deadline(0.05))
    assert pool.ask("say", "", Deadline(5))
    assert time.monotonic() - began < 3.5
    while pool.size > 2:  # until the stuck threads have ended
        assert time.monotonic() - began < 60
        time.sleep(0.1)


def test_too_many_stuck_threads_take_no_more_work(pool: Pool[str]) -> None:
    assert "still running past" in str(fill_with_stuck_threads(pool))
    assert pool.size >= MAX_STUCK
    Tool.released.set()
    deadline = Deadline(10)
    while pool.size >= MAX_STUCK and deadline.rest_s() > 0:
        time.sleep(0.01)
    assert pool.ask("say", "", Deadline(5))


def test_a_thread_that_is_done_in_the_moment_it_is_given_up_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller gets the available result, and the thread does not count as stuck permanently."""
    settle, give_up = pool_module._settle, Pool._give_up
    done, given_up = threading.Event(), threading.Event()

    def settle_late(answer: Future[str], outcome: Any) -> None:
        done.set()
        assert given_up.wait(20)
        settle(answer, outcome)

    def give_up_noted(pool: Pool[str], job: Any) -> bool:
        try:
            return give_up(pool, job)
        finally:
            given_up.set()

    class OverWhenDone(Deadline):
        """A deadline that expires as soon as the thread has done its work."""

        def rest_s(self) -> float:
            assert done.wait(20)
            return 0.0

    monkeypatch.setattr(pool_module, "_settle", settle_late)
    monkeypatch.setattr(Pool, "_give_up", give_up_noted)
    pool = Pool(Tool, 2, "close-run", idle_s=0.1)
    for _ in range(MAX_STUCK + 1):
        done.clear()
        given_up.clear()
        assert pool.ask("say", "", OverWhenDone(20))
        assert given_up.is_set()
    eventually(lambda: pool.size == 0)
    pool.close()


def test_a_refusal_does_not_mention_a_timeout(pool: Pool[str]) -> None:
    assert "seconds" not in str(fill_with_stuck_threads(pool))
    pool.refuse()
    with pytest.raises(NotTaken, match="being changed"):
        pool.ask("say", "", Deadline(20))


def test_a_request_that_times_out_is_refused_and_not_served_later(pool: Pool[str]) -> None:
    with ThreadPoolExecutor(2) as clients:
        running = [clients.submit(pool.ask, "sleep", "0.3", Deadline(5)) for _ in range(2)]
        time.sleep(0.05)
        with pytest.raises(RoutingUnavailable):
            pool.ask("sleep", "30", Deadline(0.05))
        assert all(future.result() for future in running)
    assert pool.ask("say", "", Deadline(5))


def test_idle_threads_end_and_take_their_tools_along() -> None:
    pool, closed = Pool(Tool, 2, "idle", idle_s=0.05), Tool.closed
    pool.ask("say", "", Deadline(5))
    deadline = Deadline(20)
    while Tool.closed == closed and deadline.rest_s() > 0:
        time.sleep(0.01)
    assert (pool.size, Tool.closed) == (0, closed + 1)
    assert pool.ask("say", "", Deadline(5))
    pool.close()


def test_closing_refuses_waiting_requests_and_lets_running_ones_end() -> None:
    pool = Pool(Tool, 1, "closing")
    Tool.released.clear()
    with ThreadPoolExecutor(3) as clients:
        running = clients.submit(pool.ask, "hold", "", Deadline(20))
        eventually(lambda: pool._pending == 1 and pool._queue.empty())
        waiting = clients.submit(pool.ask, "say", "", Deadline(20))
        eventually(lambda: pool._pending == 2)
        closing = clients.submit(pool.close)
        with pytest.raises(RoutingUnavailable, match="changed"):
            waiting.result()
        assert not running.done()
        Tool.released.set()
        assert running.result()
        closing.result()
    with pytest.raises(RoutingUnavailable):
        pool.ask("say", "", Deadline(5))
    assert pool.size == 0
