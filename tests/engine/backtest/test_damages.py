"""Files that turn out to be damaged while they are read."""

from pathlib import Path

import pytest

from engine.backtest import backtest
from engine.backtest.backtest import BacktestReport, run
from engine.backtest.partitions import together
from engine.backtest.reading.scanning import scan
from engine.domain.errors import InvalidParameter
from engine.domain.values import replace
from tests.engine.backtest.crossings import Backtest, write_crossings
from tests.engine.backtest.jobs import rows_in

DAMAGED_AT = 2_000


@pytest.fixture
def work(tmp_path: Path) -> Backtest:
    """A back-test of four files, of which the second one is damaged."""
    write_crossings(tmp_path / "history", devices=4, files=4)
    whole = (tmp_path / "history" / "1.parquet").read_bytes()
    damaged = whole[:DAMAGED_AT] + b"\xff" * 100 + whole[DAMAGED_AT + 100 :]
    (tmp_path / "history" / "1.parquet").write_bytes(damaged)
    return Backtest(tmp_path, workers=1)


def skipping(work: Backtest, *, resume: bool = False) -> BacktestReport:
    """Run the back-test without the files that cannot be read."""
    return run(replace(work.request(resume=resume), skip_bad=True), lambda _: None, lambda: False)


def test_a_damaged_file_is_an_error(work: Backtest) -> None:
    with pytest.raises(InvalidParameter, match=r"history: \S+1\.parquet is damaged: ") as caught:
        work.run()
    assert caught.value.param == "history"


def test_a_damaged_file_is_left_out(work: Backtest) -> None:
    report = skipping(work)
    assert [(each.file, each.message[:40]) for each in report.bad_files] == [
        (str(work.folder / "history" / "1.parquet"), "about 1,000 rows from row 1 on: it is da")
    ]
    (work.folder / "history" / "1.parquet").unlink()
    other = Backtest(work.folder, workers=1)
    expected = run(replace(other.request(), output=work.folder / "other"), lambda _: None, lambda: False)
    assert report.fixes == expected.fixes == 3_000
    assert work.rows() == [rows_in([work.folder / "other"], kind) for kind in ("events", "visits")]


def test_a_damaged_file_is_left_out_of_a_resumed_back_test(work: Backtest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backtest, "together", lambda portions: together(portions, 1))
    with pytest.raises(InvalidParameter):
        work.run()
    assert work.unfinished.exists()
    report = skipping(work, resume=True)
    assert (len(report.bad_files), report.fixes) == (1, 3_000)


def test_small_files_are_sorted_together(work: Backtest) -> None:
    portions = scan([str(work.folder / "history")], columns={}, skip_bad=False).portions
    assert [len(some) for some in together(portions)] == [4]
    assert [len(some) for some in together(portions, 2_000)] == [2, 2]
    assert [len(some) for some in together(portions, 1)] == [1, 1, 1, 1]


def test_only_damaged_files_are_an_error(work: Backtest) -> None:
    for number in (0, 2, 3):
        (work.folder / "history" / f"{number}.parquet").unlink()
    with pytest.raises(InvalidParameter, match=r"history: \S+1\.parquet: about 1,000 rows from row 1 on: "):
        skipping(work)
    assert not work.unfinished.exists()
