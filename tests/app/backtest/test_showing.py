"""The progress line of a back-test and its summary."""

import io
import sys

import pytest

from app.cli.backtests.showing import progress_shower, progress_text, summary
from engine.backtest.backtest import Progress
from engine.backtest.results import FenceResult, WorkerResult
from engine.domain.values import replace
from tests.app.backtest.reports import IDLE, REPORT, STORE

_PROGRESS = Progress(
    phase="deciding",
    fixes=12_000_000,
    total=50_000_000,
    events=123_456,
    seconds=30.0,
    left_s=95.4,
    workers=(WorkerResult("a", 6_000_000, 60_000, 30.0), WorkerResult("b", 6_000_000, 63_456, 30.0)),
)


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_has_an_estimate() -> None:
    assert progress_text(_PROGRESS) == (
        "deciding: 12,000,000 of 50,000,000 fixes (24 %) · 400,000/s · 123,456 events · 2 workers · 1 min 35 s left"
    )


def test_progress_at_the_start_has_neither_rate_nor_estimate() -> None:
    start = Progress("sorting", 0, 0, 0, 0.0, None, ())
    assert progress_text(start) == "sorting: 0 of 0 fixes · 0 events"


def test_a_shorter_line_replaces_a_longer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    show = progress_shower()
    show(_PROGRESS)
    show(Progress("writing", 50, 50, 1, 1.0, None, ()))
    first, second = terminal.getvalue().split("\r")[1:]
    assert len(first) == len(second)
    assert second.rstrip() == "writing: 50 of 50 fixes (100 %) · 50/s · 1 event"


def test_without_a_terminal_there_is_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    progress_shower()(_PROGRESS)
    assert capsys.readouterr().err == ""


def test_long_lists_of_names_are_cut() -> None:
    idle: tuple[FenceResult, ...] = tuple(replace(IDLE, external_id=str(number)) for number in range(12))
    found = list(summary(replace(REPORT, geofences=(STORE, *idle), devices_without_event=0)))
    assert found[-1] == "12 geofences of 13 never fired: store/0, store/1, store/2, store/3, store/4 and 7 more"


def test_a_summary_of_a_complete_success_is_short() -> None:
    assert len(list(summary(replace(REPORT, geofences=(STORE,), devices_without_event=0)))) == 2
