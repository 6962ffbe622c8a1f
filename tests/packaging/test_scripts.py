"""The shell scripts: the commands that they start, their output, and their requirements."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.checkout import PACKAGING, ROOT, SHELL, pretend_checkout, run, shell, stand_in

SCRIPTS = [*sorted(PACKAGING.glob("*.sh")), ROOT / ".ci/run"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout that is set up, in a folder with a space in its name."""
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
def test_without_a_display_it_serves_and_reports_that(checkout: Path, display: dict[str, str]) -> None:
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
        lambda root: (root / "resources/areas").rmdir(),
        lambda root: (root / "resources/world").rmdir(),
        lambda root: (root / "resources/setup/world/package-lock.json").write_text("{}", encoding="ascii"),
        lambda root: (root / "resources/setup/area.json").write_text("{}", encoding="ascii"),
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
        "extract",
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


def test_an_edit_of_a_builder_needs_no_new_set_up(checkout: Path) -> None:
    builder = checkout / "engine/areas"
    builder.mkdir(parents=True)
    (builder / "world.py").write_text("more", encoding="ascii")
    assert shell("is_current", root=checkout).returncode == 0


UV = """case $* in
    *sync*) printf '%s\n' "${*##*/}" >>"$0.log"; mkdir -p "$VENV/lib/python3/site-packages" ;;
    'uv pip install'*) ;;
esac"""
"""A substitute for uv that records the locks that it receives."""

SET_UP = "install_uv() { uv=$UV_STAND_IN; }; can_adopt() { true; }; install_project() { :; }; set_up"


def synced(checkout: Path, development: str) -> list[str]:
    """Run the set-up with or without development tools, and return the locks that uv has received so far."""
    uv = checkout / "bin/uv"
    environment = {"UV_STAND_IN": str(uv), "VENV": str(checkout / ".venv")}
    done = shell(f"development={development}; {SET_UP}", root=checkout, environment=environment)
    assert done.returncode == 0, done.stderr
    log = Path(f"{uv}.log")
    return log.read_text(encoding="ascii").split() if log.exists() else []


@pytest.mark.slow
def test_users_get_no_tools_and_who_tests_adds_them_once(checkout: Path) -> None:
    stand_in(checkout / "bin", "uv", UV)
    (checkout / ".venv/.fencewright-stamp").unlink()
    assert synced(checkout, "") == ["requirements.lock"]
    assert synced(checkout, "") == ["requirements.lock"]
    assert synced(checkout, "yes") == ["requirements.lock", "requirements-dev.lock"]
    both = synced(checkout, "")
    assert both == ["requirements.lock", "requirements-dev.lock"], "what is there with the tools will do"
    assert synced(checkout, "yes") == both
    (checkout / "packaging/requirements-dev.lock").write_text("other", encoding="ascii")
    assert synced(checkout, "") == [*both, "requirements-dev.lock"], "the tools stay once they are there"


def test_without_the_data_the_set_up_continues_with_a_warning(checkout: Path) -> None:
    stand_in(checkout / "bin", "uv", UV)
    stand_in(checkout / ".venv/bin", "fencewright", 'echo "asked to $*" >&2; exit 1')
    (checkout / "resources/world").rmdir()
    assert synced(checkout, "")
    assert shell("is_current", root=checkout).returncode == 0
    (checkout / "resources/world").rmdir()
    environment = {"UV_STAND_IN": str(checkout / "bin/uv"), "VENV": str(checkout / ".venv")}
    done = shell(SET_UP, root=checkout, environment=environment)
    assert (done.returncode, done.stdout) == (0, "")
    assert "asked to setup" in done.stderr
    assert "sh packaging/run.sh setup" in done.stderr


def test_a_set_up_that_is_stopped_starts_over_the_next_time(checkout: Path) -> None:
    stand_in(checkout / "bin", "uv", UV)
    stand_in(checkout / ".venv/bin", "fencewright", "exit 143")
    (checkout / ".venv/.fencewright-stamp").unlink()
    environment = {"UV_STAND_IN": str(checkout / "bin/uv"), "VENV": str(checkout / ".venv")}
    assert shell(SET_UP, root=checkout, environment=environment).returncode == 1
    assert shell("is_current", root=checkout).returncode != 0
    stand_in(checkout / ".venv/bin", "fencewright", "exit 0")
    assert shell(SET_UP, root=checkout, environment=environment).returncode == 0
    assert shell("is_current", root=checkout).returncode == 0


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
    # These files block the folders, so that no user can write to them, not even root.
    (home / ".cache/uv").write_text("", encoding="ascii")
    (home / ".npm/_cacache").write_text("", encoding="ascii")
    done = shell(CACHES, root=checkout, environment={"HOME": str(home)})
    assert done.stdout == f"{checkout}/.cache/uv,{checkout}/.cache/npm"


def test_a_killed_set_up_is_not_built_upon(checkout: Path) -> None:
    (checkout / ".venv/bin/activate").write_text(f"VIRTUAL_ENV='{checkout}/.venv'", encoding="utf-8")
    assert shell("can_adopt", root=checkout).returncode == 0
    (checkout / ".tools").mkdir()
    (checkout / ".tools/unfinished").touch()
    assert shell("can_adopt", root=checkout).returncode != 0


def test_a_checkout_of_someone_else_is_refused_in_words(checkout: Path) -> None:
    (checkout / ".venv/.fencewright-stamp").unlink()
    checkout.chmod(0o555)
    # Root can write everywhere unless started without this capability.
    humbly = ["setpriv", "--bounding-set", "-dac_override"] if os.geteuid() == 0 else []
    done = run([*humbly, SHELL, str(checkout / "packaging/run.sh"), "keys"])
    checkout.chmod(0o755)
    assert (done.returncode, done.stdout) == (1, "")
    assert "may not write to" in done.stderr


@pytest.mark.parametrize("with_flock", [True, False])
def test_one_set_up_at_a_time_also_behind_one_that_was_killed(tmp_path: Path, with_flock: bool) -> None:
    (tmp_path / "packaging").symlink_to(PACKAGING)
    tools = tmp_path / "bin"
    for name in ("mkdir", "sleep", "cat", "awk", *(["flock"] if with_flock else [])):
        path = shutil.which(name)
        if path is None:
            pytest.skip(f"there is no {name} here")
        stand_in(tools, name, f'exec {path} "$@"')
    stand_in(tools, "python3", f'exec {sys.executable} "$@"')
    code = 'set -eu; root=$1; . "$root/packaging/setup.sh"; take_lock; echo mine; '

    def start(rest: str) -> subprocess.Popen[str]:
        command = [SHELL, "-c", code + rest, "sh", str(tmp_path)]
        return subprocess.Popen(command, env={"PATH": str(tools)}, stdout=subprocess.PIPE, text=True)

    with start("exec sleep 100") as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "mine\n"
        with start(":") as second:
            with pytest.raises(subprocess.TimeoutExpired):
                second.wait(1)
            first.kill()
            assert second.communicate(timeout=60)[0] == "mine\n"
            assert second.returncode == 0


INSTALL = """import os, sys
os.geteuid = lambda: 1000
from app.desktop import libraries
sys.exit(0 if libraries.install(sys.argv[1].split(), sys.argv[2].split()) else 1)"""


class TestSystemPackages:
    """apt installs missing packages only, and only for an authorized user."""

    @pytest.fixture
    def someone(self, tmp_path: Path) -> Path:
        """The PATH of an account without root or sudo rights, on a Debian with a renamed library."""
        path = tmp_path / "bin"
        stand_in(path, "sudo", "exit 1")
        stand_in(path, "apt-get", f"echo called >>'{tmp_path}/called'")
        stand_in(path, "apt-cache", '[ "$2" = libasound2t64 ]')
        return path

    def install(self, someone: Path, required: str, wanted: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", INSTALL, required, wanted]
        return run(command, path=someone, cwd=ROOT, environment={"PYTHONPATH": str(ROOT)})

    def test_nothing_is_requested_on_a_complete_machine(self, someone: Path) -> None:
        done = self.install(someone, "")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    def test_who_may_not_install_gets_one_line_to_run(self, someone: Path) -> None:
        done = self.install(someone, "libnss3 libasound2", "xvfb")
        line = "sudo apt-get update && sudo apt-get install -y --no-install-recommends libnss3 libasound2t64 xvfb"
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.strip().endswith(line)
        assert not (someone.parent / "called").exists()

    def test_a_missing_optional_package_does_not_stop_it(self, someone: Path) -> None:
        done = self.install(someone, "", "xvfb")
        assert done.returncode == 0
        assert "install -y --no-install-recommends xvfb" in done.stderr

    def test_a_user_with_sudo_is_not_prompted(self, someone: Path) -> None:
        stand_in(someone, "sudo", 'shift; [ "$1" = true ] || exec "$@"')
        stand_in(someone, "apt-get", f"echo \"$DEBIAN_FRONTEND $*\" >>'{someone.parent}/called'; echo noise")
        done = self.install(someone, "libnss3")
        assert (done.returncode, done.stdout) == (0, "")
        last = (someone.parent / "called").read_text(encoding="utf-8").splitlines()[-1]
        assert re.fullmatch(r"noninteractive .*install -y --no-install-recommends libnss3", last)

    def test_a_failing_apt_is_reported_once_and_stops_dependent_steps(self, someone: Path) -> None:
        stand_in(someone, "sudo", 'shift; [ "$1" = true ] || exec "$@"')
        stand_in(someone, "apt-get", "exit 100")
        done = self.install(someone, "libnss3")
        assert done.returncode == 1
        assert "apt could not install the system packages; run: sudo apt-get update" in done.stderr

    def test_the_script_runs_without_the_project_on_its_path(self, tmp_path: Path) -> None:
        done = run([sys.executable, "-I", str(ROOT / "app/desktop/libraries.py")], cwd=tmp_path)
        assert (done.stdout, "Traceback" in done.stderr) == ("", False)


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


FETCHED = """case "$2" in
    install) mkdir -p "$UV_PYTHON_INSTALL_DIR" && cp "${0%/*}/python3.12" "$UV_PYTHON_INSTALL_DIR/python3.12" ;;
    find) [ -x "$UV_PYTHON_INSTALL_DIR/python3.12" ] && echo "$UV_PYTHON_INSTALL_DIR/python3.12" ;;
esac"""
"""A substitute for a uv that can fetch an interpreter."""


class TestFastInterpreter:
    """The interpreter that uv fetches is built for speed; without it, one of the machine is used."""

    @pytest.fixture
    def machine(self, tmp_path: Path) -> Path:
        """The PATH of a machine that has an interpreter."""
        stand_in(tmp_path / "bin", "python3.12", "echo /usr/bin/python3.12")
        return tmp_path / "bin"

    def installed(self, machine: Path, uv: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Choose an interpreter with this uv, and record uv's arguments."""
        stand_in(machine, "uv", f'echo "$2" >>"$0.log"\n{uv}')
        script = f"tools='{machine.parent}/tools'; uv=uv; patience_s=0.3; install_python; echo \"$python\""
        return shell(script, path=machine, environment=environment)

    def test_the_one_that_uv_fetches_is_preferred_and_fetched_once(self, machine: Path) -> None:
        fetched = f"{machine.parent}/tools/python/python3.12\n"
        assert [self.installed(machine, FETCHED).stdout for _ in range(2)] == [fetched, fetched]
        assert (machine / "uv.log").read_text(encoding="ascii").split().count("install") == 1

    def test_if_it_cannot_be_fetched_the_interpreter_of_the_machine_is_used_quietly(self, machine: Path) -> None:
        done = self.installed(machine, "echo 'error: dns' >&2; exit 2")
        assert (done.returncode, done.stdout) == (0, "/usr/bin/python3.12\n")
        assert done.stderr == "fencewright: fetching a Python 3.12 that is built for speed\n"

    def test_a_network_that_never_answers_is_not_waited_for(self, machine: Path) -> None:
        done = self.installed(machine, 'case "$2" in install) echo $$ >"$0.pid"; exec sleep 50 ;; *) exit 2 ;; esac')
        assert (done.returncode, done.stdout) == (0, "/usr/bin/python3.12\n")
        assert not Path("/proc", (machine / "uv.pid").read_text(encoding="ascii").strip()).exists()

    def test_a_slow_network_is_waited_for(self, machine: Path) -> None:
        slow = FETCHED.replace(
            "install)", 'install) mkdir -p "$UV_PYTHON_INSTALL_DIR"; seq 999 >"$UV_PYTHON_INSTALL_DIR/part"; sleep 1;'
        )
        assert self.installed(machine, slow).stdout == f"{machine.parent}/tools/python/python3.12\n"

    def test_one_that_does_not_run_here_is_not_used(self, machine: Path) -> None:
        broken = FETCHED.replace("install)", 'install) echo "exit 127" >"${0%/*}/python3.12";')
        stand_in(machine, "python3.13", "echo /usr/bin/python3.13")
        assert self.installed(machine, broken).stdout == "/usr/bin/python3.13\n"

    def test_nothing_is_fetched_if_packages_come_from_a_folder(self, machine: Path) -> None:
        done = self.installed(machine, FETCHED, UV_NO_INDEX="1")
        assert (done.stdout, done.stderr) == ("/usr/bin/python3.12\n", "")

    def test_a_virtual_environment_that_is_there_stays_as_it_is(self, checkout: Path) -> None:
        stand_in(checkout / "bin", "uv", UV.replace("esac", '    *python*) touch "$0.asked" ;;\nesac'))
        (checkout / ".venv/.fencewright-stamp").unlink()
        assert synced(checkout, "")
        assert not (checkout / "bin/uv.asked").exists()


def test_pips_mirror_and_certificates_count_for_uv_and_npm(tmp_path: Path) -> None:
    certificates = tmp_path / "certificates.pem"
    certificates.write_text("x", encoding="ascii")
    show = 'honour_pip_settings; echo "$UV_DEFAULT_INDEX $SSL_CERT_FILE $NODE_EXTRA_CA_CERTS"'
    machine = {"PIP_INDEX_URL": "file:///mirror/simple", "PIP_CERT": str(certificates)}
    done = shell(show, environment=machine)
    assert done.stdout.split() == ["file:///mirror/simple", str(certificates), str(certificates)]
