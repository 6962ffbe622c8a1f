"""Every division of a history has the same results."""

import random
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.backtest.fences import FenceSet
from engine.domain.settings import ProjectSettings, SettingsChange
from engine.engine import Engine
from tests.engine.backtest.cases import ENVIRONMENT, Fence, Report, fences, journeys, rows_of, stored, timed
from tests.engine.backtest.cases import settings_changes as changes
from tests.engine.backtest.jobs import Record, Result, Split, job_for, result_of, write_history
from tests.engine.fixtures import SetClock
from tests.engine.tracking.histories import START

splits = st.builds(
    Split,
    files=st.lists(st.integers(0, 4), min_size=1, max_size=30),
    formats=st.lists(st.sampled_from(["parquet", "csv"]), min_size=1, max_size=3),
    portion_rows=st.integers(1, 8),
    partitions=st.integers(1, 7),
    most_rows=st.integers(1, 5),
    sorted_rows=st.integers(1, 3),
    together_rows=st.sampled_from([1, 5, 100]),
)


def fence_set(wanted: Sequence[Fence], change: SettingsChange) -> tuple[FenceSet, ProjectSettings]:
    """Return geofences as they are stored, and settings."""
    with Engine.open(":memory:", clock=SetClock(START)) as engine:
        engine.settings.change(ENVIRONMENT, change)
        return FenceSet(name="", geofences=tuple(stored(engine, wanted))), engine.settings.get(ENVIRONMENT)


def several_devices(rows: Sequence[Record]) -> list[Record]:
    """Return rows of more devices: some ride along with the first ones, with other user IDs."""
    return [{**row, "device": f"{row['device']}{number}"} for row in rows for number in range(3)]


def decided(rows: Sequence[Record], split: Split, sets: tuple[FenceSet, FenceSet], project: ProjectSettings) -> Result:
    with TemporaryDirectory() as folder:
        history = Path(folder) / "history"
        write_history(history, rows, split)
        return result_of(Path(folder) / "work", job_for(history, split, *sets, project))


@pytest.mark.parametrize("received", [False, True])
@settings(max_examples=12)
@given(
    st.lists(fences(), min_size=1, max_size=4),
    st.lists(fences(), max_size=3),
    changes,
    journeys(),
    splits,
    st.randoms(use_true_random=False),
)
def test_every_division_has_the_same_results(
    received: bool,
    wanted: list[Fence],
    others: list[Fence],
    change: SettingsChange,
    journey: list[Report],
    split: Split,
    rng: random.Random,
) -> None:
    chosen, project = fence_set(wanted, change)
    against, _ = fence_set(others, change)
    table = rows_of(timed(journey, received=received), received=received)
    rows = several_devices(table.to_pylist())
    expected = decided(rows, Split(), (chosen, against), project)
    rng.shuffle(rows)
    assert decided(rows, split, (chosen, against), project) == expected
