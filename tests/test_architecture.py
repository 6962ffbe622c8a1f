"""The pages for new contributors describe the tree correctly."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ARCHITECTURE = (ROOT / "docs" / "internals" / "architecture.md").read_text(encoding="utf-8")
WALKS = (ROOT / "docs" / "internals" / "walks.md").read_text(encoding="utf-8")
STEPS = [line for line in WALKS.splitlines() if re.match(r"\| \d+ \|", line)]
MOST = 20
LONGEST = 450
TABLES = {"engine/areas/categories_table.py", "engine/domain/addresses/taxonomy.py", "engine/store/tables.py"}

QUOTED = re.compile(r"`([^`\s]+)`")
PLACE = re.compile(r"[\w/]+(?:\.(?:py|js)|/)")
NAME = re.compile(r"[A-Za-z]\w*(?:\.\w+)*(?:\(\))?")


def test_no_folder_of_the_program_holds_more_modules_than_documented() -> None:
    assert f"No folder of `app` and `engine` holds more than {MOST} modules" in ARCHITECTURE
    files = (file for package in ("app", "engine") for file in (ROOT / package).rglob("*.py"))
    modules = Counter(file.parent for file in files if file.name != "__init__.py")
    assert {str(folder.relative_to(ROOT)): number for folder, number in modules.items() if number > MOST} == {}


def test_no_module_is_longer_than_documented() -> None:
    assert f"no module has more than {LONGEST} lines, except two tables" in " ".join(ARCHITECTURE.split())
    files = (file for package in ("app", "engine") for file in (ROOT / package).rglob("*.py"))
    lines = {file.relative_to(ROOT).as_posix(): len(file.read_text(encoding="utf-8").splitlines()) for file in files}
    assert {name: number for name, number in lines.items() if number > LONGEST and name not in TABLES} == {}
    assert all(lines[name] > LONGEST for name in TABLES)


def test_the_page_counts_the_contracts() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    numbers = {"seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12}
    match = re.search(r"from the (\w+) contracts in", ARCHITECTURE)
    assert match is not None
    assert numbers[match[1]] == len(project["tool"]["importlinter"]["contracts"])


def test_a_contract_keeps_the_window_out_of_every_other_module() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (contract,) = (each for each in contracts if "PySide6" in each.get("forbidden_modules", ()))
    modules = {f"app.{path.stem}" for path in (ROOT / "app").iterdir() if path.suffix == ".py" or path.is_dir()}
    others = modules - {"app.__init__", "app.__pycache__", "app.main", "app.desktop"}
    assert set(contract["source_modules"]) == {"engine", *others}


@pytest.mark.parametrize("line", [pytest.param(line, id=str(number)) for number, line in enumerate(STEPS)])
def test_a_step_of_a_walk_names_existing_code(line: str) -> None:
    text = "\n".join(file.read_text(encoding="utf-8") for file in places_in(line) if file.is_file())
    assert text
    for name in (each for each in QUOTED.findall(line) if NAME.fullmatch(each) and not PLACE.fullmatch(each)):
        last = name.removesuffix("()").split(".")[-1]
        assert re.search(rf"\b{last}\b", text), f"{name} is in none of the files of its step"


def places_in(line: str) -> list[Path]:
    """Return the files and folders named in a step: relative to the root, or to one named before."""
    found: list[Path] = []
    for name in filter(PLACE.fullmatch, QUOTED.findall(line)):
        near = [folder for place in reversed(found) for folder in (place, *place.parents) if folder != ROOT.parent]
        place = next((folder / name for folder in (ROOT, *near) if (folder / name).exists()), None)
        assert place is not None, f"there is no {name}"
        found.append(place)
    return found


@pytest.mark.parametrize("page", [ARCHITECTURE, WALKS], ids=["architecture", "walks"])
def test_paths_from_the_root_on_a_page_exist(page: str) -> None:
    own = re.compile(r"(?:app|engine|resources|tests|packaging)/[\w/.-]*")
    named = set(filter(own.fullmatch, QUOTED.findall(page)))
    assert named
    assert {each for each in named if not (ROOT / each).exists()} == set()


@pytest.mark.parametrize("page", [ARCHITECTURE, WALKS], ids=["architecture", "walks"])
def test_a_folder_that_a_page_names_is_somewhere(page: str) -> None:
    folders = [f"{folder.as_posix()}/" for name in ("app", "engine") for folder in (ROOT / name).rglob("*/")]
    named = set(filter(re.compile(r"[\w/]+/").fullmatch, QUOTED.findall(page)))
    missing = {each for each in named if not (ROOT / each).exists()}
    assert {each for each in missing if not any(folder.endswith(f"/{each}") for folder in folders)} == set()
