"""Towns that tests draw in place of missing real extracts: few streets, under their real names.

A drawn town is an extract like any other, and everything is built from it. Its streets are straight, and only the
objects that tests use are near their real positions.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.built_once import built_once
from tests.drawn.drawing import Drawing
from tests.drawn.liechtenstein import draw_liechtenstein
from tests.drawn.manhattan import draw_manhattan
from tests.drawn.state_college import draw_state_college
from tests.shared import SharedData

DRAWN: Final[Mapping[str, Callable[[], Drawing]]] = {
    "liechtenstein": draw_liechtenstein,
    "nyc-lower": draw_manhattan,
    "state-college": draw_state_college,
}


def extract_or_drawn(shared_data: SharedData, factory: pytest.TempPathFactory, name: str) -> Path:
    """Return the real extract, or the drawn one if that is missing. Skip the test if there is neither."""
    found = shared_data.find_extract(name)
    if found is not None or name not in DRAWN:
        return found or shared_data.extract(name)
    file = f"{name}.osm.pbf"
    return built_once(factory, f"drawn-{name}", lambda folder: DRAWN[name]().write(folder / file)) / file
