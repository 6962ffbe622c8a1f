"""Runners that carry out workflows of GitHub Actions and GitLab CI in a Debian root, as the services do."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.packaging.checkout import ROOT
from tests.packaging.debian_root import DebianRoot

HIT = "steps.cache.outputs.cache-hit != 'true'"
_STEP_S = 1800.0
_EXPRESSION = re.compile(r"\$\{\{ *(.+?) *\}\}")


def clone_of_the_project(folder: Path) -> Path:
    """Return a repository with the files of this checkout, committed or not, in one commit on the branch main."""
    folder.mkdir(parents=True)
    listed: list[str | Path] = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    identity = ["-c", "user.name=Tests", "-c", "user.email=tests@localhost"]
    for words in (["init", "-q", "-b", "main"], ["add", "-f", "."], [*identity, "commit", "-qm", "All files"]):
        subprocess.run(["git", "-C", folder, *words], check=True)
    return folder


class GitHub:
    """Runs the steps of a job. The cache is a folder that outlives the root."""

    def __init__(self, root: DebianRoot, project: Path, own: Mapping[Path, str], cache: Path) -> None:
        """Prepare a runner for a repository with the files and folders in `own`, at these paths."""
        self._root, self._project, self._own, self._cache = root, project, own, cache
        self.shown: dict[str, str] = {}
        """The output of each shell step."""
        self.hit = False
        """True if the cache had an entry."""
        self._outputs: dict[str, str] = {"runner.temp": "/home/runner/temp", "runner.os": "Linux"}
        self._to_keep: tuple[str, Path] | None = None

    @property
    def checkout(self) -> Path:
        """The folder of the repository."""
        return self._root.path / "home/runner/work"

    def run(self, workflow: Path) -> None:
        """Run the only job of a workflow; also its last steps if an earlier one fails."""
        self._root.sh("mkdir -p /home/runner/temp /home/runner/work; touch /home/runner/exported")
        (job,) = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"].values()
        failed: AssertionError | None = None
        for step in job["steps"]:
            if failed is not None and step.get("if") != "always()":
                continue
            if step.get("if") == HIT and self.hit:
                continue
            try:
                self._take(step)
            except AssertionError as error:
                failed = failed or error
        if failed is not None:
            raise failed
        if self._to_keep is not None and not self.hit:
            path, kept = self._to_keep
            subprocess.run(["cp", "-a", self._root.path / path.lstrip("/"), kept], check=True)

    def _take(self, step: Mapping[str, Any]) -> None:
        given = {name: self._filled(str(value)) for name, value in step.get("with", {}).items()}
        action = step.get("uses", "").partition("@")[0]
        if action == "actions/checkout":
            self._check_out(given, step.get("id", ""))
        elif action == "actions/setup-python":
            # The version of Debian stands for that of the workflow.
            self._root.run(["python3", "-m", "venv", "/opt/python"])
            self._outputs[f"steps.{step['id']}.outputs.python-version"] = given["python-version"]
        elif action == "actions/cache":
            self._restore(given["key"], given["path"])
        elif action == "actions/upload-artifact":
            assert all((self.checkout / name).is_file() for name in given["path"].split())
        else:
            assert not action, f"{action} is not emulated"
            self.shown[step["name"]] = self._shell(self._filled(step["run"]))

    def _filled(self, text: str) -> str:
        return _EXPRESSION.sub(lambda found: self._outputs.get(found[1], found[0]), text)

    def _check_out(self, given: Mapping[str, str], name: str) -> None:
        if "repository" not in given:
            for source, target in self._own.items():
                self._root.copy_in(source, f"/home/runner/work/{target}")
            return
        self._root.copy_in(self._project, f"/home/runner/work/{given['path']}")
        head: list[str | Path] = ["git", "-C", self._project, "rev-parse", "HEAD"]
        commit = subprocess.run(head, capture_output=True, text=True, check=True).stdout.strip()
        self._outputs[f"steps.{name}.outputs.commit"] = commit

    def _restore(self, key: str, path: str) -> None:
        assert "${{" not in key, f"the key of the cache has an unknown part: {key}"
        kept = self._cache / hashlib.sha256(key.encode()).hexdigest()
        self.hit = kept.exists()
        self._to_keep = (path, kept)
        if self.hit:
            subprocess.run(["cp", "-aT", kept, self._root.path / path.lstrip("/")], check=True)

    def _shell(self, script: str) -> str:
        exported = (self._root.path / "home/runner/exported").read_text().splitlines()
        environment = {
            "CI": "true",
            "PATH": "/opt/python/bin:/usr/local/bin:/usr/bin:/bin",
            "GITHUB_ENV": "/home/runner/exported",
            "RUNNER_TEMP": "/home/runner/temp",
            **dict(line.split("=", 1) for line in exported),
        }
        command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]
        return self._root.run(command, env=environment, cwd="/home/runner/work", timeout_s=_STEP_S).stdout


def run_gitlab(root: DebianRoot, file: Path, variables: Mapping[str, str], cache: Path) -> str:
    """Run the only job of a GitLab file in a root that has the repository in ``/builds``, and return its output.

    Its folders to cache are taken from `cache` if it has them, and stored there at the end.
    """
    (job,) = yaml.safe_load(file.read_text(encoding="utf-8")).values()
    project = "/builds"
    given = {"CI": "true", "CI_PROJECT_DIR": project}
    for name, value in {**job["variables"], **variables}.items():
        given[name] = re.sub(r"\$(\w+)", lambda found: given.get(found[1], ""), value)
    for path in job["cache"]["paths"]:
        if (cache / path).exists():
            subprocess.run(["cp", "-a", cache / path, root.path / "builds"], check=True)
    # GitLab joins the commands to one script.
    script = "\n".join([*job["before_script"], *job["script"]])
    command = ["sh", "-ec", script]
    output = root.run(command, env=given, cwd=project, timeout_s=2 * _STEP_S).stdout
    for path in job["cache"]["paths"]:
        cache.mkdir(exist_ok=True)
        subprocess.run(["cp", "-aT", root.path / f"builds/{path}", cache / path], check=True)
    for path in job["artifacts"]["reports"]["junit"]:
        assert "<testsuites" in (root.path / "builds" / path).read_text()
    return output
