"""A stand-in for the engine's back-test, so that tests of the command need no history."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from app.cli.backtests import running
from engine.backtest.backtest import Progress, Request, unfinished
from engine.backtest.results import BacktestReport
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled
from tests.app.backtest.reports import START

type Act = Callable[[Callable[[Progress], None], Callable[[], bool]], None]


class StandIn:
    """Keeps the request, writes the Parquet file of the output, and returns a report."""

    def __init__(self, report: BacktestReport) -> None:
        self.report = report
        self.requests: list[Request] = []
        self.act: Act = lambda _progress, _stop: None

    @property
    def request(self) -> Request:
        """The only request."""
        (request,) = self.requests
        return request

    def run(
        self,
        request: Request,
        progress: Callable[[Progress], None],
        stop: Callable[[], bool],
        write: Callable[[Path, BacktestReport], None],
    ) -> BacktestReport:
        """Run as the engine does, except for the work."""
        self.requests.append(request)
        self.act(progress, stop)
        if stop():
            raise Cancelled
        folder = unfinished(request.output)
        write_events(folder)
        write(folder, self.report)
        folder.rename(request.output)
        return self.report


def write_events(folder: Path) -> None:
    """Write the events of a back-test: one entry."""
    folder.mkdir(exist_ok=True)
    event = {
        "deviceId": "van-1",
        "type": "user.entered_geofence",
        "createdAt": START,
        "tag": "store",
        "externalId": "vienna-1",
        "longitude": 16.372,
        "latitude": 48.208,
    }
    times = pa.array([START], pa.timestamp("ms", tz="UTC"))
    table = pa.Table.from_pylist([event])
    table = table.set_column(2, "createdAt", times)
    pq.write_table(table, folder / "events-00000.parquet")


def stand_in(monkeypatch: pytest.MonkeyPatch, report: BacktestReport) -> StandIn:
    """Replace the engine's back-test during a test."""
    found = StandIn(report)
    monkeypatch.setattr(running, "run", found.run)
    return found


def refuse(_progress: object, _stop: object) -> None:
    """Fail as for a history that cannot be read."""
    raise InvalidParameter("history", "history: there is no file nowhere.parquet.")
