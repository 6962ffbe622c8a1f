"""A server under attack, what others see of it meanwhile, and what it costs."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, override
from urllib.parse import urlsplit

import orjson
import pytest

from tests.app.program import ROOT, Command, Program, Serving

MAX_MB: Final = 400
MAX_P99_S: Final = 0.25
CALM_S: Final = 1.5
SLOWER: Final = 5
FEWEST: Final = 20
"""Answers that a percentile is taken of."""

ROUNDS: Final = 3
"""How often an attack is repeated when answers were late: another program may have had the machine."""

measures_p99 = pytest.mark.second_try("compares the p99 of another client's answers with that of a quiet moment")


class FewFiles(Program):
    """Starts commands that may open only so many files."""

    def __init__(self, home: Path, files: int) -> None:
        super().__init__(home)
        self._files = files

    @override
    def start(self, *arguments: object, stderr: int = subprocess.PIPE) -> Command:
        limited = ["sh", "-c", f'ulimit -n {self._files} && exec "$@"', "sh"]
        return self.start_with(limited, *arguments, stderr=stderr)


@dataclass(frozen=True, slots=True)
class Target:
    """A running server: its port, its process, its Test keys, and with TLS the authority to trust."""

    port: int
    pid: int
    publishable: str
    secret: str
    authority: str | None = None

    @classmethod
    def of(cls, serving: Serving) -> "Target":
        """Return a `fencewright serve` as a target."""
        port = urlsplit(serving.url).port
        assert port is not None
        authority = serving.ready.get("certificate")
        keys = serving.key(level="publishable"), serving.key(level="secret")
        return cls(port, serving.ready["pid"], *keys, authority)

    def forget_peak(self) -> None:
        """Begin to take the peak of memory anew."""
        Path(f"/proc/{self.pid}/clear_refs").write_text("5", encoding="ascii")

    @property
    def peak_mb(self) -> float:
        """The most memory that the server has had, in MB."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6

    @property
    def open_files(self) -> int:
        """How many files the server has open, connections among them."""
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))


@dataclass(slots=True)
class Seen:
    """The observations of an onlooker: how long answers took, in seconds, and what came instead of answers."""

    latencies: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def p99_s(self) -> float:
        """How long the slowest hundredth took at least."""
        assert len(self.latencies) >= FEWEST, f"only {len(self.latencies)} answers: {self.faults}"
        return sorted(self.latencies)[int(len(self.latencies) * 0.99)]


@contextmanager
def onlooker(target: Target) -> Iterator[Seen]:
    """Have somebody else use the server while the block runs."""
    seen = Seen()
    command = [sys.executable, "-m", "tests.hostile.onlooker", str(target.port), target.publishable]
    command += [target.authority] if target.authority else []
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "looking\n"
            yield seen
            told = orjson.loads(process.communicate(timeout=60)[0])
            seen.latencies, seen.faults = told["latencies"], told["faults"]
        finally:
            process.kill()


def endured(target: Target, attack: Callable[[], None]) -> None:
    """Check that an attack neither delays nor refuses another client, nor takes more memory than there may be.

    Where other programs have the machine, so that answers take long without any attack, they may take longer.
    """
    told = []
    for _ in range(ROUNDS):
        target.forget_peak()
        with onlooker(target) as calm:
            time.sleep(CALM_S)
        with onlooker(target) as seen:
            attack()
        assert not seen.faults, f"{len(seen.faults)} of {len(seen.latencies)} were not answered: {seen.faults[:3]}"
        assert target.peak_mb <= MAX_MB, f"the server took {target.peak_mb:.0f} MB"
        told.append(f"{seen.p99_s * 1e3:.0f} ms, without the attack {calm.p99_s * 1e3:.0f} ms")
        print(f"p99 {told[-1]}; peak {target.peak_mb:.0f} MB")
        if seen.p99_s <= max(MAX_P99_S, SLOWER * calm.p99_s):
            return
    raise AssertionError(f"p99 was {'; '.join(told)}")
