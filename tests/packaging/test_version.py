"""The version of a release: written in one place, and the same everywhere."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app import __version__
from app.api.server.docs import document
from app.cli.options.parsing import parse_arguments
from app.desktop.dialogs.about import AboutDialog
from app.diagnostics.collecting import Subject, collect
from tests.packaging.checkout import PACKAGING, ROOT


def test_the_program_has_one_version(capsys: pytest.CaptureFixture[str], qtbot: QtBot) -> None:
    with pytest.raises(SystemExit, match="0"):
        parse_arguments(["--version"])
    assert capsys.readouterr().out == f"fencewright {__version__}\n"
    assert document()["info"]["version"] == __version__
    (system,) = (part for part in collect(Subject(None)) if part.name == "system.json")
    assert json.loads(system.content)["fencewright"] == __version__
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = AboutDialog(parent)
    assert f"Fencewright {__version__}" in {label.text() for label in dialog.findChildren(QLabel)}


def test_the_build_reads_it() -> None:
    command = [sys.executable, "-m", "hatchling", "version"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == __version__


def test_the_packages_for_tests_and_the_pages_have_it() -> None:
    plugin = tomllib.loads((PACKAGING / "pytest-fencewright/pyproject.toml").read_text(encoding="utf-8"))
    assert plugin["project"]["version"] == __version__
    npm = json.loads((PACKAGING / "npm-fencewright/package.json").read_text(encoding="utf-8"))
    assert npm["version"] == __version__
    assert f"| version | {__version__}" in (ROOT / "README.md").read_text(encoding="utf-8")
    changes = re.findall(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert changes[0] == __version__


def test_no_module_asks_the_installation_for_it() -> None:
    files = [file for folder in ("app", "engine") for file in (ROOT / folder).rglob("*.py")]
    asking = re.compile(r"version\(\s*\"fencewright\"")
    assert [str(file.relative_to(ROOT)) for file in files if asking.search(read(file))] == []


def read(file: Path) -> str:
    return file.read_text(encoding="utf-8")
