"""The workers of a back-test: this process, processes of this machine, or those of a Dask cluster."""

import errno
import time
from asyncio import CancelledError
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

import dask
from distributed import Client, LocalCluster, as_completed
from distributed.comm.core import connect
from distributed.scheduler import KilledWorker
from distributed.security import Security
from distributed.utils import LoopRunner
from msgspec import Struct

from engine.backtest import partitions
from engine.backtest.folders import has_begun
from engine.backtest.partitions import CANCELLED, Decided, PartFailed, Sorted
from engine.domain.errors import FencewrightError, InvalidParameter
from engine.domain.ports import Cancelled

type Part = Callable[[Path, int, Callable[[], None]], Sorted | Decided]
"""`sort_portions` or `decide_partition`."""

_POLL_S: Final = 0.1
_TRY_S: Final = 1
_CONNECT_S: Final = 30
_RECONNECT_S: Final = 300
"""How long a scheduler that has restarted may take to be back, and one without workers to have some again."""
_CLOSE_S: Final = 5
_RESULT_S: Final = 30
"""How long the result of a finished part may take to arrive."""
_ALLOWED_FAILURES: Final = 3
_KEPT: Final = "The finished parts are kept; --resume continues with them."


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
        self._client: Client | None = None

    def connect(self, stop: Callable[[], bool]) -> None:
        """Connect to the scheduler. Raises `InvalidParameter` without one, or if a worker cannot do the work."""
        self._client = self._connected(_CONNECT_S, stop)

    @property
    def count(self) -> int:
        """Number of workers."""
        assert self._client is not None
        return len(self._client.scheduler_info(n_workers=-1)["workers"])

    def close(self) -> None:
        """Disconnect from the scheduler."""
        if self._client is not None:
            self._client.close(timeout=_TRY_S)
            self._client = None

    def run(self, part: Part, folder: Path, numbers: Sequence[int], stop: Callable[[], bool]) -> Iterator[Done | None]:
        """Yield parts as they are done.

        A part whose worker was killed is done by another one. The parts that a scheduler has forgotten by a restart are
        submitted again.
        """
        left = dict.fromkeys(numbers)
        try:
            while left:
                try:
                    for done in self._submitted(part, folder, list(left), stop):
                        if done is not None:
                            del left[done.number]
                        yield done
                except _SchedulerLost:
                    self._reconnect(stop)
        finally:
            if left:
                # The parts that are being done stop at their next check.
                (folder / CANCELLED).touch()

    def _submitted(
        self, part: Part, folder: Path, numbers: Collection[int], stop: Callable[[], bool]
    ) -> Iterator[Done | None]:
        """Submit parts and yield them as they are done. Raises `_SchedulerLost`."""
        client = self._client
        assert client is not None
        futures = {
            client.submit(_work, part.__name__, str(folder), number, self._version, pure=False): number
            for number in numbers
        }
        waiting = as_completed(futures, loop=client.loop)
        last_seen = time.monotonic()
        while futures:
            if stop():
                raise Cancelled
            found = list(waiting.next_batch(block=False)) if waiting.has_ready() else []
            if not found:
                if client.status != "running":
                    raise _SchedulerLost
                if self.count:
                    last_seen = time.monotonic()
                elif time.monotonic() > last_seen + _RECONNECT_S:
                    raise InvalidParameter(
                        "scheduler",
                        "scheduler: it has lost all of its workers. "
                        "The finished parts are kept; --resume continues with them.",
                    )
                time.sleep(_POLL_S)
                yield None
            for future in found:
                number = futures.pop(future)
                yield _result_of(future, number)

    def _reconnect(self, stop: Callable[[], bool]) -> None:
        """Connect to a scheduler that has restarted."""
        self.close()
        try:
            self._client = self._connected(_RECONNECT_S, stop)
        except _NotReady:
            raise InvalidParameter(
                "scheduler",
                "scheduler: the connection was lost and could not be restored. "
                "The finished parts are kept; --resume continues with them.",
            ) from None

    def _connected(self, within_s: float, stop: Callable[[], bool]) -> Client:
        """Return a connection to the scheduler after a check of its workers."""
        until = time.monotonic() + within_s
        while True:
            if stop():
                raise Cancelled
            try:
                return _checked(_client_of(self._address), self._version)
            except _NotReady:
                if time.monotonic() > until:
                    raise
            time.sleep(_POLL_S)


def _client_of(address: str | LocalCluster) -> Client:
    try:
        if isinstance(address, str):
            LoopRunner().run_sync(_try, address)
        return Client(address, timeout=_TRY_S, set_as_default=False)
    except ValueError as error:
        raise InvalidParameter("scheduler", f"scheduler: {address} is not an address ({error}).") from None
    except (OSError, TimeoutError) as error:
        raise _NotReady(
            "scheduler", f"scheduler: there is no connection to {address} ({type(error).__name__})."
        ) from None


async def _try(address: str) -> None:
    """Connect to an address and disconnect. A client that cannot connect leaves a thread behind."""
    comm = await connect(address, timeout=_TRY_S, **Security().get_connection_args("client"))
    comm.abort()


def _checked(client: Client, version: str) -> Client:
    """Return a connection if all workers have this version of Fencewright, and disconnect otherwise."""
    try:
        _check_workers(client, version)
    except BaseException:
        client.close(timeout=_TRY_S)
        raise
    return client


def _check_workers(client: Client, wanted: str) -> None:
    """Raise `InvalidParameter` if a worker has no Fencewright, another package of its name, or another version."""

    def version_found() -> str:
        # Such a function is sent as it is, so it also works on a worker that cannot import this module.
        from importlib import import_module

        try:
            import_module("engine.backtest.workers")
            return str(import_module("app").__version__)
        except (ImportError, AttributeError) as error:
            return f"cannot import it: {error}"

    try:
        client.wait_for_workers(1, timeout=_TRY_S)
        found = client.run(version_found)
    except TimeoutError:
        raise _NotReady("scheduler", "scheduler: it has no workers.") from None
    except OSError as error:
        raise _NotReady("scheduler", f"scheduler: a worker was lost ({type(error).__name__}).") from None
    for worker, version in sorted(found.items()):
        if version != wanted:
            raise InvalidParameter("scheduler", _refusal(worker, version, wanted))


class _NotReady(InvalidParameter):
    """Raised while a scheduler cannot be reached, or has no worker."""


class _SchedulerLost(Exception):
    """The scheduler is no longer there, or it has forgotten the parts."""


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
    if future.status in ("cancelled", "lost"):
        raise _SchedulerLost
    if future.status == "error":
        raise _error_of(future.exception(), number)
    try:
        done: Done = future.result(timeout=_RESULT_S)
    except (OSError, CancelledError, KilledWorker):
        # The worker with the result was lost. The part is submitted again, and its files show that it is done.
        raise _SchedulerLost from None
    return done


def _error_of(error: BaseException, number: int) -> BaseException:
    """Return the error for users if a part has failed."""
    if isinstance(error, FencewrightError | Cancelled):
        return error
    if isinstance(error, KilledWorker):
        return PartFailed(
            f"part {number + 1} ended {_ALLOWED_FAILURES} workers that tried it, perhaps for lack of memory. "
            "The finished parts are kept; --resume continues with them."
        )
    return PartFailed(f"part {number + 1}: {type(error).__name__}: {error}")


def _work(part: str, folder: str, number: int, version: str) -> Done:
    """Do a part on a worker."""
    where = Path(folder)
    partitions.check_cancelled(where)
    if (own := _own_version()) != version:
        raise InvalidParameter("scheduler", _refusal(partitions.worker_name(), own, version))
    work: Part = getattr(partitions, part)
    return _timed(work, where, number, lambda: partitions.check_cancelled(where))


def _timed(part: Part, folder: Path, number: int, check: Callable[[], None]) -> Done:
    begun = time.perf_counter()
    try:
        result = part(folder, number, check)
    except OSError as error:
        raise PartFailed(_failure(error, folder, number)) from None
    return Done(number, partitions.worker_name(), time.perf_counter() - begun, result)


def _failure(error: OSError, folder: Path, number: int) -> str:
    if is_full(error):
        return no_space(folder)
    return f"part {number + 1}: {error.strerror or error}. {_KEPT}"


def is_full(error: OSError) -> bool:
    """Return whether an error is that of a full disk, or of a quota."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def no_space(folder: Path) -> str:
    """Return the error for users if the disk with the folder of an unfinished back-test is full."""
    kept = f" {_KEPT}" if has_begun(folder) else ""
    return f"output: there is no space left in {folder.parent}.{kept}"


@contextmanager
def workers_for(
    scheduler: str | None, count: int, version: str, stop: Callable[[], bool] = lambda: False
) -> Iterator[Workers]:
    """Provide the workers of a scheduler, or a number of processes of this machine; one is this process."""
    if scheduler is None and count == 1:
        yield ThisProcess()
        return
    with ExitStack() as stack:
        stack.enter_context(_configured())
        address = stack.enter_context(_local(count)) if scheduler is None else scheduler
        cluster = Cluster(address, version)
        stack.callback(cluster.close)
        cluster.connect(stop)
        yield cluster


def _configured() -> AbstractContextManager[Any]:
    settings: AbstractContextManager[Any] = dask.config.set(
        {
            "distributed.scheduler.allowed-failures": _ALLOWED_FAILURES - 1,
            "distributed.worker.daemon": True,
            "distributed.admin.system-monitor.interval": "5 s",
            # By default, workers return memory to the system so eagerly that arrays take half as long again.
            "distributed.nanny.pre-spawn-environ": {},
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
        dashboard_address="127.0.0.1:0",
        host="127.0.0.1",
        silence_logs=50,
    )
    try:
        yield cluster
    finally:
        with suppress(TimeoutError):
            cluster.close(timeout=_CLOSE_S)
