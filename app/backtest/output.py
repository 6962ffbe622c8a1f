"""The files of a back-test for users, beside the Parquet files that the engine leaves."""

from collections.abc import Iterable
from pathlib import Path

from app.backtest.converting import convert_events
from app.backtest.formats import PAGE, RECORD, EventFormat
from app.backtest.page import report_page
from app.backtest.record import report_json
from app.files import write_file
from engine.backtest.results import BacktestReport
from engine.domain.ports import Progress, no_progress


def write_outputs(
    folder: Path, report: BacktestReport, formats: Iterable[EventFormat] = (), progress: Progress = no_progress
) -> None:
    """Write the report as JSON and as a page, and the events in other formats than Parquet, into the folder.

    Each file appears when it is complete. Only the owner may read them, since they hold users' positions. `progress`
    follows the conversion of events, and may raise `Cancelled`. Raises `InvalidParameter` for ``output``.
    """
    write_file(folder / RECORD, report_json(report), owner_only=True)
    write_file(folder / PAGE, report_page(report), owner_only=True)
    for each in dict.fromkeys(formats):
        if each is not EventFormat.PARQUET:
            convert_events(folder, folder / f"events.{each}", each, progress)
