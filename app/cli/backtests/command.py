"""The ``fencewright backtest`` command, which needs the libraries of an extra."""

from argparse import Namespace
from typing import Final

from engine.domain.errors import FencewrightError
from engine.extras import how_to_install

_LIBRARIES: Final = frozenset({"dask", "distributed", "pyarrow"})


def backtest(arguments: Namespace) -> int:
    """Run the back-test, and write its report and a summary."""
    try:
        # Imported here because the libraries may be missing.
        from app.cli.backtests.running import run_backtest
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _LIBRARIES:
            raise
        how = how_to_install("backtest")
        raise FencewrightError(f"Back-tests need Dask and PyArrow, and {error.name} is not installed. {how}") from None
    return run_backtest(arguments)
