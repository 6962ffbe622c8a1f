"""The devices that a workspace knows, for errors and notes about an unknown one."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from app.api.commands import tracking
from app.api.wire.common.encoding import Encoded
from app.cli.terminal.output import note
from app.cli.workspaces import ReachedWorkspace
from engine.domain.environment import Environment
from engine.domain.errors import NotFound


@contextmanager
def naming_known_devices(
    workspace: ReachedWorkspace, environment: Environment, device_ids: Sequence[str]
) -> Iterator[None]:
    """Add the known devices to an error about a device whose location updates are not kept."""
    try:
        yield
    except NotFound as error:
        if error.param != "device" or not device_ids:
            raise
        missing = next((each for each in device_ids if repr(each) in error.message), device_ids[0])
        known = workspace.run(tracking.known_devices, missing, environment)
        raise NotFound(error.param, f"{error.message}{_hint(known, missing, environment)}") from None


def note_unknown_device(workspace: ReachedWorkspace, environment: Environment, device_id: str) -> None:
    """Tell the user which devices are known, unless the device is one of them."""
    known = workspace.run(tracking.known_devices, device_id, environment)
    if device_id not in known["deviceIds"] and (hint := _hint(known, device_id, environment)):
        note(f"No location updates are kept for the device {device_id!r}.{hint}")


def _hint(known: Encoded, missing: str, environment: Environment) -> str:
    names = known["deviceIds"]
    if known["closest"] == missing:  # the device has updates, but none of the user or the time
        return ""
    if known["elsewhere"]:
        other = next(each for each in Environment if each is not environment)
        return f" There are some in {other.capitalize()}; give --environment {other}."
    if not names:
        return f" No updates of any device are kept in {environment.capitalize()}."
    closest = f" Did you mean {known['closest']!r}?" if known["closest"] else ""
    more = f" and {known['more']:,} more" if known["more"] else ""
    return f"{closest} Known devices: {', '.join(names)}{more}."
