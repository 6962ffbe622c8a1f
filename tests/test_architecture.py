"""What docs/architecture.md says of the tree is so."""

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST = 20


def test_no_folder_of_the_program_holds_more_modules_than_the_page_says() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert f"No folder of `app` and `engine` holds more than {MOST} modules" in page
    files = (file for package in ("app", "engine") for file in (ROOT / package).rglob("*.py"))
    modules = Counter(file.parent for file in files if file.name != "__init__.py")
    assert {str(folder.relative_to(ROOT)): number for folder, number in modules.items() if number > MOST} == {}
