"""Generator of the parts of docs/command-line.md that list commands and options, from the parser.

Run it as ``python -m tests.app.documentation``.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.cli.options.parsing import parser

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
COMMON = ("--workspace", "--environment", "--json")
"""The options that most commands have. The page describes them once."""

ALL = "commands"
"""The name of the generated part with these options."""

WIDTH = 140
_MARK = re.compile(r"^<!--generated:([a-z-]+)-->\n(.*?)^<!--end-->$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`]+`|'[^' ]+(?: \d+)?'|''|(?<![\w'-])(?:--[a-z][a-z-]*|/v1/\w+)|:memory:|(?<!\w)_id\b|\*[.\w]+")
"""Code in a text of the help."""


@dataclass(frozen=True)
class Command:
    """A command that has no other below it, such as `track info`."""

    name: str
    parser: argparse.ArgumentParser

    @property
    def arguments(self) -> list[argparse.Action]:
        """The arguments that are not options."""
        return [action for action in self.parser._actions if not action.option_strings]

    @property
    def options(self) -> list[argparse.Action]:
        """The options except ``--help``."""
        return [action for action in self.parser._actions if action.option_strings and action.dest != "help"]

    @property
    def usage(self) -> str:
        """The command with what it requires, and the options of which only one can be given."""
        groups = self.parser._mutually_exclusive_groups
        together = {id(action): group for group in groups for action in group._group_actions}
        parts = [_placed(action) for action in self.arguments]
        parts += [_spelled(each) for each in self.options if each.required and id(each) not in together]
        for group in groups:
            shown = " | ".join(_spelled(action) for action in group._group_actions)
            parts.append(f"({shown})" if group.required else f"[{shown}]")
        return " ".join([f"fencewright {self.name}", *parts])


@cache
def commands() -> tuple[Command, ...]:
    """Return all commands, in the order of the help."""
    return tuple(_leaves("", parser()))


def group_names() -> list[str]:
    """Return the first words of the commands, each of which has a section."""
    return list(dict.fromkeys(command.name.split()[0] for command in commands()))


def _leaves(name: str, found: argparse.ArgumentParser) -> Iterator[Command]:
    below = _below(found)
    if below is None:
        yield Command(name, found)
        return
    for word, each in below.choices.items():
        yield from _leaves(f"{name} {word}".strip(), each)


def _below(found: argparse.ArgumentParser) -> "argparse._SubParsersAction[argparse.ArgumentParser] | None":
    return next((action for action in found._actions if isinstance(action, argparse._SubParsersAction)), None)


def _placed(action: argparse.Action) -> str:
    name = _value(action)
    return {"*": f"[{name}…]", "?": f"[{name}]"}.get(str(action.nargs), name)


def _spelled(action: argparse.Action) -> str:
    """Return an option as it is written on the command line."""
    more = "…" if action.nargs == "+" or isinstance(action, argparse._AppendAction) else ""
    return f"{_name(action)} {_value(action)}".rstrip() + more


def _name(action: argparse.Action) -> str:
    """Return the long form of an option."""
    return next((name for name in action.option_strings if name.startswith("--")), action.option_strings[0])


def _value(action: argparse.Action) -> str:
    """Return the placeholder of a value, or the empty string for a switch."""
    if action.nargs == 0:
        return ""
    if action.metavar is None and action.choices:
        return "|".join(map(str, action.choices))
    return str(action.metavar or action.dest.upper())


def _described(action: argparse.Action) -> str:
    """Return an argument with its help. That it is repeatable is said by `…`."""
    text = f"`{_spelled(action)}`" if action.option_strings else f"`{_value(action)}`"
    others = "".join(f", `{name}`" for name in action.option_strings if name != _name(action))
    summary = re.sub("; repeatable(?=$| )", "", action.help or "")
    return "\n".join(_wrapped(f"- {text}{others}: {_formatted(summary)}", "  "))


def _formatted(text: str) -> str:
    """Return a text of the help with its options, paths and examples as code."""
    return _CODE.sub(lambda found: f"`{found[0].strip('`')}`", text)


def _wrapped(text: str, indent: str = "") -> Iterator[str]:
    """Break a text at the width of the pages; a line does not begin with what Markdown would read as a list."""
    line = ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > WIDTH and not re.match(r"[-+*#>|]|\d+[.)]", word):
            yield line
            line = f"{indent}{word}"
        else:
            line = f"{line} {word}" if line else word
    yield line


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}".rstrip(".") + "."


def _identity(action: argparse.Action) -> tuple[object, ...]:
    return (*action.option_strings, _value(action), action.help)


class Writer:
    """Writes the sections in the order of the page, and names options again that an earlier one has described."""

    def __init__(self) -> None:
        self._seen: dict[tuple[object, ...], str] = {}

    def section(self, name: str) -> str:
        """Return the generated part of a command's section."""
        own = [command for command in commands() if command.name.split()[0] == name]
        if own[0].name == name:
            return "\n\n".join(self._command(own[0], own[0].parser.description or ""))
        (group,) = [each for word, each in _choices().items() if word == name]
        parts = ["\n".join(_wrapped(_sentence(_formatted(group.description or ""))))]
        for command in own:
            parts += self._command(command, command.parser.description or "")
        return "\n\n".join(parts)

    def _command(self, command: Command, description: str) -> Iterator[str]:
        if command.parser.formatter_class is argparse.RawDescriptionHelpFormatter:
            yield f"`{command.usage}`:"
            yield f"```text\n{description.rstrip()}\n```"
        else:
            yield "\n".join(_wrapped(f"`{command.usage}`: {_sentence(_formatted(description))}"))
        options = [each for each in command.options if _name(each) not in COMMON]
        again = {id(each): place for each in options if (place := self._seen.get(_identity(each)))}
        items = [each for each in command.arguments if each.help]
        items += [each for each in options if id(each) not in again]
        if items:
            yield "\n".join(_described(each) for each in items)
        if again:
            yield "\n".join(_wrapped(f"Also {'; '.join(_also(options, again))}."))
        self._seen |= {_identity(each): command.name for each in options if id(each) not in again}


def _also(options: Sequence[argparse.Action], again: dict[int, str]) -> Iterator[str]:
    for place in dict.fromkeys(again.values()):
        names = [_name(each) for each in options if again.get(id(each)) == place]
        yield f"{_listed(names)} as for `{place}`"


def _choices() -> dict[str, argparse.ArgumentParser]:
    below = _below(parser())
    assert below is not None
    return dict(below.choices)


def _has(command: Command, option: str) -> bool:
    return any(option in each.option_strings for each in command.options)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def common_options() -> str:
    """Return the list of the options that most commands have, with the commands that do not have them."""
    return "\n".join(map(_common, COMMON))


def _common(name: str) -> str:
    options = [each for command in commands() for each in command.options]
    summary = next(each for each in options if name in each.option_strings)
    return "\n".join(_wrapped(f"{_described(summary)}; not for {_listed(_without(name))}".replace("\n ", ""), "  "))


def _without(option: str) -> list[str]:
    """Return the commands that do not have an option; a group of commands, none of which has it, by its own name."""
    has = {command.name: _has(command, option) for command in commands()}
    groups = {group: any(has[name] for name in has if name.split()[0] == group) for group in group_names()}
    names = (name if groups[name.split()[0]] else name.split()[0] for name in has if not has[name])
    return list(dict.fromkeys(names))


def written(page: str) -> str:
    """Return the page with its generated parts up to date."""
    writer = Writer()

    def part(found: re.Match[str]) -> str:
        text = common_options() if found[1] == ALL else writer.section(found[1])
        return f"<!--generated:{found[1]}-->\n\n{text}\n\n<!--end-->"

    return _MARK.sub(part, page)


def marks(page: str) -> list[str]:
    """Return the names of the generated parts of the page."""
    return [found[1] for found in _MARK.finditer(page)]


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
