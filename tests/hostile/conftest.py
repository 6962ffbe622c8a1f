"""A separate server for the attacks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.program import Program
from tests.hostile.served import Target


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture(scope="module")
def target(home: Path) -> Iterator[Target]:
    """`fencewright serve`, as its users run it."""
    with Program(home / "home").serve(home / "workspace") as serving:
        yield Target.of(serving)
