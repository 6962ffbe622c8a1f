"""The advice to users who lack an extra of the wheel."""

import sys

import pytest

from engine.extras import how_to_install


def test_a_wheel_is_extended_by_pip() -> None:
    assert how_to_install("gis") == "Install it with: pip install 'fencewright[gis]'."


def test_the_installed_program_is_installed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert "pip" not in how_to_install("gis")
    assert "install the program again" in how_to_install("gis")
