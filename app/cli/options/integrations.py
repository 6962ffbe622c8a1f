"""The options of the commands for the nightly sync and webhooks."""

from app.cli.options.shared import Commands, Parser, add, add_environment, add_json, add_reading, add_workspace
from app.cli.terminal.values import read_limit, read_moment, read_port, read_status


def add_sync(commands: Commands) -> None:
    """Add ``sync``."""
    parser = add(
        commands,
        "sync",
        "show, set and run the nightly sync",
        "Import geofences every night from web servers or S3 buckets.",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=Parser)
    show = add(actions, "show", "show the settings and the result of the last sync")
    change = add(
        actions,
        "set",
        "change settings",
        "Change settings. NAME= resets one; NAME alone prompts for the value or reads standard input, for secrets. "
        "Options for reading a file replace those it has.",
    )
    change.add_argument("assignments", nargs="*", metavar="NAME[=VALUE]", help="such as urls=https://example.com/a.csv")
    change.add_argument("--file", metavar="URL|KEY", help="whose options for reading (default: the only one)")
    add_reading(change)
    change.add_argument("--plain", action="store_true", help="remove the file's options for reading")
    run = add(actions, "run", "sync now", "Sync now. The exit code is 1 unless every file and row was imported.")
    run.add_argument("--force", action="store_true", help="import unchanged files as well")
    for action in (show, change, run):
        add_workspace(action)
        add_environment(action)
        add_json(action)


def add_webhooks(commands: Commands) -> None:
    """Add ``webhooks``."""
    parser = add(
        commands,
        "webhooks",
        "send events to your servers and inspect the deliveries",
        "Webhooks receive events as signed POST requests while the server or window runs.",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=Parser)
    listed = add(actions, "list", "list the webhooks")
    create = add(actions, "create", "create a webhook")
    create.add_argument("url", metavar="URL")
    edit = add(actions, "edit", "change a webhook")
    edit.add_argument("id", metavar="ID")
    edit.add_argument("--url", metavar="URL", help="the new URL")
    for each in (create, edit):
        each.add_argument("--token", metavar="TOKEN", help="secret that signs requests")
        each.add_argument("--delivery", choices=("single", "multiple"), help="one event per request, or up to five")
        each.add_argument("--event-types", metavar="A,B", help="only events of these types; '' for all")
        each.add_argument("--tags", metavar="A,B", help="only events with these tags; '' for all")
        switch = each.add_mutually_exclusive_group()
        switch.add_argument("--enable", dest="enabled", action="store_true", default=None, help="queue and send events")
        switch.add_argument("--disable", dest="enabled", action="store_false", help="neither queue nor send events")
    named = [
        add(actions, "delete", "delete a webhook with its deliveries"),
        add(actions, "pause", "queue events without sending them"),
        add(actions, "resume", "send the queued events and new ones"),
        add(actions, "test", "send a test event; the exit code is 1 if it is not acknowledged"),
        add(actions, "deliveries", "list deliveries, newest first"),
        add(actions, "resend", "send a delivery again; a queued one is sent at once"),
        add(actions, "replay", "send the events of a time range again"),
    ]
    for each in named:
        each.add_argument("id", metavar="ID")
    deliveries, resend, replay = named[-3:]
    deliveries.add_argument(
        "--status", choices=("queued", "delivered", "failed"), help="only deliveries with this status"
    )
    deliveries.add_argument(
        "--limit", type=read_limit, default=100, metavar="N", help="how many to list (default: 100)"
    )
    resend.add_argument("delivery", metavar="DELIVERY")
    replay.add_argument("--after", type=read_moment, required=True, metavar="TIME", help="only events after this time")
    replay.add_argument(
        "--before", type=read_moment, required=True, metavar="TIME", help="only events before this time"
    )
    for each in (listed, create, edit, *named):
        add_workspace(each)
        add_environment(each)
        add_json(each)


def add_listen(commands: Commands) -> None:
    """Add ``listen``."""
    parser = add(
        commands,
        "listen",
        "receive webhooks, show what arrives and check the signature",
        "Receive, acknowledge and show webhooks until Ctrl-C, and check their signatures.",
    )
    parser.add_argument(
        "--port",
        type=read_port,
        default=8788,
        metavar="N",
        help="port to listen on (default: 8788); 0 picks a free one",
    )
    parser.add_argument("--token", metavar="TOKEN", help="the webhook's token, to check signatures")
    parser.add_argument(
        "--status",
        type=read_status,
        default=200,
        metavar="N",
        help="respond with this status (default: 200)",
    )
    add_json(parser)
