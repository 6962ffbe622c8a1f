"""Areas built from real extracts for the tests of SDKs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.engine import Engine
from tests.real_areas import built_areas, workspace_with_areas

__all__ = ["built_areas"]


@pytest.fixture(scope="module")
def real_engine(built_areas: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine over Liechtenstein and State College."""
    with Engine.open(workspace_with_areas(tmp_path_factory.mktemp("real") / "workspace", built_areas)) as engine:
        yield engine
