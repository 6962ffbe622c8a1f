"""Worker threads, each with an exclusive tool that may get stuck.

A thread starts when there is more work, up to a maximum number, and ends after an idle time together with its tool.
Work that takes too long is abandoned with its thread, and another thread takes its place.
"""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, Future
from queue import Empty, SimpleQueue
from typing import Any, Final, Protocol

from engine.routing.service import Deadline, NotTaken, Refused

THREAD_NAME: Final = "fencewright-routing"
IDLE_S: Final = 300.0
MAX_STUCK: Final = 4
"""Maximum number of stuck threads; beyond it, no more work is accepted."""

JOIN_S: Final = 5.0


class Tool[A](Protocol):
    """A tool owned by one thread."""

    def __call__(self, action: A, request: str, /) -> str:
        """Process a request."""
        ...

    def close(self) -> None:
        """Release all resources when the thread ends."""
        ...


class _Job[A]:
    def __init__(self, action: A, request: str) -> None:
        self.action = action
        self.request = request
        self.answer: Future[str] = Future()
        self.worker: _Worker[A] | None = None


class Pool[A]:
    """A pool of up to `size` threads, each with its own tool."""

    def __init__(self, make: Callable[[], Tool[A]], size: int, name: str, idle_s: float = IDLE_S) -> None:
        self._make = make
        self._size = size
        self._name = name
        self._idle_s = idle_s
        self._lock = threading.Lock()
        self._queue: SimpleQueue[_Job[A] | None] = SimpleQueue()
        self._workers: set[_Worker[A]] = set()
        self._stuck: set[_Worker[A]] = set()
        self._pending = 0
        self._closed = False

    def ask(self, action: A, request: str, deadline: Deadline) -> str:
        """Return the response of a tool. Raises its exceptions, and `RoutingUnavailable` after the deadline."""
        deadline.left_s()
        job = _Job(action, request)
        self._submit(job)
        return self._outcome(job, deadline)

    def ask_all(self, action: A, requests: Iterable[str], deadline: Deadline) -> list[str | Refused]:
        """Return the responses to several requests, processed in parallel. Raises as `ask` does.

        A refused request has its refusal in place of a response.
        """
        deadline.left_s()
        jobs = [_Job(action, request) for request in requests]
        try:
            for job in jobs:
                self._submit(job)
            return [self._outcome_or_refusal(job, deadline) for job in jobs]
        except BaseException:
            for job in jobs:
                job.answer.cancel()
            raise

    def _outcome_or_refusal(self, job: _Job[A], deadline: Deadline) -> str | Refused:
        try:
            return self._outcome(job, deadline)
        except Refused as refused:
            return refused

    def _outcome(self, job: _Job[A], deadline: Deadline) -> str:
        try:
            return job.answer.result(deadline.rest_s())
        except TimeoutError:
            if self._give_up(job):
                raise deadline.missed() from None
            return job.answer.result()
        except CancelledError:
            raise _closed() from None

    @property
    def size(self) -> int:
        """Current number of threads with a tool."""
        return len(self._workers) + len(self._stuck)

    def _submit(self, job: _Job[A]) -> None:
        with self._lock:
            if self._closed:
                raise _closed()
            if len(self._stuck) >= MAX_STUCK:
                raise NotTaken("Earlier requests are still running past their time limit; try again later.")
            self._pending += 1
            self._queue.put(job)
            if self._pending > len(self._workers) and len(self._workers) < self._size:
                self._start()

    def _start(self) -> None:
        worker = _Worker(self, f"{THREAD_NAME}-{self._name}")
        self._workers.add(worker)
        worker.thread.start()

    def _give_up(self, job: _Job[A]) -> bool:
        """Cancel a waiting job, or abandon a running one with its thread. Return False if it was just completed."""
        with self._lock:
            if job.answer.cancel():
                return True
            worker = job.worker
            if worker is None:
                return False
            self._stuck.add(worker)
            if worker in self._workers:
                self._workers.discard(worker)
                if self._pending > len(self._workers) + 1 and not self._closed:
                    self._start()
            return True

    def make_tool(self) -> Tool[A]:
        """Return a new tool for the calling thread."""
        return self._make()

    def next_job(self, worker: "_Worker[A]") -> _Job[A] | None:
        """Return the next job that was not cancelled, or None if the thread must end."""
        while True:
            try:
                job = self._queue.get(timeout=self._idle_s)
            except Empty:
                if self._retire(worker):
                    return None
                continue
            if job is None:
                return None
            with self._lock:
                job.worker = worker
                if job.answer.set_running_or_notify_cancel():
                    return job
                self._pending -= 1

    def _retire(self, worker: "_Worker[A]") -> bool:
        with self._lock:
            if not self._queue.empty():
                return False
            self._workers.discard(worker)
            return True

    def finished(self, worker: "_Worker[A]", job: _Job[A]) -> bool:
        """Record that a job is done, and return whether its thread continues."""
        with self._lock:
            # From now on the thread has no part in the job, even if a caller abandons it at this moment.
            job.worker = None
            self._pending -= 1
            self._stuck.discard(worker)
            return worker in self._workers and not self._closed

    def close(self) -> None:
        """Refuse waiting jobs and end the threads; stuck ones end when their work returns."""
        self.refuse()
        self.join(Deadline(JOIN_S))

    def refuse(self) -> None:
        """Refuse waiting and new jobs; the threads end after their current job."""
        with self._lock:
            self._closed = True
            waiting = self._drain()
            for _ in self._workers:
                self._queue.put(None)
        for job in waiting:
            job.answer.cancel()

    def join(self, deadline: Deadline) -> None:
        """Wait for the threads to end, up to the deadline."""
        with self._lock:
            workers = tuple(self._workers)
        for worker in workers:
            worker.thread.join(deadline.rest_s())
        with self._lock:
            self._workers.clear()

    def _drain(self) -> list[_Job[A]]:
        jobs = []
        while not self._queue.empty():
            job = self._queue.get_nowait()
            if job is not None:
                jobs.append(job)
        return jobs


class _Worker[A]:
    """A thread and its tool."""

    def __init__(self, pool: Pool[A], name: str) -> None:
        self._pool = pool
        self._tool: Tool[A] | None = None
        self.thread = threading.Thread(target=self._work, name=name, daemon=True)

    def _work(self) -> None:
        goes_on = True
        while goes_on and (job := self._pool.next_job(self)) is not None:
            outcome = self._attempt(job)
            goes_on = self._pool.finished(self, job)
            _settle(job.answer, outcome)
            del job
        if self._tool is not None:
            self._tool.close()

    def _attempt(self, job: _Job[A]) -> Any:
        try:
            if self._tool is None:
                self._tool = self._pool.make_tool()
            return self._tool(job.action, job.request)
        except BaseException as error:  # noqa: BLE001 - whoever waits is told
            return error


def _settle(answer: Future[str], outcome: Any) -> None:
    if isinstance(outcome, BaseException):
        answer.set_exception(outcome)
    else:
        answer.set_result(outcome)


def _closed() -> NotTaken:
    return NotTaken("The areas in use are being changed; try again.")
