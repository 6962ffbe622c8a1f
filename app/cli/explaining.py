"""``fencewright explain``: the reasons why a location update fired events or did not."""

from argparse import Namespace

from app.api.commands import tracking
from app.api.wire.common.encoding import Encoded
from app.cli.targets import existing_workspace
from app.cli.terminal.output import write_json, write_line
from app.cli.workspaces import reach_workspace
from engine.domain.tracking.decision import FACTS, Outcome, would_have
from engine.domain.tracking.explaining import UpdateQuery
from engine.domain.tracking.verdicts import FIRED, NOT_FIRED


def explain(arguments: Namespace) -> int:
    """Write the outcome of the update for each nearby geofence, and the rules that decided."""
    query = UpdateQuery(device_id=arguments.device, user_id=arguments.user, at=arguments.at)
    with reach_workspace(existing_workspace(arguments)) as workspace:
        explained = workspace.run(tracking.explain, query, arguments.environment)
    if arguments.json:
        write_json(explained, indented=True)
    else:
        _write(explained)
    return 0


def _write(explained: Encoded) -> None:
    _write_update(explained["update"])
    for explanation in explained["explanations"]:
        write_line("")
        _write_explanation(explanation)
    if not explained["explanations"]:
        write_line("no geofence is nearby")
    if explained["eventExplanations"]:
        write_line("")
    for explanation in explained["eventExplanations"]:
        _write_event(explanation)


def _write_update(update: Encoded) -> None:
    longitude, latitude = update["location"]["coordinates"]
    user = f", user {update['user']['userId']}" if "userId" in update["user"] else ""
    address = f", from {update['ip']}" if "ip" in update else ""
    state = ", ".join(name for name in ("foreground", "stopped", "replayed") if update[name])
    write_line(f"update {update['number']} of device {update['deviceId']}{user}: {update['updatedAt']}")
    if "lateAfter" in update:
        write_line(
            f"late: its own time is before {update['lateAfter']}, the user's newest one; it has the server's time"
        )
    write_line(
        f"latitude {latitude:.6f}, longitude {longitude:.6f}, accuracy {update['locationAccuracy']:g} m"
        f"{', ' + state if state else ''}{address}"
    )


def _write_explanation(explanation: Encoded) -> None:
    geofence, distance = explanation["geofence"], explanation["distance"]
    offset = f"{abs(distance):.1f} m {'outside' if distance > 0 else 'inside'}"
    share = f"{explanation['share']:.0%} of the accuracy circle inside"
    measured = f"{offset}, {share}, confidence {explanation['confidence']}"
    name = f"{geofence['tag']}/{geofence['externalId']}  {geofence['description']}"
    write_line(f"{name}: {explanation['decision']} ({measured})")
    for rule in explanation["rules"]:
        write_line(f"  {_mark(rule)} {rule['rule']}: {rule['text']}")
    if explanation["remedies"]:
        write_line(f"  {would_have(Outcome(explanation['decision']))}")
        for remedy in explanation["remedies"]:
            write_line(f"    → {remedy['text']}")


def _write_event(explanation: Encoded) -> None:
    about = explanation.get("about")
    name = "" if about is None else f"{about['type']} {about['name']}  "
    if len(explanation["rules"]) == 1:
        write_line(f"{name}{explanation['text']}")
        return
    write_line(f"{name}{explanation['type']} {FIRED if explanation['fired'] else NOT_FIRED}")
    for rule in explanation["rules"]:
        mark = "✓" if rule["passed"] else "•" if rule["fact"] else "✗"
        write_line(f"  {mark} {rule['rule']}: {rule['text']}")


def _mark(rule: Encoded) -> str:
    """Return ✓ for a rule that passed, ✗ for one that failed, and • for a fact that is neither."""
    if rule["passed"]:
        return "✓"
    return "•" if rule["rule"] in FACTS else "✗"
