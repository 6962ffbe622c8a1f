"""The benchmark against PostgreSQL with PostGIS: its messages about missing programs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.benchmarks import peers
from tests.benchmarks.postgis import cluster


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without PostgreSQL, except for programs put into this folder."""
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    monkeypatch.setattr(cluster, "_PLACES", (f"{tmp_path}/*/bin",))
    monkeypatch.setattr(sys, "argv", ["peers"])
    return tmp_path


def install(folder: Path) -> Path:
    """Put programs without any effect into a folder."""
    folder.mkdir(parents=True)
    for name in ("initdb", "postgres"):
        (folder / name).write_text("#!/bin/sh\n", encoding="ascii")
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.usefixtures("machine")
def test_without_postgresql_one_sentence_names_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    assert peers.main() == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "PostgreSQL is not installed" in error
    assert "postgresql-15-postgis-3" in error


def test_the_newest_version_is_found(machine: Path) -> None:
    install(machine / "9" / "bin")
    newest = install(machine / "15" / "bin")
    assert cluster.find_programs() == newest


def test_a_version_without_a_server_is_passed_over(machine: Path) -> None:
    older = install(machine / "14" / "bin")
    (install(machine / "15" / "bin") / "postgres").unlink()
    assert cluster.find_programs() == older
