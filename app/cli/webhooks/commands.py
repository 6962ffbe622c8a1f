"""``fencewright webhooks``: receivers of events, and the outcomes of their deliveries."""

from argparse import Namespace
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import quote, urlencode

from app.api.wire.common.encoding import Encoded, encode_time
from app.cli.targets import chosen_workspace
from app.cli.terminal.output import write_json, write_line
from app.cli.workspaces import ReachedWorkspace, reach_workspace
from engine.domain.words import count
from engine.outbound.urls import without_url_secrets

_WEBHOOKS: Final = "/v1/webhooks"

type _Ask = Callable[[str, str, object], Encoded]


def webhooks(arguments: Namespace) -> int:
    """Run the subcommand and write the outcome; a failed test is not a success."""
    with reach_workspace(chosen_workspace(arguments)) as workspace:
        answer = _ACTIONS[arguments.action](_asker(workspace, arguments), arguments)
    if arguments.json:
        write_json(answer, indented=True)
    else:
        _write(answer)
    delivery = answer.get("delivery", {})
    return int(arguments.action == "test" and delivery["status"] != "delivered")


def _asker(workspace: ReachedWorkspace, arguments: Namespace) -> _Ask:
    def ask(method: str, path: str, body: object) -> Encoded:
        return workspace.ask_v1(method, f"{_WEBHOOKS}{path}", arguments.environment, body)

    return ask


def _one(arguments: Namespace) -> str:
    return f"/{quote(arguments.id, safe='')}"


def _change(arguments: Namespace) -> dict[str, object]:
    """Return the fields that options set."""
    wanted: dict[str, object] = {"url": arguments.url, "token": arguments.token, "delivery": arguments.delivery}
    wanted |= {"tags": _listed(arguments.tags), "eventTypes": _listed(arguments.event_types)}
    wanted["enabled"] = arguments.enabled
    return {name: value for name, value in wanted.items() if value is not None}


def _listed(text: str | None) -> list[str] | None:
    return None if text is None else [part.strip() for part in text.split(",") if part.strip()]


def _deliveries(ask: _Ask, arguments: Namespace) -> Encoded:
    query = {"limit": arguments.limit} | ({} if arguments.status is None else {"status": arguments.status})
    return ask("GET", f"{_one(arguments)}/deliveries?{urlencode(query)}", None)


def _replay(ask: _Ask, arguments: Namespace) -> Encoded:
    after, before = encode_time(arguments.after), encode_time(arguments.before)
    return ask("POST", f"{_one(arguments)}/replay", {"after": after, "before": before})


_ACTIONS: Final[Mapping[str, Callable[[_Ask, Namespace], Encoded]]] = {
    "list": lambda ask, _: ask("GET", "", None),
    "create": lambda ask, given: ask("POST", "", _change(given)),
    "edit": lambda ask, given: ask("PATCH", _one(given), _change(given)),
    "delete": lambda ask, given: ask("DELETE", _one(given), None),
    "pause": lambda ask, given: ask("PATCH", _one(given), {"paused": True}),
    "resume": lambda ask, given: ask("PATCH", _one(given), {"paused": False}),
    "test": lambda ask, given: ask("POST", f"{_one(given)}/test", None),
    "deliveries": _deliveries,
    "resend": lambda ask, given: ask("POST", f"{_one(given)}/deliveries/{quote(given.delivery, safe='')}/resend", None),
    "replay": _replay,
}


def _write(answer: Encoded) -> None:
    for webhook in (*answer.get("webhooks", ()), *_some(answer, "webhook")):
        write_line(_webhook_line(webhook))
    for delivery in (*answer.get("deliveries", ()), *_some(answer, "delivery")):
        write_line(_delivery_line(delivery))
    if "webhook" in answer:
        write_line(f"token  {answer['webhook']['token']}")
    if "queued" in answer:
        write_line(f"{count(answer['queued'], 'event')} queued")


def _some(answer: Encoded, name: str) -> list[Encoded]:
    return [answer[name]] if name in answer else []


def _webhook_line(webhook: Encoded) -> str:
    state = "disabled" if not webhook["enabled"] else "paused" if webhook["paused"] else "enabled"
    parts: list[Any] = [webhook["_id"], f"{state:<8}", webhook["delivery"], without_url_secrets(webhook["url"])]
    filters = [*webhook["eventTypes"], *(f"tag {tag}" for tag in webhook["tags"])]
    parts += [f"only {', '.join(filters)}"] if filters else []
    parts += [f"{webhook[name]:,} {name}" for name in ("queued", "failed") if webhook[name]]
    return "  ".join(parts)


def _delivery_line(delivery: Encoded) -> str:
    parts = [delivery["_id"], delivery["createdAt"], f"{delivery['status']:<9}", ", ".join(delivery["eventTypes"])]
    outcome = delivery.get("error") or (f"answered {delivery['statusCode']}" if "statusCode" in delivery else None)
    if outcome is not None:
        parts.append(f"{outcome} ({delivery['durationMs']} ms)")
    if delivery["attempts"] > 1:
        parts.append(count(delivery["attempts"], "attempt"))
    if delivery["status"] == "queued" and delivery["attempts"]:
        parts.append(f"next {delivery['nextAttemptAt']}")
    return "  ".join(parts)
