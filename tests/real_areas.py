"""Areas of real extracts, built once for all tests."""

import shutil
from pathlib import Path
from typing import Final

import pytest

from engine.engine import Engine
from tests.built_once import built_once
from tests.drawn import extract_or_drawn
from tests.shared import SharedData

EXTRACTS: Final = ("liechtenstein", "state-college")


@pytest.fixture(scope="session")
def built_areas(shared_data: SharedData, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of areas of Liechtenstein and State College, built as users build them."""
    return areas_of_extracts(shared_data, tmp_path_factory)


def areas_of_extracts(shared_data: SharedData, factory: pytest.TempPathFactory) -> Path:
    """Return the folder of areas of `EXTRACTS`, built once for all processes of this run."""
    files = {name: extract_or_drawn(shared_data, factory, name) for name in EXTRACTS}

    def make(folder: Path) -> None:
        with Engine.open(folder / "workspace") as engine:
            for name, file in files.items():
                engine.areas.build(file, name)

    return built_once(factory, "areas", make) / "workspace" / "areas"


def workspace_with_areas(folder: Path, areas: Path) -> Path:
    """Return a new workspace in `folder` with copies of areas, which it uses."""
    with Engine.open(folder):
        pass
    for name in EXTRACTS:
        shutil.copytree(areas / name, folder / "areas" / name, copy_function=_link)
    with Engine.open(folder) as engine:
        engine.areas.use(EXTRACTS)
    return folder


def _link(source: str, target: str) -> str:
    """Link a file to another path without copying its content."""
    Path(target).hardlink_to(source)
    return target
