"""The checks of the JavaScript detect the errors that they should."""

from pathlib import Path
from shutil import copy, copytree

import pytest

from app.setup.packages import npm_command
from tests.node_packages import ROOT
from tests.web.check import CODE, TOOLS, run_checks

LOOK = "resources/map"
MODULES = ROOT / TOOLS / "node_modules"

pytestmark = pytest.mark.skipif(not MODULES.is_dir(), reason="python -m tests.web.check fetches what this needs")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with only the JavaScript and its checks."""
    (tmp_path / TOOLS).mkdir(parents=True)
    for name in ("package.json", "eslint.config.js", "tsconfig.json", "globals.d.ts", "texts.json"):
        copy(ROOT / TOOLS / name, tmp_path / TOOLS)
    (tmp_path / TOOLS / "node_modules").symlink_to(MODULES)
    copytree(ROOT / CODE, tmp_path / CODE)
    copytree(ROOT / LOOK, tmp_path / LOOK)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("this._redraw();", "this._redraw();", []),
        ("this._redraw();", "redraww();", ["eslint", "tsc"]),
        ("this._redraw();", "this._redraw(); this.plaace();", ["tsc"]),
        ("this._redraw();", "var unused = this; this._redraw();", ["eslint", "tsc"]),
        ("frame.taken.push(box);", "frame.taken.push([box]);", ["tsc"]),
    ],
)
def test_a_defect_is_found(root: Path, before: str, after: str, found: list[str]) -> None:
    npm = npm_command([ROOT / ".tools" / "node"])
    if npm is None:
        pytest.skip("there is no npm here")
    file = root / CODE / "street_map" / "labels.js"
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after, 1), encoding="utf-8")
    assert run_checks(npm, root) == found
