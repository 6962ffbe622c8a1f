"""Packages around a one-folder program, for which there is a stand-in: their files, their control data, the script."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

import pytest

from app.cli.run import COMMANDS
from tests.packaging.checkout import PACKAGING, ROOT

PACK = PACKAGING / "application" / "pack.py"
LINUX = PACKAGING / "application" / "linux"
MOMENT = "1700000000"

needs_packers = pytest.mark.skipif(
    any(shutil.which(name) is None for name in ("dpkg-deb", "dpkg", "tar", "zstd")),
    reason="dpkg, tar and zstd are not installed",
)


def pack(*arguments: str | Path, code: int = 0) -> str:
    """Run the packer and return what it says about its work or its failure."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": MOMENT, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(PACK), *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == code, done.stderr
    return done.stderr


def stand_in(folder: Path, version: str = "0.1.0") -> Path:
    """Create a program that only knows its version, with the odd modes that a umask may leave."""
    (folder / "_internal").mkdir(parents=True)
    executable = folder / "fencewright"
    executable.write_text(f"#!/bin/sh\necho fencewright {version}\n")
    executable.chmod(0o700)
    data = folder / "_internal" / "data"
    data.write_text("data")
    data.chmod(0o600)
    (folder / "_internal" / "link").symlink_to("data")
    shutil.copy(sys.executable, folder / "_internal" / "libx.so.1")
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both packages."""
    folder = tmp_path_factory.mktemp("packages")
    stand_in(folder / "fencewright")
    message = pack("all", "--program", folder / "fencewright", "--output", folder)
    assert "no AppImage is built" in message
    return folder


def test_a_missing_or_broken_program_is_named(tmp_path: Path) -> None:
    program = tmp_path / "fencewright"
    assert "build the program first" in pack("deb", "--program", program, "--output", tmp_path / "out", code=1)
    stand_in(program).joinpath("fencewright").write_text("#!/bin/sh\necho no library >&2; exit 127\n")
    message = pack("deb", "--program", program, "--output", tmp_path / "out", code=1)
    assert message.endswith("--version failed: no library\n")
    assert list((tmp_path / "out").iterdir()) == []


def test_an_appimage_is_refused_with_the_reason(tmp_path: Path) -> None:
    assert "begins with a runtime" in pack("appimage", "--output", tmp_path, code=1)


@needs_packers
def test_the_same_program_gives_the_same_packages(built: Path, tmp_path: Path) -> None:
    stand_in(tmp_path / "fencewright")
    pack("all", "--program", tmp_path / "fencewright", "--output", tmp_path)
    made = sorted(file.name for file in tmp_path.iterdir() if file.is_file())
    assert len(made) == 2
    assert [_hash(tmp_path / name) for name in made] == [_hash(built / name) for name in made]


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def unpacked(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the Debian package."""
    folder = tmp_path_factory.mktemp("unpacked")
    (package,) = built.glob("*.deb")
    subprocess.run(["dpkg-deb", "-R", package, folder], check=True, timeout=60)
    return folder


@needs_packers
def test_files_are_for_all_users_and_of_one_time(unpacked: Path) -> None:
    program = unpacked / "usr/lib/fencewright"
    modes = {name: (program / name).stat().st_mode & 0o777 for name in ("fencewright", "_internal", "_internal/data")}
    assert modes == {"fencewright": 0o755, "_internal": 0o755, "_internal/data": 0o644}
    assert (program / "_internal/libx.so.1").stat().st_mode & 0o777 == 0o644
    assert (program / "_internal/link").readlink() == Path("data")
    assert (unpacked / "usr/bin/fencewright").resolve() == (program / "fencewright").resolve()
    files = [path for path in (unpacked / "usr").rglob("*") if path.is_file() and not path.is_symlink()]
    assert {int(path.stat().st_mtime) for path in files} == {int(MOMENT)}
    subprocess.run(["md5sum", "-c", "--quiet", "DEBIAN/md5sums"], cwd=unpacked, check=True, timeout=60)


@needs_packers
def test_the_package_needs_every_library_of_the_list(unpacked: Path) -> None:
    fields = control(unpacked)
    listed = (ROOT / "resources/system/libraries.txt").read_text().splitlines()
    packages = {line.split()[2] for line in listed if not line.startswith("#")}
    needed = fields["Depends"].split(", ")
    assert packages - {name for each in needed for name in each.split(" | ")} == set()
    assert "libasound2t64 | libasound2" in needed
    assert needed[0].startswith("libc6 (>= 2.")
    assert int(needed[0].split("2.")[1].rstrip(")")) >= 17
    assert (fields["Version"], fields["Package"]) == ("0.1.0", "fencewright")
    paths = list((unpacked / "usr").rglob("*"))
    size = sum(path.stat().st_size for path in paths if path.is_file() and not path.is_symlink()) / 1024
    assert size < int(fields["Installed-Size"]) < size + len(paths)


def control(unpacked: Path) -> Mapping[str, str]:
    """Return the fields of the control file, without continuations."""
    lines = (unpacked / "DEBIAN/control").read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines if not line.startswith(" "))


def test_candidates_come_before_their_release() -> None:
    code = "import pack; print(*map(pack.debian_version, ('0.2.0rc1', '0.2.0.dev3', '1.10.2')))"
    folders = os.pathsep.join([str(PACK.parent), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": folders}
    shown = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True, timeout=120)
    assert shown.stdout.split() == [b"0.2.0~rc1", b"0.2.0~dev3", b"1.10.2"]


@needs_packers
def test_the_man_page_has_every_command(unpacked: Path) -> None:
    page = gzip.decompress((unpacked / "usr/share/man/man1/fencewright.1.gz").read_bytes()).decode()
    sections = {line.removeprefix(".SS ").split()[0] for line in page.splitlines() if line.startswith(".SS ")}
    assert sections == {*COMMANDS, "serve", "demo", "desktop"}
    assert r"\-\-screenshot" in page
    assert "fencewright 0.1.0" in page
    if shutil.which("man") is None:
        pytest.skip("man is not installed")
    file = unpacked / "usr/share/man/man1/fencewright.1.gz"
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"}
    command = ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(file)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    subprocess.run(["lexgrog", str(file)], check=True, capture_output=True, timeout=60)


@needs_packers
def test_the_entry_of_the_menu_opens_the_files_that_it_names(unpacked: Path) -> None:
    share = unpacked / "usr/share"
    entry = (share / "applications/fencewright.desktop").read_text()
    assert "\nExec=fencewright desktop %F\n" in entry
    types = next(line for line in entry.splitlines() if line.startswith("MimeType="))
    metainfo = ElementTree.parse(share / "metainfo/fencewright.metainfo.xml")
    provided = [each.text for each in metainfo.iter("mediatype")]
    assert types.removeprefix("MimeType=").rstrip(";").split(";") == provided
    assert metainfo.findtext("launchable") == "fencewright.desktop"
    assert [each.attrib for each in metainfo.iter("release")] == [{"version": "0.1.0", "date": "2023-11-14"}]
    patterns = [each.get("pattern") for each in ElementTree.parse(share / "mime/packages/fencewright.xml").iter()]
    assert "*.fence.yaml" in patterns
    for tool, file in (("desktop-file-validate", "applications/fencewright.desktop"), ("appstreamcli", "metainfo")):
        if shutil.which(tool) is not None:
            words = ["validate", "--no-net", str(share / "metainfo/fencewright.metainfo.xml")]
            command = [tool, *(words if file == "metainfo" else [str(share / file)])]
            subprocess.run(command, check=True, capture_output=True, timeout=60)


@needs_packers
def test_icons_are_pictures_of_their_sizes(unpacked: Path, tmp_path: Path) -> None:
    icons = unpacked / "usr/share/icons/hicolor"
    sizes = {int(file.parts[-3].split("x")[0]): file.read_bytes() for file in icons.rglob("*.png")}
    assert {16, 48, 128, 256, 512} <= set(sizes)
    assert all(struct.unpack(">II", data[16:24]) == (size, size) for size, data in sizes.items())
    pack("windows", "--output", tmp_path)
    ico = (tmp_path / "fencewright.ico").read_bytes()
    *_, length, at = struct.unpack("<BBBBHHII", ico[6 + 16 * 6 : 6 + 16 * 7])
    assert ico[at : at + length] == sizes[256]
    assert at + length == len(ico)
    assert "0.1.0" in (tmp_path / "version.txt").read_text()
    pack("macos", "--output", tmp_path)
    icns = (tmp_path / "fencewright.icns").read_bytes()
    assert struct.unpack(">4sI", icns[:8]) == (b"icns", len(icns))
    assert sizes[512] in icns


# The script that installs the archive


def script(file: Path, home: Path, *arguments: str, code: int = 0) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
    command = ["sh", str(file), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, done.stderr
    return done.stderr


@pytest.fixture
def archive(built: Path, tmp_path: Path) -> Path:
    """The unpacked archive, in a folder with a space."""
    folder = tmp_path / "un packed"
    folder.mkdir()
    (file,) = built.glob("*.tar.zst")
    subprocess.run(["tar", "--zstd", "-xf", file, "-C", folder], check=True, timeout=60)
    (found,) = folder.iterdir()
    return found


@needs_packers
def test_the_script_installs_replaces_and_removes(archive: Path, tmp_path: Path) -> None:
    prefix = tmp_path / "a prefix"
    message = script(archive / "install.sh", tmp_path, "--prefix", str(prefix))
    assert "installed fencewright 0.1.0" in message
    assert "is not in PATH" in message
    (prefix / "lib/fencewright/_internal/of_an_older_version").touch()
    own = prefix / "share/doc/own"
    own.touch()
    script(archive / "install.sh", tmp_path, f"--prefix={prefix}")
    assert not (prefix / "lib/fencewright/_internal/of_an_older_version").exists()
    entry = (prefix / "share/applications/fencewright.desktop").read_text().splitlines()
    assert f'Exec="{prefix}/bin/fencewright" desktop %F' in entry
    assert f"TryExec={prefix}/bin/fencewright" in entry
    subprocess.run([prefix / "bin/fencewright", "--version"], check=True, timeout=60)
    script(prefix / "lib/fencewright/install.sh", tmp_path, "--uninstall")
    left = [path for path in prefix.rglob("*fencewright*") if "mime" not in path.parts]
    assert left == []
    assert own.exists()


@needs_packers
def test_the_script_keeps_other_installations(archive: Path, tmp_path: Path) -> None:
    prefix = tmp_path / "prefix"
    other = prefix / "bin/fencewright"
    other.parent.mkdir(parents=True)
    other.write_text("installed by uv")
    message = script(archive / "install.sh", tmp_path, "--prefix", str(prefix), code=1)
    assert "is another installation" in message
    assert other.read_text() == "installed by uv"
    assert not (prefix / "lib/fencewright").exists()
    message = script(archive / "install.sh", tmp_path, "--prefix", str(prefix), "--uninstall", code=1)
    assert "has installed nothing" in message


@needs_packers
@pytest.mark.parametrize("arguments", [["--prefix"], ["--prefix", ""], ["install"], ["--prefix="]])
def test_wrong_usage_of_the_script(archive: Path, tmp_path: Path, arguments: list[str]) -> None:
    script(archive / "install.sh", tmp_path, *arguments, code=2)
    assert list(tmp_path.iterdir()) == [archive.parent]
