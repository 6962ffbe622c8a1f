"""docs/command-line.md: its lists of commands and options are those of the parser, and the help says the defaults."""

import argparse
import re

import pytest

from tests.app.documentation import ALL, COMMON, PAGE, Command, commands, group_names, marks, written


def test_the_page_is_as_the_parser_says() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert written(page) == page, "write it anew: python -m tests.app.documentation"


def test_every_command_has_one_section() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert sorted(marks(page)) == sorted([ALL, *group_names()])


@pytest.mark.parametrize("command", commands(), ids=lambda command: command.name)
def test_the_help_says_every_default(command: Command) -> None:
    for option in command.options:
        if option.nargs == 0 or option.default in (None, argparse.SUPPRESS) or option.default == []:
            continue
        assert "default" in str(option.help), option.option_strings


@pytest.mark.parametrize("command", commands(), ids=lambda command: command.name)
def test_every_option_has_a_help(command: Command) -> None:
    assert [option.option_strings for option in command.options if not option.help] == []


@pytest.mark.parametrize("name", COMMON)
def test_the_page_says_which_commands_do_not_have_a_common_option(name: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    (item,) = re.findall(rf"^- `{name}[ `].*(?:\n  .*)*", page, re.MULTILINE)
    without = set(re.findall("`([^`]+)`", re.sub(r"\s+", " ", item).partition("; not for ")[2]))
    for command in commands():
        has = any(name in option.option_strings for option in command.options)
        assert has != bool(without & {command.name, command.name.split()[0]}), command.name


def test_only_the_generated_parts_change() -> None:
    text = "Before\n\n<!--generated:keys-->\nold\n<!--end-->\n\nAfter --old\n"
    before, part, after = written(text).partition("<!--generated:keys-->")
    assert (before, part) == ("Before\n\n", "<!--generated:keys-->")
    assert "old\n" not in after.partition("<!--end-->")[0]
    assert after.endswith("<!--end-->\n\nAfter --old\n")
    assert "- `--rotate KEY…`: replace these keys at once: test-publishable" in after
    assert written(written(text)) == written(text)


def test_an_option_that_an_earlier_section_describes_is_only_named() -> None:
    text = "<!--generated:import-->\n<!--end-->\n<!--generated:sync-->\n<!--end-->\n"
    page, _, sync = written(text).partition("<!--generated:sync-->")
    assert "- `--repair`: repair shapes" in page
    assert "- `--repair`" not in sync
    assert (
        "`--repair`, `--repair-only`, `--line-width`, `--layer`, `--sheet`, `--encoding` as for `import`"
        in " ".join(sync.split())
    )
