"""The man page, made from the parser of the command line.

``python packaging/application/manual.py`` prints it. The project must be installed or in PYTHONPATH.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Final

from app.cli.options.parsing import parser

_COMMON_FROM: Final = 8
"""The number of commands from which an option is described once for all of them."""

_HEAD: Final = r""".TH FENCEWRIGHT 1 "{date}" "fencewright {version}" "User Commands"
.SH NAME
fencewright \- workstation for geofences with a local API
.SH SYNOPSIS
.B fencewright
.RI [ COMMAND ]
.RI [ OPTIONS ]
.SH DESCRIPTION
Fencewright edits, imports and tests geofences on a map, and serves an API on this computer whose requests and answers
are those of the Radar location platform.
Without a command, the window opens.
.PP
Options that begin with two hyphens cannot be abbreviated.
Errors are one line on standard error; the exit code is 0 for success, 1 for an error, and 2 for wrong usage.
.SH OPTIONS
.TP
.B \-h\fR, \fB\-\-help
Show the commands, or the options of a command, and exit.
.TP
.B \-\-version
Show the version and exit.
"""

_TAIL: Final = r""".SH FILES
.TP
.I ~/.local/share/fencewright/
Workspaces for which no folder was chosen, and areas.
.TP
.I ~/.config/fencewright/
Settings of the window.
.PP
.B XDG_DATA_HOME
and
.B XDG_CONFIG_HOME
move them.
.SH SEE ALSO
The help in the window, and
.I /docs
of the served address, which describes the API.
"""


def manual_page(version: str, today: date) -> str:
    """Return the page in the format of man."""
    commands = dict(_leaves("", parser()))
    counts = Counter(_identity(option) for command in commands.values() for option in _options(command))
    common = {identity for identity, count in counts.items() if count >= _COMMON_FROM}
    lines = [_HEAD.format(date=today.isoformat(), version=version).rstrip(), ".SH COMMON OPTIONS"]
    lines.append("The usage of each command shows whether it has these options.")
    shown: set[tuple[str, ...]] = set()
    for command in commands.values():
        for option in _options(command):
            if _identity(option) in common - shown:
                shown.add(_identity(option))
                lines += _item(option)
    lines.append(".SH COMMANDS")
    for name, command in commands.items():
        lines += _command(name, command, common)
    return "\n".join([*lines, _TAIL])


def _leaves(name: str, found: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    groups = [action for action in found._actions if isinstance(action, argparse._SubParsersAction)]
    if not groups:
        yield name, found
    for group in groups:
        for word, below in group.choices.items():
            yield from _leaves(f"{name} {word}".strip(), below)


def _options(command: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in command._actions if action.option_strings and action.dest != "help"]


def _identity(action: argparse.Action) -> tuple[str, ...]:
    return (*action.option_strings, str(action.metavar), str(action.help))


def _command(name: str, command: argparse.ArgumentParser, common: set[tuple[str, ...]]) -> Iterator[str]:
    usage = " ".join(command.format_usage().split()).removeprefix("usage: ").replace(" [-h]", "")
    yield f".SS {_escaped(name)}"
    # Neither hyphenated nor broken at a hyphen, so that it can be copied.
    yield f".nh\n{_escaped(usage)}\n.hy\n.PP"
    description = (command.description or "").rstrip()
    if command.formatter_class is argparse.RawDescriptionHelpFormatter:
        yield f".nf\n{_escaped(description)}\n.fi"
    else:
        yield _escaped(description)
    for action in command._actions:
        if action.help and action.dest != "help" and _identity(action) not in common:
            yield from _item(action)


def _item(action: argparse.Action) -> Iterator[str]:
    yield ".TP"
    value = "" if action.nargs == 0 else _value(action)
    if action.option_strings:
        yield f".B {_escaped(', '.join(action.option_strings))}{rf' \fI{_escaped(value)}\fR' if value else ''}"
    else:
        yield f".I {_escaped(value)}"
    yield _escaped(action.help or "")


def _value(action: argparse.Action) -> str:
    if action.metavar is None and action.choices:
        return "|".join(map(str, action.choices))
    return str(action.metavar or action.dest.upper())


def _escaped(text: str) -> str:
    r"""Return text that man shows as it is: ``-`` is a hyphen unless escaped, and ``.`` begins a request."""
    lines = text.replace("\\", r"\e").replace("-", r"\-").replace("~", r"\(ti").replace("^", r"\(ha").splitlines()
    return "\n".join(rf"\&{line}" if line.startswith((".", "'")) else line for line in lines)


if __name__ == "__main__":
    sys.stdout.write(manual_page("(not built)", datetime.now(UTC).date()))
