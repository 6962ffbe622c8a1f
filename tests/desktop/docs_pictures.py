"""The pictures of the documentation: what they show, the texts in them, and the command that takes them again.

``python -m tests.desktop.pictures --docs`` replaces all files in `FOLDER`, and records in `RECORD` the size, hash and
visible texts of each. With ``--check`` it compares the texts of today's window with the recorded ones. Texts do not
depend on the fonts and the graphics of a machine, unlike pictures.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from msgspec import Struct
from PySide6.QtGui import QImage

from tests.desktop import LANGUAGE
from tests.desktop.palette import save_small

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "docs" / "pictures"
RECORD: Final = Path(__file__).with_suffix(".json")
KEEP: Final = "FENCEWRIGHT_PICTURES"
"""Variable of the environment with the folder in which a test keeps its pictures."""

ANALYST: Final = "tests/desktop/window/test_analyst.py"
"""The test that takes the pictures in the folder `DESIGN`."""

DESIGN: Final = "design"
DESIGNED: Final = tuple(
    f"{DESIGN}/{name}.png"
    for name in (
        *("1-imported", "2-checked", "4-hours", "5-copying-hours"),
        *("6-snapping", "7-union", "8-simplify", "9-compared"),
    )
)
TEXTS: Final = "texts.json"
"""File with the texts of the pictures in a folder."""

_AT_FIX: Final = re.compile(r"the boundary ·.* km/h · accuracy")
"""The fix that the timeline describes: the selected one, or the last one until the mouse has moved there."""

_CHANCE: Final = re.compile(r"(?<=127\.0\.0\.1:)\d+|\b[0-9a-f]{24}\b|(?<= devices · )\d.*")
"""The port of the endpoint, identifiers and the duration of a back-test, which depend on what else runs at the time."""

_SHOWN: Final = 5


class Picture(Struct, frozen=True):
    """A picture of the window: the group of scenes and the scene that it shows, the theme and the language.

    `whole` is False if lists and long texts in it differ between machines or with each page of this documentation. An
    `exported` map is a file that the window itself has saved.
    """

    file: str
    group: str
    scene: str
    theme: str = "light"
    language: str = "en"
    whole: bool = True
    exported: bool = False


class Taken(Struct, frozen=True):
    """A picture as it was taken: its size in pixels, the hash of its file, and the visible texts."""

    size: tuple[int, int]
    sha256: str
    texts: tuple[str, ...]


PICTURES: Final = (
    Picture("demo.png", "opening", "demo"),
    Picture("demo-dark.png", "opening", "demo", "dark"),
    Picture("demo-german.png", "opening", "demo", language="de"),
    Picture("tour-light.png", "opening", "tour"),
    Picture("map-export-light.png", "map export", "map-export-dialog", exported=True),
    Picture("imagery-light.png", "imagery", "imagery"),
    Picture("help-light.png", "help", "help", whole=False),
    Picture("live-light.png", "live", "live"),
    Picture("hours-dark.png", "rules", "hours", "dark"),
    Picture("why-light.png", "rules", "why-withheld"),
    Picture("checks-light.png", "review", "checks"),
    Picture("promotion-light.png", "review", "promotion"),
    Picture("history-light.png", "review", "history"),
    Picture("shape-vertices-light.png", "shapes", "shape-vertices"),
    Picture("shape-union-light.png", "shapes", "shape-union"),
    Picture("shape-rings-light.png", "shapes", "shape-rings"),
    Picture("confidence-light.png", "shapes", "confidence"),
    Picture("areas-dark.png", "areas", "areas", "dark", whole=False),
    Picture("isochrone-bands-light.png", "areas", "isochrone-bands"),
    Picture("search-dark.png", "search", "search", "dark"),
    Picture("search-found-light.png", "search", "search-found"),
    Picture("route-light.png", "simulation", "route"),
    Picture("noise-light.png", "simulation", "noise"),
    Picture("requests-light.png", "requests", "requests"),
    Picture("inspector-events-dark.png", "inspector", "inspector-events", "dark"),
    Picture("inspector-users-light.png", "inspector", "inspector-users"),
    Picture("geofence-table-light.png", "many", "geofence-table"),
    Picture("bulk-edit-light.png", "many", "bulk-edit"),
    Picture("timeline-device-dark.png", "timeline", "timeline-device", "dark"),
    Picture("whatif-light.png", "what if", "whatif"),
    Picture("sweep-dark.png", "what if", "sweep", "dark"),
    Picture("backtest-columns-light.png", "back-tests", "backtest-columns"),
    Picture("backtest-dark.png", "back-tests", "backtest", "dark"),
    Picture("backtest-results-light.png", "back-tests", "backtest-results"),
    Picture("backtest-map-dark.png", "back-tests", "backtest-map", "dark"),
)
FILES: Final = tuple(picture.file for picture in PICTURES) + DESIGNED


def recorded() -> dict[str, Taken]:
    """Return the record of the pictures."""
    return msgspec.json.decode(RECORD.read_bytes(), type=dict[str, Taken])


def hash_of(file: Path) -> str:
    """Return the hash of a file."""
    return sha256(file.read_bytes()).hexdigest()


def difference(before: Iterable[str], now: Iterable[str]) -> list[str]:
    """Return the texts that are missing now (-), and the new ones (+).

    A text that is cut with "…" in one of the two, as another font may do, is neither.
    """
    then, today = (
        Counter(_CHANCE.sub("", text) for text in texts if not _AT_FIX.search(text)) for texts in (before, now)
    )
    new = list((today - then).elements())
    missing = []
    for text in (then - today).elements():
        same = next((other for other in new if _is_cut(text, other) or _is_cut(other, text)), None)
        new.remove(same) if same is not None else missing.append(text)
    return [f"- {text}" for text in missing] + [f"+ {text}" for text in new]


def stale(files: Sequence[str], now: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the pictures whose texts differ from the recorded ones, with the differences."""
    before = recorded()
    found = {file: difference(before[file].texts if file in before else (), now.get(file, ())) for file in files}
    return {file: texts for file, texts in found.items() if texts}


def report(found: Mapping[str, Sequence[str]]) -> str:
    """Return a description of the pictures that are stale."""
    lines = []
    for file, texts in found.items():
        more = f"\n  and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
        lines.append(f"{file} is stale:\n  " + "\n  ".join(texts[:_SHOWN]) + more)
    return "\n".join([*lines, "Take them again: python -m tests.desktop.pictures --docs"]) if lines else ""


def retake(*, check: bool) -> int:
    """Take all pictures again or, to `check`, only compare their texts. Returns the exit code."""
    with TemporaryDirectory(prefix="fencewright-pictures-") as folder:
        texts = _take_windows(Path(folder))
        if check:
            found = report(stale([picture.file for picture in PICTURES], texts))
            sys.stdout.write(found and f"{found}\n")
            return 1 if found else 0
        texts |= _take_design(Path(folder) / DESIGN)
        _replace(Path(folder), texts)
    return 0


def _take_windows(folder: Path) -> dict[str, tuple[str, ...]]:
    """Take the pictures of each language in its own process, since modules get their texts when they are imported."""
    texts: dict[str, tuple[str, ...]] = {}
    for language in dict.fromkeys(picture.language for picture in PICTURES):
        _run(["tests.desktop.docs_album", str(folder), language], {LANGUAGE: language})
        texts |= texts_in(folder)
    return texts


def _take_design(folder: Path) -> dict[str, tuple[str, ...]]:
    folder.mkdir()
    _run(["pytest", ANALYST, "-q", "-n", "0", "-p", "no:randomly"], {KEEP: str(folder)})
    return {f"{DESIGN}/{name}.png": texts for name, texts in texts_in(folder).items()}


def texts_in(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the texts that were written beside the pictures in a folder."""
    return msgspec.json.decode((folder / TEXTS).read_bytes(), type=dict[str, tuple[str, ...]])


def add_texts(folder: Path, name: str, texts: Sequence[str]) -> None:
    """Write the texts of a picture beside the pictures in a folder."""
    before: Mapping[str, Sequence[str]] = texts_in(folder) if (folder / TEXTS).exists() else {}
    (folder / TEXTS).write_bytes(msgspec.json.encode({**before, name: texts}))


def _run(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Run a module in an environment that does not depend on the user's."""
    with TemporaryDirectory(prefix="fencewright-home-") as home:
        plain = {"TZ": "UTC", "LC_ALL": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": home}
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("QT_", "PYTEST_"))}
        whole = {**inherited, **plain, "PYTHONPATH": str(ROOT), **environment}
        done = subprocess.run(
            [sys.executable, "-m", *arguments], cwd=ROOT, env=whole, capture_output=True, text=True, check=False
        )
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(arguments)} failed:\n{done.stdout[-4_000:]}{done.stderr[-4_000:]}")


def _replace(taken: Path, texts: Mapping[str, tuple[str, ...]]) -> None:
    """Replace the pictures of the documentation and their record."""
    record = {}
    shutil.rmtree(FOLDER, ignore_errors=True)
    for file in sorted(FILES):
        (FOLDER / file).parent.mkdir(parents=True, exist_ok=True)
        save_small(QImage(str(taken / file)), FOLDER / file)
        record[file] = Taken(size_of(FOLDER / file), hash_of(FOLDER / file), texts[file])
        sys.stdout.write(f"{(FOLDER / file).relative_to(ROOT)}\n")
    RECORD.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n")


def size_of(file: Path) -> tuple[int, int]:
    """Return the size of a PNG file in pixels, from its header."""
    head = file.read_bytes()[16:24]
    return int.from_bytes(head[:4]), int.from_bytes(head[4:])


def _is_cut(text: str, of: str) -> bool:
    return text.endswith("…") and of.startswith(text.removesuffix("…"))
