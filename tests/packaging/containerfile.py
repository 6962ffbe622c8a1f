"""A Containerfile, whose steps are run in bare Debian systems, as no container engine runs on test machines."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from tests.packaging.debian_root import DebianRoot

SLIM = """
mkdir -p /etc/dpkg/dpkg.cfg.d
for folder in doc groff info lintian linda locale man; do
    echo "path-exclude /usr/share/$folder/*" >>/etc/dpkg/dpkg.cfg.d/slim
    rm -rf /usr/share/$folder/*
done
"""
"""Debian's slim images leave out documentation and translations, also of packages that are added."""


class Step(NamedTuple):
    """One instruction, such as ``RUN``, and the text after it."""

    name: str
    text: str


class Stage(NamedTuple):
    """The part of a Containerfile from one ``FROM`` to the next."""

    base: str
    name: str
    steps: list[Step]


def read_stages(text: str) -> list[Stage]:
    """Return the stages of a Containerfile."""
    joined = re.sub(r"\\\n", "", re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE))
    stages: list[Stage] = []
    for line in filter(None, map(str.strip, joined.splitlines())):
        name, _, rest = line.partition(" ")
        if name == "FROM":
            base, _, alias = rest.partition(" AS ")
            stages.append(Stage(base, alias, []))
        else:
            stages[-1].steps.append(Step(name, rest))
    return stages


class Image:
    """A root in which the steps of a stage are run, and what they say about the container."""

    def __init__(self, root: DebianRoot, context: Path, others: Mapping[str, DebianRoot]) -> None:
        self.root = root
        self.environment: dict[str, str] = {}
        self.user = "root"
        self.folder = "/"
        self.volumes: list[str] = []
        self.ports: list[str] = []
        self.command: list[str] = []
        self.health: list[str] = []
        self._context = context
        self._others = others
        self._ways: dict[str, Callable[[str], None]] = {
            "RUN": self._run,
            "COPY": self._copy,
            "WORKDIR": self._enter,
            "ENV": lambda text: self.environment.update(_pairs(text)),
            "USER": lambda text: setattr(self, "user", text),
            "VOLUME": self.volumes.append,
            "EXPOSE": self.ports.append,
            "CMD": lambda text: setattr(self, "command", json.loads(text)),
            "HEALTHCHECK": lambda text: setattr(self, "health", json.loads(text.partition("CMD ")[2])),
        }

    def build(self, stage: Stage) -> None:
        """Run all steps of a stage."""
        self.root.sh(SLIM)
        for step in stage.steps:
            self._ways[step.name](step.text)

    def _run(self, text: str) -> None:
        self.root.sh(text, user=self.user, env=self.environment, cwd=self.folder, timeout_s=1800)

    def _enter(self, text: str) -> None:
        self.folder = text
        self.root.run(["mkdir", "-p", text])

    def _copy(self, text: str) -> None:
        *sources, target = shlex.split(text)
        start = self._context
        if sources[0].startswith("--from="):
            start = self._others[sources.pop(0).removeprefix("--from=")].path
        for source in sources:
            whole = f"{target}{Path(source).name}" if target.endswith("/") else target
            self.root.copy_in(start / source.lstrip("/"), str(Path(self.folder, whole)))


def _pairs(text: str) -> dict[str, str]:
    return {name: value for name, _, value in (part.partition("=") for part in shlex.split(text))}


def copy_context(checkout: Path, ignore_file: Path, target: Path) -> None:
    """Copy what a build sees of a checkout: all but what the patterns of its ignore file leave out."""
    patterns = [line for line in ignore_file.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]

    def left_out(folder: str, names: Iterable[str]) -> set[str]:
        inside = Path(folder).relative_to(checkout)
        return {name for name in names if is_ignored((inside / name).as_posix(), patterns)}

    shutil.copytree(checkout, target, symlinks=True, ignore=left_out)


def is_ignored(path: str, patterns: Iterable[str]) -> bool:
    """Return whether the last pattern that fits a path, or a folder above it, leaves the path out."""
    ignored = False
    above = [path, *(str(each) for each in Path(path).parents)]
    for pattern in patterns:
        keeps = pattern.startswith("!")
        plain = pattern.removeprefix("!")
        names = [name for each in above for name in (each, Path(each).name)] if plain.startswith("**/") else above
        if any(fnmatch(name, plain.removeprefix("**/")) for name in names if name != "."):
            ignored = not keeps
    return ignored
