"""Errors as values that other processes can send."""

import pickle

import pytest

from engine.backtest.reading.ranges import HistoryChanged
from engine.domain.errors import FencewrightError, InvalidParameter
from engine.domain.ports import Stopped


@pytest.mark.parametrize(
    "error", [InvalidParameter("tag", "tag: it is empty."), HistoryChanged("it changed."), Stopped()]
)
def test_an_error_of_another_process_is_the_same(error: FencewrightError) -> None:
    received = pickle.loads(pickle.dumps(error))
    assert (type(received), received.args, vars(received)) == (type(error), error.args, vars(error))
    assert str(received) == error.message
