"""``fencewright promote``: promotion of geofences from one environment to the other."""

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote
from typing import Any, Final

import orjson

from app.api.change_sets import MAX_CHANGE_SET, decode_change_set, parse_change_set
from app.api.commands import geofences
from app.api.wire.common.encoding import Encoded
from app.cli.targets import existing_workspace, same_workspace
from app.cli.terminal.asking import WRONG_USAGE, agreed
from app.cli.terminal.output import end_progress, note, progress_bar, write_json, write_line
from app.cli.terminal.signals import StopRequest, stop_on_signals
from app.cli.workspaces import ReachedWorkspace, reach_workspace
from app.files import write_file
from app.seeds import write_seed
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled
from engine.domain.text import printable
from engine.domain.words import count
from engine.geofences.promotion.promotions import PromotionQuery

_MARKS: Final = {"create": "new", "update": "changed", "delete": "delete"}
_LONGEST_VALUE: Final = 60
_NOT_SET: Final = "not set"
_LISTS: Final = (list, tuple)
_USUAL: Final = {"enabled": True, "metadata": {}}


def promote(arguments: Namespace) -> int:
    """Compare, ask for confirmation, and apply the changes; return 1 if the user declined."""
    if (wrong := _wrong_usage(arguments)) is not None:
        note(wrong)
        return WRONG_USAGE
    with stop_on_signals() as stop:
        try:
            return _promote(arguments, stop)
        except Cancelled:
            end_progress()
            note("stopped; geofences were changed all at once or not at all")
            return stop.exit_code


def _wrong_usage(arguments: Namespace) -> str | None:
    if arguments.apply is not None:
        others = {"--from": arguments.source, "--to": arguments.target, "--only": arguments.only}
        others |= {"--delete-missing": arguments.delete_missing, "--save": arguments.save}
        given = [name for name, value in others.items() if value]
        if given:
            return f"{given[0]} cannot be combined with --apply: the change set says what to change"
    elif arguments.source is not None and arguments.source is arguments.target:
        return f"--from and --to are both {arguments.source}; they must differ"
    needs_confirmation = not (arguments.yes or arguments.dry_run or arguments.save)
    if needs_confirmation and not sys.stdin.isatty():
        return "promote asks for confirmation, but there is no terminal; give --yes, --dry-run or --save FILE"
    return None


def _promote(arguments: Namespace, stop: StopRequest) -> int:
    folder = existing_workspace(arguments)
    content = None if arguments.apply is None else _read(arguments.apply)
    with reach_workspace(folder, stop) as workspace:
        if content is None:
            plan = workspace.run(geofences.plan, _query(arguments))
            content = write_seed(plan["changeSet"])
        else:
            notes = workspace.run(geofences.change_set_notes, None, data=content)
            plan = {"changeSet": parse_change_set(content), **notes}
        if not arguments.json:
            _write_plan(plan, arguments.limit)
        if arguments.save is not None:
            write_file(arguments.save, content)
            changes = count(len(plan["changeSet"]["changes"]), "change")
            note(
                f"{changes} written to {arguments.save}; nothing was changed. "
                f"To apply: fencewright promote --apply {quote(str(arguments.save))}{same_workspace(arguments)}"
            )
            outcome: Encoded = {"savedTo": str(arguments.save)}
        elif not plan["changeSet"]["changes"]:
            outcome = {"created": 0, "updated": 0, "deleted": 0, "unchanged": 0}
        elif not (arguments.yes or arguments.dry_run or _agreed(plan["changeSet"], folder, stop)):
            note("nothing was changed")
            return 1
        else:
            outcome = _apply(workspace, content, arguments, stop)
    _write_outcome(plan, outcome, arguments)
    return 0


def _apply(workspace: ReachedWorkspace, content: bytes, arguments: Namespace, stop: StopRequest) -> Encoded:
    progress = progress_bar("promoting", stop.check)
    return workspace.run(geofences.apply, geofences.ApplyRequest(arguments.dry_run), data=content, progress=progress)


def _query(arguments: Namespace) -> PromotionQuery:
    other = {Environment.TEST: Environment.LIVE, Environment.LIVE: Environment.TEST}
    source = arguments.source or other[arguments.target or Environment.LIVE]
    target = arguments.target or other[source]
    return PromotionQuery(
        source=source, target=target, only=tuple(arguments.only), delete_missing=arguments.delete_missing
    )


def _read(file: Path) -> bytes:
    """Return a change set, validated as far as possible without a workspace."""
    try:
        if file.stat().st_size > MAX_CHANGE_SET:
            raise InvalidParameter("apply", f"{file}: must not be larger than {MAX_CHANGE_SET // 1024**2} MB.")
        content = file.read_bytes()
    except OSError as error:
        raise InvalidParameter("apply", f"{file} cannot be read: {error.strerror}.") from error
    try:
        decode_change_set(content)
    except InvalidParameter as error:
        raise InvalidParameter("apply", f"{file}: {error.message}") from error
    return content


def _agreed(change_set: Encoded, folder: Path | str, stop: StopRequest) -> bool:
    counts = _counts(change_set)
    summary = (
        f"create {counts['create']:,}, change {counts['update']:,} and delete {count(counts['delete'], 'geofence')}"
    )
    with stop.interrupting():
        return agreed(f"In {change_set['to'].capitalize()} of {folder}, {summary}?")


def _counts(change_set: Encoded) -> dict[str, int]:
    actions = [change["action"] for change in change_set["changes"]]
    return {action: actions.count(action) for action in _MARKS}


def _write_plan(plan: Encoded, limit: int) -> None:
    change_set = plan["changeSet"]
    changes = change_set["changes"]
    not_portable = {(each["tag"], each["externalId"]): each["text"] for each in plan["notPortable"]}
    for change in changes[:limit]:
        for line in _change_lines(change):
            write_line(line)
        if (text := not_portable.get((change["tag"], change["externalId"]))) is not None:
            write_line(f"           not portable: {text}")
    if len(changes) > limit:
        write_line(f"… and {count(len(changes) - limit, 'more change')}; --limit N lists more")
    left = limit - min(limit, len(changes))
    missing = plan.get("missing", [])[:left]
    for each in missing:
        key = printable(f"{each['tag']}/{each['externalId']}")
        write_line(f"missing  {key}  {_clipped(each['description'])} (stays; --delete-missing deletes it)")
    for text in plan.get("notes", ()):
        note(text)


def _change_lines(change: dict[str, Any]) -> Iterator[str]:
    shown = change.get("geofence") or change["seen"]
    key = printable(f"{change['tag']}/{change['externalId']}")
    yield f"{_MARKS[change['action']]:<7}  {key}  {_clipped(shown['description'])}"
    if change["action"] == "update":
        before, after = ({**_USUAL, **change[name]} for name in ("seen", "geofence"))
        for name in dict.fromkeys((*before, *after)):
            # Compared as text, since 1 and true are equal.
            if orjson.dumps(before.get(name)) != orjson.dumps(after.get(name)):
                yield f"           {name}: {_value(before.get(name))} → {_value(after.get(name))}"


def _value(value: object) -> str:
    if value is None:
        return _NOT_SET
    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    if len(text) > _LONGEST_VALUE and isinstance(value, _LISTS) and isinstance(value[0], _LISTS):
        return _shape_text(value)
    if len(text) > _LONGEST_VALUE and isinstance(value, dict) and value.get("type") == "Polygon":
        return f"an outline with {count(len(value['coordinates'][0]), 'position')}"
    return _clipped(text)


def _shape_text(coordinates: Sequence[Any]) -> str:
    """Return the number of positions of a ring, or of the rings of a polygon with holes or several parts."""
    rings = [coordinates]
    while isinstance(rings[0][0][0], _LISTS):
        rings = [each for ring in rings for each in ring]
    positions = count(sum(map(len, rings)), "position")
    return positions if len(rings) == 1 else f"{positions} in {len(rings)} rings"


def _clipped(text: str) -> str:
    return printable(text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…")


def _write_outcome(plan: Encoded, outcome: Encoded, arguments: Namespace) -> None:
    change_set = plan["changeSet"]
    if arguments.json:
        changes = change_set["changes"]
        header = {"from": change_set["from"], "to": change_set["to"], "dryRun": arguments.dry_run}
        listed = {"changes": changes[: arguments.limit], "more": max(0, len(changes) - arguments.limit)}
        rest = {name: plan[name] for name in ("missing", "missingCount", "same", "notes") if name in plan}
        rest["notPortable"] = plan["notPortable"][: arguments.limit]
        write_json({**header, **listed, **rest, **outcome}, indented=True)
        return
    counts, source, target = _counts(change_set), change_set["from"].capitalize(), change_set["to"].capitalize()
    text = (
        f"{source} → {target}: {counts['create']:,} new, {counts['update']:,} changed, {counts['delete']:,} to delete"
    )
    if "same" in plan:
        text += f", {plan['missingCount']:,} only in {target}, {plan['same']:,} the same"
    write_line(text)
    if "created" in outcome:
        done = ", ".join(f"{outcome[name]:,} {name}" for name in ("created", "updated", "deleted", "unchanged"))
        write_line(f"{done}{' (dry run: nothing was changed)' if arguments.dry_run else ''}")
