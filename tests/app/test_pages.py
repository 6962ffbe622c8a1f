"""The shell blocks of README.md and the pages, run in order as a reader types them."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.app.program import ROOT, Program
from tests.pages import PAGES, README, Block, How, is_served, shell_blocks

SHELL = shutil.which("dash") or "/bin/sh"
LIMIT_S = 240
FIRST_LINE = next(
    block.text for block in shell_blocks(README.read_text(encoding="utf-8")) if block.text.startswith("alias ")
).strip()
"""The line of the README that makes `fencewright`, `$PUBLISHABLE` and `$SECRET` work."""

READY = "its keys are in|receiving at|Serving HTTP"
"""Lines with which programs that run beside others say that they can be used."""

RUN = """\
command=${{1:-}}
case "$command $*" in
*\\ --port\\ *) ;;
serve\\ *) set -- "$@" --port {server} ;;
listen\\ *) set -- "$@" --port {receiver} ;;
esac
exec "{python}" -m app.main "$@"
"""
"""`packaging/run.sh`, whose set-up has tests of its own. The ports of the pages may be in use."""

SHOWN = {
    "README.md": (
        '"type":"user.entered_geofence"',
        '"addresses":[{',
        "11 created",
        "port/dover  Dover port: outside (394.4 m outside",
        "19 events before, 19 after (0 more, 0 fewer, 2 moved)",
    ),
    "backtest.md": (
        "1 geofence of 3 never fired: shop/harbour",
        "from shops.csv to shops-new.csv: 560 gained, 734 lost, 488 moved; most in shop/market",
        "\n367\n",
    ),
    "checks.md": ("11 geofences checked: 0 errors, 0 warnings",),
    "command-line.md": ("11 created", "17 events as expected"),
    "faults.md": ('"kind":"status"',),
    "files.md": ("11 created", "25 created, 0 updated, 0 failed (dry run", "depot,ghent"),
    "places.md": ('"externalId":"M-12"',),
    "testing.md": ("✓ Ann has her parcel at the store",),
    "trips.md": tuple(
        f'"type":"user.{word}"'
        for word in ("started_trip", "approaching_trip_destination", "arrived_at_trip_destination", "stopped_trip")
    ),
    "webhooks.md": ("delivered",),
}
"""Output of the commands of a page, all of which must also end with exit code 0."""

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="the pages ask with curl")


def blocks_of(page: Path) -> list[Block]:
    return shell_blocks(page.read_text(encoding="utf-8"))


RUNNABLE = [page for page in PAGES if any(not block.mark.startswith("not run") for block in blocks_of(page))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_is_run_or_says_why_not(page: Path) -> None:
    for block in blocks_of(page):
        assert block.how in How


@pytest.mark.parametrize("mark", ["not run:", "not run", "not run: ", "runs beside", "skipped: no network"])
def test_a_mark_without_a_reason_is_found(mark: str) -> None:
    (block,) = shell_blocks(f"Text\n\n<!-- {mark} -->\n```sh\nfalse\n```\n")
    with pytest.raises(ValueError, match="line 4"):
        assert block.how


def test_what_changes_the_machine_is_never_run() -> None:
    for command in ("npm install a", "python -m pip install b", "echo c\n  systemctl --user restart d"):
        (block,) = shell_blocks(f"```sh\n{command}\n```\n")
        with pytest.raises(ValueError, match="changes the machine"):
            assert block.how


def test_blocks_in_lists_lose_their_indent_and_keep_their_mark() -> None:
    text = "1. Do\n\n   <!-- not run: it opens a window -->\n   ```sh\n   a \\\n     b\n   ```\n\n```json\n{}\n```\n"
    assert shell_blocks(text) == [Block(4, "a \\\n  b\n", "not run: it opens a window")]


@pytest.fixture
def ports() -> dict[str, str]:
    """Free ports instead of those of the pages."""
    with ExitStack() as stack:
        free = [stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1] for _ in range(3)]
    return dict(zip(("8787", "8788", "8000"), map(str, free), strict=True))


def test_the_readme_starts_with_what_users_run_and_ends_with_what_contributors_run() -> None:
    first, *_, last = blocks_of(README)
    assert first.text.split("#")[0].split() == ["sh", "packaging/run.sh"]
    assert last.text.split("#")[0].split() == ["sh", "packaging/test.sh"]


class Reader:
    """Runs the blocks of a page as its readers do, in a checkout."""

    def __init__(self, program: Program, folder: Path, ports: dict[str, str]) -> None:
        self._folder = folder / "checkout"
        self._ports = ports
        self._environment = {**program.environment, "PYTHONPATH": str(ROOT), "NO_PROXY": "*"}
        self._make_checkout()

    def _make_checkout(self) -> None:
        (self._folder / "packaging").mkdir(parents=True)
        run = RUN.format(python=sys.executable, server=self._ports["8787"], receiver=self._ports["8788"])
        (self._folder / "packaging" / "run.sh").write_text(run, encoding="utf-8")
        for name in ("resources", "docs"):
            (self._folder / name).symlink_to(ROOT / name)

    def run(self, page: Path) -> str:
        """Run the blocks of a page and return what they print. The first command that fails ends the test."""
        output = self._folder.parent / "output.txt"
        with output.open("wb") as stream:
            process = subprocess.Popen(
                [SHELL, "-e", "-c", self.script(page)],
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                code = process.wait(timeout=LIMIT_S)
            finally:
                self._end(process)
        shown = output.read_text(encoding="utf-8", errors="replace")
        assert code == 0, f"{page.name}, {shown.rpartition('▶ ')[2]}"
        return shown

    @staticmethod
    def _end(process: subprocess.Popen[bytes]) -> None:
        """End what runs beside the commands, too."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        process.wait()

    def script(self, page: Path) -> str:
        """Return the blocks of a page as one script."""
        text = page.read_text(encoding="utf-8")
        alias, _, keys = FIRST_LINE.partition("; ")
        parts = [f"{alias}\n"]
        if is_served(text):
            parts.append(self._beside("fencewright serve\n", 0))
        parts.append(f"{keys}\n")
        for block in shell_blocks(text):
            if block.how is How.NOT:
                continue
            parts.append(f"echo '▶ the block at line {block.line}:'\n")
            parts.append(block.text if block.how is How.IN_ORDER else self._beside(block.text, block.line))
        script = "".join(parts)
        for written, free in self._ports.items():
            script = re.sub(rf"(:|--port |http\.server ){written}\b", rf"\g<1>{free}", script)
        return script

    @staticmethod
    def _beside(commands: str, number: int) -> str:
        """Return commands that start others, and wait until these can be used."""
        log = f"../beside-{number}.txt"
        ready = f"kill -0 $! && ! grep -qE '{READY}' {log}"
        if not re.match(r"fencewright (serve|listen)|python3 -m http.server", commands):
            ready = "false"
        failed = f"cat {log}; exit 1"
        return f"(\n{commands}) > {log} 2>&1 &\nwhile {ready}; do sleep 0.1; done\nkill -0 $! || {{ {failed}; }}\n"


@pytest.mark.slow
@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: page.name)
def test_the_commands_of_a_page_run_as_written(
    program: Program, tmp_path: Path, ports: dict[str, str], page: Path
) -> None:
    shown = Reader(program, tmp_path, ports).run(page)
    assert [text for text in SHOWN.get(page.name, ()) if text not in shown] == [], shown
