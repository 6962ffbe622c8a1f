"""The program, started without a display, reports in one line the missing parts, while Qt alone would abort."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.desktop import display
from app.desktop.libraries import advice, apt_line, missing_packages
from app.desktop.platforms import lacking_libraries, trouble

_ROOT = Path(__file__).parents[2]
_SECONDS = 100
_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_SESSION_TYPE")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there always is a display")


@pytest.fixture
def screen() -> Iterator[str]:
    """The name of a private X display."""
    with served() as name:
        yield name


@contextmanager
def served(*options: str) -> Iterator[str]:
    if shutil.which("Xvfb") is None:
        pytest.skip("there is no Xvfb here")
    reader, writer = os.pipe()
    with subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", "640x480x24", *options],
        pass_fds=[writer],
        stderr=subprocess.DEVNULL,
    ) as server:
        os.close(writer)
        with os.fdopen(reader) as output:
            number = output.readline().strip()
        try:
            yield f":{number}"
        finally:
            server.terminate()


def environment(home: Path, **named: str) -> dict[str, str]:
    """Return an environment that names only these displays."""
    rest = {name: value for name, value in os.environ.items() if name not in _DISPLAYS}
    return rest | {"HOME": str(home), "XDG_RUNTIME_DIR": str(home)} | named


def started(home: Path, *arguments: str, **named: str) -> str:
    """Start the window, which must exit immediately with a single line, and return this line."""
    done = subprocess.run(
        [sys.executable, "-m", "app.main", *arguments],
        cwd=_ROOT,
        env=environment(home, **named),
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("fencewright: ")
    return done.stderr.removeprefix("fencewright: ").rstrip()


def unloadable(folder: Path, *libraries: str) -> str:
    """Return a folder in which the loader finds these libraries first but cannot load them."""
    folder.mkdir()
    for library in libraries:
        (folder / library).write_bytes(b"")
    return str(folder)


@pytest.mark.parametrize("arguments", [("--port", "0"), ("demo",)])
def test_without_a_library_of_the_screen_it_names_the_packages(
    screen: str, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    hidden = unloadable(tmp_path / "lib", "libxcb-cursor.so.0", "libxcb-icccm.so.4")
    line = started(tmp_path, *arguments, DISPLAY=screen, LD_LIBRARY_PATH=hidden)
    assert "qt.qpa" not in line
    assert line.endswith("apt-get install -y --no-install-recommends libxcb-cursor0 libxcb-icccm4")


def test_without_a_library_of_the_map_too(screen: str, tmp_path: Path) -> None:
    hidden = unloadable(tmp_path / "lib", "libnss3.so", "libxcb-cursor.so.0")
    line = started(tmp_path, DISPLAY=screen, LD_LIBRARY_PATH=hidden)
    assert "every command other than desktop and demo works" in line
    assert line.endswith("apt-get install -y --no-install-recommends libnss3 libxcb-cursor0")


@pytest.mark.parametrize(
    ("named", "line"),
    [
        ({}, "There is no display here; `fencewright serve` runs without one."),
        ({"DISPLAY": ""}, "There is no display here; `fencewright serve` runs without one."),
        ({"DISPLAY": ":4711"}, "No display answers here (DISPLAY is :4711); `fencewright serve` runs without one."),
        (
            {"WAYLAND_DISPLAY": "wayland-7", "DISPLAY": ":4711"},
            "No display answers here (WAYLAND_DISPLAY is wayland-7, DISPLAY is :4711); `fencewright serve` runs "
            "without one.",
        ),
        (
            {"QT_QPA_PLATFORM": "xbc", "DISPLAY": ":4711"},
            "QT_QPA_PLATFORM is 'xbc', which Qt does not have; it has eglfs, linuxfb, minimal, minimalegl, offscreen, "
            "vkkhrdisplay, vnc, wayland, xcb.",
        ),
        ({"QT_QPA_PLATFORM": "xcb"}, "QT_QPA_PLATFORM is 'xcb', and DISPLAY names no display."),
        (
            {"QT_QPA_PLATFORM": "wayland-egl", "WAYLAND_DISPLAY": "w"},
            "QT_QPA_PLATFORM is 'wayland-egl', and the display w does not answer.",
        ),
        (
            {"QT_QPA_PLATFORM": "xbc", "QT_QPA_PLATFORM_PLUGIN_PATH": "/nonexistent"},
            'Qt does not start with QT_QPA_PLATFORM=xbc: qt.qpa.plugin: Could not find the Qt platform plugin "xbc" in '
            '"/nonexistent"',
        ),
    ],
)
def test_without_a_responding_display_it_reports_that(tmp_path: Path, named: dict[str, str], line: str) -> None:
    assert started(tmp_path, **named) == line


def test_nothing_is_reported_if_a_window_can_be_opened(screen: str, tmp_path: Path) -> None:
    for named in (
        {"DISPLAY": screen},
        {"DISPLAY": screen, "WAYLAND_DISPLAY": "gone", "XDG_SESSION_TYPE": "wayland"},
        {"DISPLAY": screen, "QT_QPA_PLATFORM": "xcb"},
        {"DISPLAY": screen, "QT_QPA_PLATFORM": "xbc;xcb"},
        {"QT_QPA_PLATFORM": "offscreen"},
        {"QT_QPA_PLATFORM": "minimal:nothing"},
        {"QT_QPA_PLATFORM": "vnc:port=5901"},
    ):
        assert trouble(environment(tmp_path, **named)) is None, named
        assert lacking_libraries(environment(tmp_path, **named)) is None, named


def test_asking_keeps_the_server_from_resetting_before_qt_connects() -> None:
    with served("-terminate") as name:
        assert display.x_answers({"DISPLAY": name})
        assert display.x_answers({"DISPLAY": name}), "without a client it resets, here it ends"


def test_a_server_that_resets_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([False, True])
    monkeypatch.setattr(display, "_connects", lambda name: next(answers))
    assert display.x_answers({"DISPLAY": ":4"})


def test_run_sh_makes_the_same_check(screen: str, tmp_path: Path) -> None:
    def answers(**named: str) -> bool:
        command = [sys.executable, "-I", str(_ROOT / "app/desktop/display.py")]
        done = subprocess.run(command, env=environment(tmp_path, **named), timeout=_SECONDS, check=False)
        return done.returncode == 0

    assert answers(DISPLAY=screen)
    assert not answers(DISPLAY=":4711")
    assert not answers()
    assert "app/desktop/display.py" in (_ROOT / "packaging/run.sh").read_text(encoding="utf-8")


def test_everything_that_is_missing_is_named_once_and_for_its_screen_alone() -> None:
    every = missing_packages(["window", "x", "wayland"], lambda _: False)
    assert len(every) == len(set(every)) > 40
    assert missing_packages(["x"], lambda library: library != "libxcb-cursor.so.0") == ["libxcb-cursor0"]
    assert missing_packages(["wayland"], lambda library: library != "libxcb-cursor.so.0") == []


def test_the_line_names_missing_libraries() -> None:
    """The line also contains a package that Debian has renamed."""
    line = apt_line(["libxcb-cursor0", "libasound2"])
    assert re.search(r"apt-get install -y --no-install-recommends libxcb-cursor0 libasound2(t64)?", line)


def test_without_apt_the_packages_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert advice(["libxcb-cursor0"]) == (
        "these Debian packages, or their equivalents here, seem to be missing: libxcb-cursor0"
    )
