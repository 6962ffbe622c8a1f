"""A server under attack, with the observations of other clients and its resource use."""

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
"""Minimum number of responses for a percentile."""

ROUNDS: Final = 3
"""Number of attempts of an attack after late responses, which other programs may have caused."""

measures_p99 = pytest.mark.second_try("compares the p99 of another client's answers with that of a quiet moment")


class FewFiles(Program):
    """Starts commands with a limit on open files."""

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
        """Reset the peak of memory."""
        Path(f"/proc/{self.pid}/clear_refs").write_text("5", encoding="ascii")

    @property
    def peak_mb(self) -> float:
        """Peak memory of the server, in MB."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6

    @property
    def open_files(self) -> int:
        """Number of files that the server has open, including connections."""
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))


@dataclass(slots=True)
class Seen:
    """The observations of an onlooker: latencies in seconds, and errors."""

    latencies: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def p99_s(self) -> float:
        """Minimum latency of the slowest hundredth."""
        assert len(self.latencies) >= FEWEST, f"only {len(self.latencies)} answers: {self.faults}"
        return sorted(self.latencies)[int(len(self.latencies) * 0.99)]


@contextmanager
def onlooker(target: Target) -> Iterator[Seen]:
    """Run another client of the server during the block."""
    seen = Seen()
    command = [sys.executable, "-m", "tests.hostile.onlooker", str(target.port), target.publishable]
    command += [target.authority] if target.authority else []
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "looking\n"
            yield seen
            report = orjson.loads(process.communicate(timeout=60)[0])
            seen.latencies, seen.faults = report["latencies"], report["faults"]
        finally:
            process.kill()


def endured(target: Target, attack: Callable[[], None]) -> None:
    """Check that an attack does not delay or refuse another client, or exceed the memory limit.

    If other programs use the machine, so that responses are slow even without an attack, they may take longer.
    """
    attempts = []
    for _ in range(ROUNDS):
        target.forget_peak()
        with onlooker(target) as calm:
            time.sleep(CALM_S)
        with onlooker(target) as seen:
            attack()
        assert not seen.faults, f"{len(seen.faults)} of {len(seen.latencies)} were not answered: {seen.faults[:3]}"
        assert target.peak_mb <= MAX_MB, f"the server took {target.peak_mb:.0f} MB"
        attempts.append(f"{seen.p99_s * 1e3:.0f} ms, without the attack {calm.p99_s * 1e3:.0f} ms")
        print(f"p99 {attempts[-1]}; peak {target.peak_mb:.0f} MB")
        if seen.p99_s <= max(MAX_P99_S, SLOWER * calm.p99_s):
            return
    raise AssertionError(f"p99 was {'; '.join(attempts)}")
