# /// script
# requires-python = ">=3.12"
# dependencies = ["cosmic-ray==8.7.0", "coverage==7.17.3"]
# ///
"""Mutants of the engine, and the tests that kill them: ``uv run tests/mutation.py [--sample 600] [--seed 1]``.

The mutants are those of cosmic-ray: one replaced operator, comparison, number, keyword, decorator or loop each. Places
are drawn at random, then a mutant of each place. The tests that execute a mutated line are found once by a run with
coverage (``--measure``). Each mutant runs in a copy of the checkout, and is killed if one of its tests fails or does
not end. Annotations, constants of modules and mutants that are equal by the rules of Python (``is None`` as
``== None``) are not drawn. ``tests/mutation.md`` lists known equivalent ones.
"""

import argparse
import ast
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from importlib import import_module
from itertools import accumulate, chain
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from coverage.numbits import numbits_to_nums

ROOT: Final = Path(__file__).parents[1]
CACHE: Final = ROOT / ".cache" / "mutation"
COVERAGE: Final = CACHE / "coverage"
LOG: Final = CACHE / "tests.log"
TESTS: Final = ("tests/engine", "tests/app/api", "tests/app/lab", "tests/test_fields.py", "tests/test_same_events.py")
"""Tests of the engine, from inside and through the API."""

MAX_TESTS: Final = 400
MAX_S: Final = 60.0
"""Tests run for a mutant at most, and their time in the run with coverage.

Those of the modules with its name come first, then the fastest.
"""

TEST_HANGS_AFTER_S: Final = 30
HANGS_AFTER_S: Final = 120.0

_WITHOUT: Final = re.compile(
    r"_(Is|IsNot)_(Eq|NotEq|Lt|LtE|Gt|GtE)$|_(Eq|NotEq|Lt|LtE|Gt|GtE)_(Is|IsNot)$|VariableInserter|VariableReplacer|NoOp"
)
"""Operators whose mutants are equal or a `TypeError`."""


@dataclass(frozen=True)
class Mutant:
    """A mutant: the module, the operator with the number of its occurrence, and the line."""

    module: str
    operator: str
    occurrence: int
    line: int
    column: int


@dataclass(frozen=True)
class Outcome:
    """The fate of a mutant: ``killed``, ``survived``, or ``not run`` if no test executes its line."""

    mutant: Mutant
    fate: str
    change: str


def mutants(module: Path) -> Iterator[Mutant]:
    """Yield the mutants of a module."""
    plugins, trees = import_module("cosmic_ray.plugins"), import_module("cosmic_ray.ast")
    source = module.read_text(encoding="utf-8")
    nodes, left_out = list(trees.ast_nodes(trees.get_ast(source))), _left_out(ast.parse(source))
    for name in plugins.operator_names():
        operator = plugins.get_operator(name)
        if _WITHOUT.search(name) or operator.arguments():
            continue
        positions = [place for node in nodes for place in operator().mutation_positions(node)]
        for number, ((line, column), _) in enumerate(positions):
            if not any(first <= (line, column) < last for first, last in left_out):
                yield Mutant(module.relative_to(ROOT).as_posix(), name, number, line, column)


def _mutants(module: Path) -> list[Mutant]:
    return list(mutants(module))


def _left_out(tree: ast.Module) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the ranges of annotations, type aliases, and constants of the module."""
    found: list[ast.expr | ast.stmt] = []
    for node in ast.walk(tree):
        match node:
            case ast.AnnAssign() | ast.arg():
                found += filter(None, [node.annotation])
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                found += filter(None, [node.returns])
            case ast.TypeAlias():
                found.append(node)
    found += [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    return [((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)) for node in found]


def sampled(number: int, seed: int, modules: Sequence[Path]) -> list[Mutant]:
    """Return mutants of as many places, drawn at random."""
    places: dict[tuple[str, int, int], list[Mutant]] = {}
    with ProcessPoolExecutor() as pool:
        for mutant in chain.from_iterable(pool.map(_mutants, modules, chunksize=8)):
            places.setdefault((mutant.module, mutant.line, mutant.column), []).append(mutant)
    chance = random.Random(seed)
    return [chance.choice(places[place]) for place in chance.sample(sorted(places), min(number, len(places)))]


def mutated(mutant: Mutant) -> str:
    """Return the source of the module with the mutant."""
    operator = import_module("cosmic_ray.plugins").get_operator(mutant.operator)()
    source = (ROOT / mutant.module).read_text(encoding="utf-8")
    code: str = import_module("cosmic_ray.mutating").mutate_code(source, operator, mutant.occurrence)
    return code


def measure(jobs: int) -> None:
    """Run the tests with coverage, and store which test executes which line, in which time, and which tests fail."""
    CACHE.mkdir(parents=True, exist_ok=True)
    command = [*_pytest(ROOT), "-n", str(jobs), "--dist", "loadfile", "--cov=engine", "--cov-context=test"]
    command += [
        "--cov-report=",
        "-q",
        "-rfE",
        "-m",
        "not slow",
        "--durations=0",
        "--durations-min=0.001",
        "-vv",
        *TESTS,
    ]
    with LOG.open("wb") as log:
        subprocess.run(
            command,
            cwd=ROOT,
            env=_environment(ROOT) | {"COVERAGE_FILE": str(COVERAGE), "COVERAGE_CORE": "ctrace"},
            stdout=log,
            check=False,
        )


class Coverage:
    """The tests that execute each line, and their time, from a run with coverage."""

    def __init__(self) -> None:
        log = LOG.read_text(encoding="utf-8", errors="replace")
        self._seconds: dict[str, float] = {}
        for seconds, test in re.findall(r"^([\d.]+)s (?:call|setup|teardown) +(.+)$", log, re.MULTILINE):
            self._seconds[test] = self._seconds.get(test, 0.0) + float(seconds)
        failed = {test.split(" - ")[0] for test in re.findall(r"^(?:FAILED|ERROR) (tests/.+)$", log, re.MULTILINE)}
        self._lines: dict[str, list[tuple[str, bytes]]] = {}
        with sqlite3.connect(COVERAGE) as data:
            for path, context, bits in data.execute(
                "SELECT path, context, numbits FROM line_bits JOIN file ON file.id = file_id"
                " JOIN context ON context.id = context_id WHERE context != ''"
            ):
                if (test := context.rpartition("|")[0]) not in failed:
                    self._lines.setdefault(Path(path).relative_to(ROOT).as_posix(), []).append((test, bits))

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests to run for a mutant: those that execute its line, or else its module."""
        of_module = self._lines.get(mutant.module, [])
        found = {
            test for test, bits in of_module if len(bits) > mutant.line // 8 and mutant.line in numbits_to_nums(bits)
        }
        # Lines of classes are executed by the import, which is of no test.
        found = found or {test for test, _ in of_module}
        name = Path(mutant.module).stem
        order = sorted(found, key=lambda test: (f"test_{name}" not in test, self._seconds.get(test, 0.0), test))
        until = accumulate(self._seconds.get(test, 0.0) for test in order)
        chosen = [test for test, seconds in zip(order, until, strict=True) if seconds <= MAX_S]
        return (chosen or order[:1])[:MAX_TESTS]


def _environment(root: Path) -> dict[str, str]:
    # Processes of the tests find this checkout before the one that is installed.
    return os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}


def _pytest(root: Path) -> list[str]:
    return [
        str(root / ".venv" / "bin" / "python"),
        *("-m", "pytest", "-p", "no:rerunfailures", "-p", "no:cacheprovider"),
        *("-o", "addopts=--strict-config", "-o", "markers=flaky: x"),
    ]


def judge(mutant: Mutant, tests: Sequence[str], copy: Path) -> Outcome:
    """Run the tests against a mutant in a copy of the checkout."""
    source, code = (ROOT / mutant.module).read_text(encoding="utf-8"), mutated(mutant)
    change = _change(source, code)
    if not tests:
        return Outcome(mutant, "not run", change)
    (copy / mutant.module).write_text(code, encoding="utf-8")
    try:
        command = [*_pytest(copy), "-q", "-x", "-p", "no:cov", "--timeout", str(TEST_HANGS_AFTER_S), *tests]
        with subprocess.Popen(
            command,
            cwd=copy,
            env=_environment(copy),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                code_ = process.wait(HANGS_AFTER_S)
            except subprocess.TimeoutExpired:
                code_ = 1
            finally:
                _kill(process.pid)
    finally:
        (copy / mutant.module).write_text(source, encoding="utf-8")
    return Outcome(mutant, "survived" if code_ == 0 else "killed", change)


def _kill(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def _change(source: str, code: str) -> str:
    pairs = zip(source.splitlines(), code.splitlines(), strict=False)
    return next((f"{old.strip()}  ->  {new.strip()}" for old, new in pairs if old != new), "")


def copied(number: int) -> Path:
    """Return a copy of the checkout, whose packages are this one's."""
    copy = CACHE / f"copy-{number}"
    shutil.rmtree(copy, ignore_errors=True)
    ignored = shutil.ignore_patterns(
        ".git", ".venv", ".cache", ".tools", ".*_cache", "node_modules", "__pycache__", ".lock"
    )
    shutil.copytree(ROOT, copy, symlinks=True, ignore=ignored)
    (copy / ".venv").symlink_to(ROOT / ".venv")
    return copy


def _drawn(only: Path, number: int, seed: int) -> list[Mutant]:
    modules = [only] if only.is_file() else sorted(only.rglob("*.py"))
    return sampled(number, seed, [each for each in modules if "migrations" not in each.parts])


def _survivors(outcomes: Path) -> list[Mutant]:
    """Return the mutants that were not killed, unless the line or the number of its mutants has changed since."""
    found = []
    for each in json.loads(outcomes.read_bytes()):
        mutant = Mutant(**each["mutant"])
        source = (ROOT / mutant.module).read_text(encoding="utf-8")
        if each["fate"] != "killed" and _change(source, mutated(mutant)) == each["change"]:
            found.append(mutant)
    return found


def main() -> None:
    """Draw mutants, run the tests of each, and print those that survive."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=600, help="number of mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="engine", help="folder or module of the mutants")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--measure", action="store_true", help="find the tests of each line first")
    parser.add_argument("--again", action="store_true", help="only run those that were not killed the last time")
    parser.add_argument("--output", type=Path, default=CACHE / "outcomes.json")
    given = parser.parse_args()
    if given.measure or not COVERAGE.exists():
        measure(given.jobs)
    drawn = _survivors(given.output) if given.again else _drawn(ROOT / given.only, given.sample, given.seed)
    coverage, copies, outcomes = Coverage(), SimpleQueue[Path](), list[Outcome]()
    for number in range(given.jobs):
        copies.put(copied(number))

    def run(mutant: Mutant) -> Outcome:
        copy = copies.get()
        try:
            return judge(mutant, coverage.tests(mutant), copy)
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(given.jobs) as pool:
        for outcome in pool.map(run, drawn):
            outcomes.append(outcome)
            if outcome.fate != "killed":
                place = f"{outcome.mutant.module}:{outcome.mutant.line}"
                print(f"{outcome.fate:<8} {place}  {outcome.change}", flush=True)
            given.output.write_text(json.dumps([asdict(each) for each in outcomes], indent=1), encoding="utf-8")
    killed = sum(outcome.fate == "killed" for outcome in outcomes)
    print(f"{killed} of {len(outcomes)} mutants killed ({killed / len(outcomes):.1%})")


if __name__ == "__main__":
    main()
