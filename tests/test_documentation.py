"""Comparison of the pages with the program, in both directions: commands, options, settings and endpoints."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from app.api.server.docs import document
from app.api.wire.settings.request import NAMES
from tests.app.documentation import COMMON, Command, commands
from tests.pages import PAGES, ROOT, fences

ALL = (*PAGES, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs" / "internals").glob("*.md")))
COMMAND_LINE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
NOT_SERVED = (ROOT / "docs" / "not-served.md").read_text(encoding="utf-8")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
NAMED = re.compile(r"(?<![\w-])--[a-z][a-z-]*")

_FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`\n]+(?:\n[^`\n]+)?)`")
_RUN = re.compile(r"(?:^|[\s$(\"'=/])(?<!--unit )fencewright ((?:--)?[a-z].*)")
_END = re.compile(r" [|&>#]|[;)]( |$)")


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def spans(text: str) -> list[str]:
    """Return the code in the lines of a text, without its blocks."""
    return [re.sub(r"\s+", " ", span) for span in _SPAN.findall(_FENCE.sub("", text))]


def command_lines(text: str) -> Iterator[str]:
    """Yield what a text runs with `fencewright`, without this word, in its lines and in its blocks."""
    lines = spans(text)
    for language, _, body, _ in fences(text):
        joined = re.sub(r" *\\\n *", " ", body)
        if language in ("sh", "yaml"):
            lines += joined.splitlines()
        else:
            lines += re.findall(r"^\$ (.*)", joined, re.MULTILINE)
    for line in lines:
        # A line can run several.
        for part in re.split(r"(?:;|&&|\|\||\$\() *", line):
            if "pip install" not in part and (found := _RUN.search(part)) is not None:
                yield _END.split(found[1].replace('"', " "))[0].strip()


@cache
def by_name() -> dict[str, Command]:
    return {command.name: command for command in commands()}


def options_of(name: str) -> set[str]:
    """Return the options of a command, or of all commands below it."""
    found = [command for command in commands() if f"{command.name} ".startswith(f"{name} ")]
    return {option for command in found for option in command.parser._option_string_actions}


def command_of(line: str) -> str:
    """Return the command that a command line runs. Raises `LookupError` naming a word that is no command."""
    first, *rest = line.split()
    if first.startswith("-"):
        return "desktop"
    if not options_of(first):
        raise LookupError(f"no command {first!r}")
    if first in by_name() or not rest or not re.fullmatch(r"[a-z]+", rest[0]):
        return first
    if not options_of(f"{first} {rest[0]}"):
        raise LookupError(f"no command '{first} {rest[0]}'")
    return f"{first} {rest[0]}"


def unknown_in(line: str) -> list[str]:
    """Return the words of a command line that are no commands or options."""
    try:
        name = command_of(line)
    except LookupError as error:
        return [str(error)]
    of_all = {"--version", "--help"}
    return [f"{option} of {name!r}" for option in NAMED.findall(line) if option not in options_of(name) | of_all]


def test_command_lines_are_read() -> None:
    block = "x=$(fencewright keys --shell); fencewright serve --port 1 \\\n  --tls &\n"
    text = f"`fencewright check --fix`\n\n```sh\n{block}```\n"
    assert list(command_lines(text)) == ["check --fix", "keys --shell", "serve --port 1 --tls"]


@pytest.mark.parametrize(
    ("line", "unknown"),
    [
        ("import FILE --dry-run --map a=b", []),
        ("--seed FILE", []),
        ("export --output F", []),
        ("webhooks list --json", []),
        ("imprt FILE", ["no command 'imprt'"]),
        ("webhooks lst", ["no command 'webhooks lst'"]),
        ("import FILE --dry", ["--dry of 'import'"]),
        ("webhooks list --token T", ["--token of 'webhooks list'"]),
    ],
)
def test_unknown_words_are_found(line: str, unknown: list[str]) -> None:
    assert unknown_in(line) == unknown


@pytest.mark.parametrize("page", ALL, ids=lambda page: page.name)
def test_commands_in_the_pages_exist(page: Path) -> None:
    assert [(line, unknown) for line in command_lines(read(page)) if (unknown := unknown_in(line))] == []


OF_OTHERS = {
    "--cacert": "curl",
    "--docs": "tests.desktop.pictures",
    "--events": "benchmarks",
    "--rules": "benchmarks",
    "--scale": "tests.desktop.pictures",
}
"""Options of other programs that a sentence names without the program."""


@pytest.mark.parametrize("page", ALL, ids=lambda page: page.name)
def test_options_in_sentences_exist(page: Path) -> None:
    """An option alone is one of some command, `check --fix` one of that command."""
    every = {option for command in commands() for option in command.parser._option_string_actions}
    every |= {"--version", "--help"}
    unknown = []
    for span in spans(read(page)):
        if span.startswith("--"):
            unknown += [option for option in NAMED.findall(span) if option not in every | OF_OTHERS.keys()]
        elif " --" in span and options_of(span.split()[0]):
            unknown += unknown_in(span)
    assert unknown == []


@pytest.mark.parametrize("command", commands(), ids=lambda command: command.name)
def test_every_option_is_in_the_page(command: Command) -> None:
    """The page is generated, so this finds a command that the generator forgets."""
    section = COMMAND_LINE.partition(f"<!--generated:{command.name.split()[0]}-->")[2].partition("<!--end-->")[0]
    assert f"`fencewright {command.name}" in section
    named = set(NAMED.findall(section))
    named |= set(re.findall(r"(?<=`)-\w(?=`)", section))
    assert options_of(command.name) - {"--help", "-h", *COMMON} <= named


@pytest.mark.parametrize("page", ALL, ids=lambda page: page.name)
def test_settings_in_command_lines_exist(page: Path) -> None:
    lines = [line for line in command_lines(read(page)) if re.match("(settings|replay|sweep) ", line)]
    given = [
        name
        for line in lines
        for part in re.findall(r"--set ((?:\w+=\S* ?)+)", line)
        for name in re.findall(r"(\w+)=", part)
    ]
    assert [name for name in given if name not in {*NAMES, "NAME"}] == []


def operations(text: str) -> set[tuple[str, str]]:
    """Return the operations that a text names: `GET`, `PUT /v1/a` and `/v1/b` are four."""
    found: set[tuple[str, str]] = set()
    before: list[str] = []
    for span in spans(text):
        words = re.findall(r"\w+|/[^\s`]+", span) if re.match(rf"({'|'.join(METHODS)})\b", span) else [span]
        methods = [word for word in words if word in METHODS]
        paths = [plain(word) for word in words if re.match("/(v1|maps)/", word)]
        if methods and before and before[-1] == "path":
            before = []
        before += methods
        if paths:
            found |= {(method, path) for method in before if method in METHODS for path in paths}
            before.append("path")
        elif not methods:
            before = []
    return found


def plain(path: str) -> str:
    """Return a path without names of parameters and without its query."""
    return re.sub(r"\{[^}]*\}", "{}", path.partition("?")[0].rstrip("….,"))


@cache
def served() -> set[tuple[str, str]]:
    paths = document()["paths"]
    return {(method.upper(), plain(path)) for path, item in paths.items() for method in item if method != "parameters"}


def test_operations_are_read() -> None:
    text = "`GET`, `PUT /v1/a/{x}` and `/v1/b?c=d`; `limit`, `/v1/e`, `POST /v1/f`"
    wanted = {("GET", "/v1/a/{}"), ("PUT", "/v1/a/{}"), ("GET", "/v1/b"), ("PUT", "/v1/b"), ("POST", "/v1/f")}
    assert operations(text) == wanted


def test_every_operation_is_documented() -> None:
    pages = sorted((ROOT / "docs").glob("api*.md"))
    documented = {operation for page in pages for operation in operations(spelled_out(read(page)))}
    assert served() - documented == set()


def spelled_out(text: str) -> str:
    """Return a text in which the two ways to name a user, with words in the braces, are in one span."""
    return re.sub(r"\{([^}`]*)\}", lambda found: "{" + found[1].replace(" ", "") + "}", text)


@pytest.mark.parametrize("page", ALL, ids=lambda page: page.name)
def test_operations_in_the_pages_are_served(page: Path) -> None:
    """Examples have values instead of parameters. What is not served is listed."""
    unknown = [
        (method, path)
        for method, path in sorted(operations(spelled_out(read(page))))
        if path.startswith("/v1/") and not is_served(method, path) and path not in NOT_SERVED
    ]
    assert unknown == []


def is_served(method: str, path: str) -> bool:
    patterns = (re.escape(each).replace(r"\{\}", "[^/]+") for kind, each in served() if kind == method)
    return any(re.fullmatch(pattern, path) for pattern in patterns)
