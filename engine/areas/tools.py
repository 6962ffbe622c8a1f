"""Programs from packages that build areas: finding them, running them, and reporting their errors."""

import subprocess
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from engine.domain.errors import FencewrightError

_LAST_LINES = 2

type OnLine = Callable[[str], None]


class BuildFailed(FencewrightError):
    """Error of a program that builds areas; the text gives its name and last output."""


def program(package: str, name: str) -> str:
    """Return the path of a program in the folder ``bin`` of an installed package."""
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        if (file := Path(folder) / "bin" / name).is_file():
            return str(file)
    raise BuildFailed(f"{name} is missing; reinstall the package {package}.")


def run_tool(command: Sequence[str | Path], on_line: OnLine | None = None) -> None:
    """Run a program to its end, and pass each (partial) line of its output to `on_line`. Raises `BuildFailed`."""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        try:
            last = _follow(process, on_line)
        except BaseException:
            process.kill()
            raise
    if process.returncode != 0:
        name = Path(command[2] if command[1] == "-m" else command[0]).name
        raise BuildFailed(f"{name} ended with {process.returncode}: {' / '.join(last) or 'no output'}.")


def _follow(process: subprocess.Popen[bytes], on_line: OnLine | None) -> Sequence[str]:
    last: deque[str] = deque(maxlen=_LAST_LINES)
    for line in _lines(process):
        last.append(line)
        if on_line is not None:
            on_line(line)
    return last


def _lines(process: subprocess.Popen[bytes]) -> Iterator[str]:
    """Yield the lines of the output, also split at carriage returns, with which programs rewrite their progress."""
    assert process.stdout is not None
    rest = b""
    while part := process.stdout.read1(65536):  # type: ignore[attr-defined]
        *whole, rest = (rest + part).replace(b"\r", b"\n").split(b"\n")
        for line in whole:
            if text := line.decode("utf-8", "replace").strip():
                yield text
    if rest.strip():
        yield rest.decode("utf-8", "replace").strip()
