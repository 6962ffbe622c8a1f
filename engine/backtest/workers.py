"""The workers of a back-test: this process, processes of this machine, or those of a Dask cluster."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

import dask
from distributed import Client, LocalCluster, as_completed
from distributed.scheduler import KilledWorker
from msgspec import Struct

from engine.backtest import partitions
from engine.backtest.partitions import CANCELLED, Decided, PartFailed, Sorted
from engine.domain.errors import FencewrightError, InvalidParameter
from engine.domain.ports import Cancelled

type Part = Callable[[Path, int, Callable[[], None]], Sorted | Decided]
"""`sort_portion` or `decide_partition`."""

_POLL_S: Final = 0.1
_CONNECT_S: Final = 30
_CLOSE_S: Final = 10
_RECONNECT_S: Final = 300
"""How long a scheduler that has restarted may take to be back."""
_ALLOWED_FAILURES: Final = 3


class Done(Struct, frozen=True):
    """A part that a worker has done, and the seconds that it took."""

    number: int
    worker: str
    seconds: float
    result: Sorted | Decided


class Workers(Protocol):
    """Workers that do the parts of a back-test."""

    @property
    def count(self) -> int:
        """Number of workers."""
        ...

    def run(self, part: Part, folder: Path, numbers: Sequence[int], stop: Callable[[], bool]) -> Iterator[Done | None]:
        """Yield parts in the order in which they are done, and None while there is nothing new.

        Raises `Cancelled` when `stop` returns True.
        """
        ...


class ThisProcess:
    """The current process as the only worker, which does one part after the other."""

    count = 1

    def run(self, part: Part, folder: Path, numbers: Sequence[int], stop: Callable[[], bool]) -> Iterator[Done | None]:
        """Yield each part when it is done."""

        def check() -> None:
            if stop():
                raise Cancelled

        for number in numbers:
            check()
            yield _timed(part, folder, number, check)


class Cluster:
    """The workers of a Dask scheduler."""

    def __init__(self, address: str | LocalCluster, version: str) -> None:
        self._address = address
        self._version = version
        self._client = self._connected(_CONNECT_S)
        self._check_workers()

    @property
    def count(self) -> int:
        """Number of workers."""
        return len(self._client.scheduler_info(n_workers=-1)["workers"])

    def close(self) -> None:
        """Disconnect from the scheduler."""
        self._client.close(timeout=_CLOSE_S)

    def run(self, part: Part, folder: Path, numbers: Sequence[int], stop: Callable[[], bool]) -> Iterator[Done | None]:
        """Yield parts as they are done.

        A part whose worker was killed is done by another one. The parts that a scheduler has forgotten by a restart are
        submitted again.
        """
        left = dict.fromkeys(numbers)
        lost_at: float | None = None
        while left:
            try:
                for done in self._submitted(part, folder, list(left), stop):
                    if done is not None:
                        del left[done.number]
                        lost_at = None
                    yield done
            except _SchedulerLost:
                lost_at = time.monotonic() if lost_at is None else lost_at
                if time.monotonic() > lost_at + _RECONNECT_S:
                    raise InvalidParameter(
                        "scheduler",
                        "scheduler: the connection was lost and could not be restored. "
                        "The finished parts are kept; --resume continues with them.",
                    ) from None
                self._reconnect(stop)

    def _submitted(
        self, part: Part, folder: Path, numbers: Collection[int], stop: Callable[[], bool]
    ) -> Iterator[Done | None]:
        """Submit parts and yield them as they are done. Raises `_SchedulerLost`."""
        client = self._client
        futures = {
            client.submit(_work, part.__name__, str(folder), number, self._version, pure=False): number
            for number in numbers
        }
        waiting = as_completed(futures, loop=client.loop)
        while futures:
            if stop():
                self._cancel(folder, futures)
                raise Cancelled
            found = list(waiting.next_batch(block=False)) if waiting.has_ready() else []
            if not found:
                if client.status != "running" or any(each.status in ("cancelled", "lost") for each in _some(futures)):
                    raise _SchedulerLost
                time.sleep(_POLL_S)
                yield None
            for future in found:
                number = futures.pop(future)
                yield _result_of(future, number)

    def _cancel(self, folder: Path, futures: Collection[Any]) -> None:
        """Cancel parts that wait, and let those that are being done stop at their next check."""
        (folder / CANCELLED).touch()
        self._client.cancel(list(futures), force=True)

    def _reconnect(self, stop: Callable[[], bool]) -> None:
        self._client.close(timeout=_CLOSE_S)
        until = time.monotonic() + _RECONNECT_S
        while True:
            if stop():
                raise Cancelled
            try:
                self._client = self._connected(2)
                self._check_workers()
            except InvalidParameter:
                if time.monotonic() > until:
                    raise
            else:
                return

    def _connected(self, timeout_s: float) -> Client:
        try:
            return Client(self._address, timeout=timeout_s, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise InvalidParameter(
                "scheduler", f"scheduler: there is no connection to {self._address} ({type(error).__name__})."
            ) from None

    def _check_workers(self) -> None:
        """Raise `InvalidParameter` if a worker has no Fencewright, another package of its name, or another version."""
        try:
            self._client.wait_for_workers(1, timeout=_CONNECT_S)
        except TimeoutError:
            raise InvalidParameter("scheduler", f"scheduler: {self._address} has no workers.") from None

        def version_found() -> str:
            # Such a function is sent as it is, so it also works on a worker that cannot import this module.
            from importlib import import_module

            try:
                import_module("engine.backtest.workers")
                return str(import_module("app").__version__)
            except (ImportError, AttributeError) as error:
                return f"cannot import it: {error}"

        found = self._client.run(version_found)
        for worker, version in sorted(found.items()):
            if version != self._version:
                raise InvalidParameter("scheduler", _refusal(worker, version, self._version))


class _SchedulerLost(Exception):
    """The scheduler is no longer there, or it has forgotten the parts."""


def _some(futures: Collection[Any]) -> list[Any]:
    """Return a few of the futures, as all of them are lost together."""
    return [future for future, _ in zip(futures, range(3), strict=False)]


def _refusal(worker: str, version: str, wanted: str) -> str:
    if version.startswith("cannot import"):
        return (
            f"scheduler: the worker {worker} has no Fencewright, or another package named app or engine ({version}). "
            "Install fencewright[backtest] in an environment of its own there."
        )
    return f"scheduler: the worker {worker} has version {version} of Fencewright, but this is {wanted}."


def _own_version() -> str:
    return str(import_module("app").__version__)


def _result_of(future: Any, number: int) -> Done:
    """Return the result of a part that has ended. Raises `_SchedulerLost`, or what went wrong."""
    if future.status == "finished":
        done: Done = future.result()
        return done
    if future.status in ("cancelled", "lost"):
        raise _SchedulerLost
    error = future.exception()
    if isinstance(error, KilledWorker):
        raise PartFailed(
            f"part {number + 1} ended {_ALLOWED_FAILURES} workers that tried it, perhaps for lack of memory. "
            "The finished parts are kept; --resume continues with them."
        )
    if isinstance(error, FencewrightError | Cancelled):
        raise error
    raise PartFailed(f"part {number + 1}: {type(error).__name__}: {error}")


def _work(part: str, folder: str, number: int, version: str) -> Done:
    """Do a part on a worker."""
    where = Path(folder)
    if (own := _own_version()) != version:
        raise InvalidParameter("scheduler", _refusal(partitions.worker_name(), own, version))
    work: Part = getattr(partitions, part)
    return _timed(work, where, number, lambda: partitions.check_cancelled(where))


def _timed(part: Part, folder: Path, number: int, check: Callable[[], None]) -> Done:
    begun = time.perf_counter()
    result = part(folder, number, check)
    return Done(number, partitions.worker_name(), time.perf_counter() - begun, result)


@contextmanager
def workers_for(scheduler: str | None, count: int, version: str) -> Iterator[Workers]:
    """Provide the workers of a scheduler, or a number of processes of this machine; one is this process."""
    if scheduler is None and count == 1:
        yield ThisProcess()
        return
    with ExitStack() as stack:
        stack.enter_context(_configured())
        address = stack.enter_context(_local(count)) if scheduler is None else scheduler
        cluster = Cluster(address, version)
        stack.callback(cluster.close)
        yield cluster


def _configured() -> AbstractContextManager[Any]:
    settings: AbstractContextManager[Any] = dask.config.set(
        {
            "distributed.scheduler.allowed-failures": _ALLOWED_FAILURES - 1,
            "distributed.worker.daemon": True,
            "distributed.admin.system-monitor.interval": "5 s",
        }
    )
    return settings


@contextmanager
def _local(count: int) -> Iterator[LocalCluster]:
    """Provide worker processes of this machine, which end with this process."""
    cluster = LocalCluster(
        n_workers=count,
        threads_per_worker=1,
        processes=True,
        memory_limit=0,
        dashboard_address=None,
        host="127.0.0.1",
        silence_logs=50,
    )
    try:
        yield cluster
    finally:
        cluster.close(timeout=_CLOSE_S)
