"""Back-tests whose workers, schedulers and files fail: the same results, or a clear error, and nothing twice."""

import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from engine.backtest import backtest
from engine.backtest.backtest import Progress
from engine.backtest.partitions import PartFailed
from engine.domain.errors import FencewrightError, InvalidParameter
from engine.domain.ports import Cancelled
from tests.engine.backtest.crossings import Backtest, fences, write_crossings

type Results = list[list[tuple[object, ...]]]

ROOT = Path(__file__).parents[3]
PARTITION_ROWS = 4_000
CANCELLED_WITHIN_S = 2.0
TWO = pytest.param(2, marks=pytest.mark.slow)
"""Two processes, which take seconds to start on a busy machine."""


@pytest.fixture(autouse=True)
def _small_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backtest, "_PARTITION_ROWS", PARTITION_ROWS)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crossings") / "history"
    write_crossings(folder)
    return folder


@pytest.fixture(scope="module")
def expected(history: Path, tmp_path_factory: pytest.TempPathFactory) -> Results:
    """The results of one process without any failure."""
    work = Backtest(_with(history, tmp_path_factory.mktemp("expected")), workers=1)
    work.run()
    return work.rows()


@pytest.fixture
def work(history: Path, tmp_path: Path) -> Backtest:
    """A back-test with two processes."""
    return Backtest(_with(history, tmp_path))


def _with(history: Path, folder: Path) -> Path:
    shutil.copytree(history, folder / "history", copy_function=os.link)
    return folder


def process_of(name: str) -> int:
    """Return the process of a worker by its name."""
    return int(name.rpartition("-")[2])


def is_deciding(now: Progress) -> bool:
    return now.phase == "deciding" and now.events > 0


@pytest.mark.slow
def test_killed_workers(work: Backtest, expected: Results) -> None:
    killed: set[int] = set()

    def kill(now: Progress) -> None:
        done = len(killed)
        if now.phase != "deciding" or done == 3 or now.fixes < (done + 1) * 2 * PARTITION_ROWS:
            return
        for process in {process_of(each.name) for each in now.workers} - killed:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
            killed.add(process)
            return

    report = work.run(kill)
    assert len(killed) == 3
    assert work.rows() == expected
    assert report.events == len(expected[0])
    assert not work.unfinished.exists()


@pytest.mark.slow
def test_resuming_after_a_cancellation(work: Backtest, expected: Results) -> None:
    with pytest.raises(Cancelled):
        work.run(stop=lambda: bool(work.seen) and is_deciding(work.seen[-1]))
    done = work.partitions_done
    assert 0 < done < 16
    assert not work.output.exists()
    times = {path: path.stat().st_mtime_ns for path in work.unfinished.glob("decided/*/events.parquet")}

    def check(now: Progress) -> None:
        if now.phase == "writing":
            assert {path: path.stat().st_mtime_ns for path in times} == times, "a finished part was done again"

    work.run(check, resume=True)
    assert work.rows() == expected


@pytest.mark.parametrize("workers", [1, TWO])
def test_cancelling_takes_little_time(work: Backtest, workers: int) -> None:
    work.workers = workers
    requested: list[float] = []

    def stop() -> bool:
        if not requested and work.seen and is_deciding(work.seen[-1]):
            requested.append(time.monotonic())
        return bool(requested)

    with pytest.raises(Cancelled):
        work.run(stop=stop)
    assert time.monotonic() - requested[0] < CANCELLED_WITHIN_S * slowness()


def slowness() -> float:
    """Return by how much other programs slow the machine down."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def test_only_one_back_test_writes_an_output(work: Backtest, expected: Results) -> None:
    work.workers = 1
    refused: list[InvalidParameter] = []

    def again(_: Progress) -> None:
        if not refused and work.partitions_done:
            with pytest.raises(InvalidParameter, match="another back-test writes it") as caught:
                Backtest(work.folder, workers=1).run(resume=True)
            refused.append(caught.value)

    work.run(again)
    assert [each.param for each in refused] == ["output"]
    assert work.rows() == expected


def test_resuming_with_other_geofences(work: Backtest) -> None:
    work.workers = 1
    with pytest.raises(Cancelled):
        work.run(stop=lambda: bool(work.seen) and is_deciding(work.seen[-1]))
    done = work.partitions_done
    work.wanted = fences(radius_m=120.0)
    with pytest.raises(InvalidParameter, match="the geofences") as caught:
        work.run(resume=True)
    assert caught.value.param == "resume"
    assert work.partitions_done == done > 0


def test_an_unfinished_one_is_not_mixed_with_another(work: Backtest) -> None:
    work.workers = 1
    with pytest.raises(Cancelled):
        work.run(stop=lambda: bool(work.seen) and is_deciding(work.seen[-1]))
    done = work.partitions_done
    work.wanted = fences(radius_m=120.0)
    with pytest.raises(InvalidParameter, match="unfinished") as caught:
        work.run()
    assert caught.value.param == "output"
    assert work.partitions_done == done > 0


def test_storage_without_hard_links(work: Backtest, expected: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: Path, _target: Path) -> None:
        raise OSError("Operation not supported")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    work.workers = 1
    work.run()
    assert work.rows() == expected


@pytest.mark.parametrize("workers", [1, TWO])
@pytest.mark.parametrize("change", [Path.unlink, lambda path: os.truncate(path, 1_000)])
def test_a_file_that_changes_after_the_check(work: Backtest, workers: int, change: Callable[[Path], None]) -> None:
    work.workers = workers
    file = work.folder / "history" / "5.parquet"
    shutil.copy(file, work.folder / "copy")
    (work.folder / "copy").replace(file)
    changed: list[bool] = []

    def spoil(now: Progress) -> None:
        if now.phase == "sorting" and not changed:
            change(file)
            changed.append(True)

    with pytest.raises(FencewrightError, match=r"5\.parquet (changed|cannot be read)"):
        work.run(spoil)
    assert not work.output.exists()


FATAL = """
import os, signal, sys, threading, time
from pathlib import Path

def watch():
    while True:
        time.sleep(0.02)
        frames = list(sys._current_frames().values())
        if Path(os.environ["FATAL"]).exists() and any(is_deciding(frame) for frame in frames):
            os.kill(os.getpid(), signal.SIGKILL)

def is_deciding(frame):
    while frame is not None:
        if frame.f_code.co_name == "decide_partition" and frame.f_locals.get("number") == 9:
            return True
        frame = frame.f_back
    return False

threading.Thread(target=watch, daemon=True).start()
"""
"""A module that kills its process when it decides a certain partition, if a file exists."""


@pytest.mark.slow
def test_workers_that_are_always_killed(
    work: Backtest, expected: Results, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is clear, and what was finished is kept."""
    site = tmp_path_factory.mktemp("site")
    (site / "sitecustomize.py").write_text(FATAL)
    monkeypatch.setenv("PYTHONPATH", f"{site}{os.pathsep}{ROOT}")
    monkeypatch.setenv("FATAL", str(site / "fatal"))

    (site / "fatal").touch()
    with pytest.raises(PartFailed, match=r"ended 3 workers that tried it.*--resume"):
        work.run()
    assert not work.output.exists()
    (site / "fatal").unlink()
    work.run(resume=True)
    assert work.rows() == expected


@pytest.mark.slow
def test_the_command_is_killed(work: Backtest, expected: Results) -> None:
    """Its workers end with it, no output is written, and the next run continues."""
    program = (
        "import sys; from pathlib import Path\n"
        "from engine.backtest import backtest; from tests.engine.backtest.crossings import Backtest\n"
        "def show(now): print(now.phase, now.events, *(each.name for each in now.workers), flush=True)\n"
        "if __name__ == '__main__':\n"
        f"    backtest._PARTITION_ROWS = {PARTITION_ROWS}\n"
        "    Backtest(Path(sys.argv[1])).run(show)\n"
    )
    script = work.folder / "command.py"
    script.write_text(program)
    command = subprocess.Popen([sys.executable, str(script), str(work.folder)], stdout=subprocess.PIPE, text=True)
    assert command.stdout is not None
    with command, command.stdout as lines:
        line = next(each.split() for each in lines if each.startswith("deciding") and each.split()[1] != "0")
        command.kill()
    workers = [process_of(name) for name in line[2:]]
    assert workers
    wait_until(lambda: not any(map(is_running, workers)), within_s=30)
    assert not work.output.exists()
    work.run(resume=True)
    assert work.rows() == expected


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(condition: Callable[[], bool], *, within_s: float) -> None:
    until = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < until, "it takes too long"
        time.sleep(0.05)


class Dask:
    """A scheduler with a worker, in processes of their own."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self._folder = folder
        self._scheduler = [
            "scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--dashboard-address",
            "127.0.0.1:0",
        ]
        self._worker = ["worker", self.address, "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1"]
        self.processes: list[subprocess.Popen[bytes]] = []

    def start_scheduler(self) -> None:
        self._start(self._scheduler, ROOT)

    def start_worker(self, path: Path | None = None) -> None:
        """Start a worker that imports packages from a folder."""
        self._start(self._worker, path or ROOT)

    def _start(self, words: Sequence[str], path: Path) -> None:
        command = [sys.executable, "-m", f"distributed.cli.dask_{words[0]}", *words[1:]]
        environment = {**os.environ, "PYTHONPATH": str(path)}
        output = (self._folder / f"{len(self.processes)}.log").open("wb")
        with output:
            self.processes.append(
                subprocess.Popen(command, env=environment, cwd=self._folder, stdout=output, stderr=output)
            )

    def kill(self) -> None:
        """Kill the scheduler and the workers."""
        for process in self.processes:
            process.kill()
            process.wait()
        self.processes.clear()


@pytest.fixture
def dask_processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    found = Dask(tmp_path_factory.mktemp("dask"))
    yield found
    found.kill()


@pytest.mark.slow
def test_a_scheduler_that_restarts(work: Backtest, expected: Results, dask_processes: Dask) -> None:
    restarted: list[int] = []

    def restart(now: Progress) -> None:
        if is_deciding(now) and not restarted:
            restarted.append(work.partitions_done)
            dask_processes.kill()
            dask_processes.start_scheduler()
            dask_processes.start_worker()

    dask_processes.start_scheduler()
    dask_processes.start_worker()
    work.scheduler = dask_processes.address
    work.run(restart)
    assert 0 < restarted[0] < 16
    assert work.rows() == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("version", "message"),
    [("0.0.9", "has version 0.0.9 of Fencewright"), (None, "has no Fencewright, or another package named app")],
)
def test_a_worker_with_other_packages(work: Backtest, dask_processes: Dask, version: str | None, message: str) -> None:
    packages = work.folder / "packages"
    for name in ("app", "engine"):
        (packages / name).mkdir(parents=True)
        (packages / name / "__init__.py").touch()
    if version is not None:
        (packages / "app" / "__init__.py").write_text(f'__version__ = "{version}"\n')
        shutil.rmtree(packages / "engine")
        (packages / "engine").symlink_to(ROOT / "engine")
    dask_processes.start_scheduler()
    dask_processes.start_worker(packages)
    work.scheduler = dask_processes.address
    with pytest.raises(InvalidParameter, match=rf"the worker tcp://127\.0\.0\.1:\d+ {message}") as caught:
        work.run()
    assert caught.value.param == "scheduler"
    assert not work.output.exists()


def test_no_scheduler(work: Backtest) -> None:
    work.scheduler = "tcp://127.0.0.1:9"
    begun = time.monotonic()
    with pytest.raises(Cancelled):
        work.run(stop=lambda: time.monotonic() > begun + 1)
    assert time.monotonic() - begun < (1 + CANCELLED_WITHIN_S) * slowness()


@pytest.mark.parametrize("workers", [1, TWO])
def test_a_full_disk(work: Backtest, workers: int, small_disk: Path, expected: Results) -> None:
    work.workers = workers
    full = Backtest(small_disk, workers=workers)
    (small_disk / "history").symlink_to(work.folder / "history")
    with pytest.raises(PartFailed, match=r"output: there is no space left.*--resume"):
        full.run()
    assert not full.output.exists()
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    full.run(resume=True)
    assert full.rows() == expected


def _no_space(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_before_any_part_is_done(
    work: Backtest, expected: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The back-test is resumed, as the message says."""
    work.workers = 1
    with monkeypatch.context() as patch:
        patch.setattr(backtest, "sort_portions", _no_space)
        with pytest.raises(PartFailed, match=r"output: there is no space left.*--resume"):
            work.run()
    assert work.unfinished.exists()
    work.run(resume=True)
    assert work.rows() == expected


@pytest.mark.parametrize(("function", "kept"), [("write_job", ""), ("_link", " The finished parts are kept")])
def test_a_full_disk_between_the_parts(
    work: Backtest, monkeypatch: pytest.MonkeyPatch, function: str, kept: str
) -> None:
    work.workers = 1
    monkeypatch.setattr(backtest, function, _no_space)
    with pytest.raises(FencewrightError, match=rf"output: there is no space left in \S+\.{kept}") as caught:
        work.run()
    assert ("--resume" in caught.value.message) == work.unfinished.exists() == bool(kept)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], check=False, capture_output=True
    )
    if made.returncode:
        pytest.skip("only root may mount a small file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)
