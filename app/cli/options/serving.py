"""The options of the commands that open the window or serve the API."""

from pathlib import Path
from typing import Final

from app.cli.options.shared import Commands, Parser, add, add_workspace
from app.cli.terminal.values import read_allowed_host, read_clock, read_geocoder, read_port, read_url
from app.endpoint import DEFAULT_PORT, LOOPBACK

DESKTOP: Final = "desktop"


def add_desktop(commands: Commands) -> None:
    """Add ``desktop``."""
    parser = add(
        commands,
        DESKTOP,
        "open the window (the default)",
        "Open the window, which serves the /v1 API, too.",
    )
    words = "open it as if dropped on the window: geofences, a track or an extract"
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help=words)
    add_workspace(parser)
    add_address(parser)
    add_router(parser)
    add_geocoder(parser)
    add_seed(parser)
    parser.add_argument("--language", metavar="CODE", help="en, de or system, this time (default: as chosen in View)")


def add_serve(commands: Commands) -> None:
    """Add ``serve``."""
    parser = add(
        commands,
        "serve",
        "serve the /v1 API without a window",
        "Serve the /v1 API until SIGTERM or Ctrl-C. The workspace is created if it does not exist.",
    )
    add_workspace(parser)
    add_address(parser)
    parser.add_argument(
        "--area",
        action="append",
        default=[],
        metavar="NAME",
        help="use this area instead of the workspace's; repeatable",
    )
    add_router(parser)
    add_geocoder(parser)
    parser.add_argument("--verbose", action="store_true", help="log each request to standard error")
    parser.add_argument(
        "--ready-file",
        type=Path,
        metavar="FILE",
        help="once it listens, write its URL, process ID, workspace and keys as JSON; removed on exit",
    )
    parser.add_argument("--stop-on-eof", action="store_true", help="stop when standard input ends")
    add_seed(parser)
    parser.add_argument(
        "--clock",
        type=read_clock,
        metavar="ISO",
        help="freeze the Test clock at this time, whatever the seed says; POST /v1/clock changes it",
    )


def add_demo(commands: Commands) -> None:
    """Add ``demo``."""
    parser = add(
        commands,
        "demo",
        "play a demo track in the window, in its own workspace",
        "Play a demo track in the window, in its own workspace, and write each event as a line of JSON.",
    )
    parser.add_argument("--screenshot", type=Path, metavar="FILE.png", help="save a screenshot and exit")


def add_address(parser: Parser) -> None:
    """Add the options for the address that the endpoint listens on."""
    parser.add_argument(
        "--host",
        default=LOOPBACK,
        metavar="ADDRESS",
        help=f"address to listen on (default: {LOOPBACK}; 0.0.0.0 for the network)",
    )
    parser.add_argument(
        "--port",
        type=read_port,
        default=DEFAULT_PORT,
        metavar="N",
        help=f"port to listen on; 0 picks a free one (default: {DEFAULT_PORT})",
    )
    parser.add_argument("--tls", action="store_true", help="serve HTTPS; see `fencewright certificate`")
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        type=read_allowed_host,
        metavar="NAME",
        help="also accept this host name or address; repeatable",
    )


def add_seed(parser: Parser) -> None:
    """Add ``--seed``."""
    parser.add_argument(
        "--seed",
        type=Path,
        metavar="FILE",
        help="fill the empty workspace from a file of `fencewright snapshot`; POST /v1/reset restores it",
    )


def add_router(parser: Parser) -> None:
    """Add ``--router``."""
    parser.add_argument("--router", type=read_url, metavar="URL", help="find routes with this Valhalla server")


def add_geocoder(parser: Parser) -> None:
    """Add ``--geocoder``."""
    parser.add_argument(
        "--geocoder",
        type=read_geocoder,
        metavar="KIND+URL",
        help="ask this server for addresses first: nominatim+, photon+ or pelias+URL",
    )
