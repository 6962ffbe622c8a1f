"""``fencewright snapshot``: a workspace as a file, which ``serve --seed`` starts from."""

import sys
from argparse import Namespace

from app.api.commands import workspace as commands
from app.cli.targets import existing_workspace
from app.cli.terminal.output import note
from app.cli.workspaces import reach_workspace
from app.files import write_file
from app.seeds import write_seed
from engine.domain.errors import InvalidParameter
from engine.domain.words import count
from engine.store.workspace import MEMORY


def snapshot(arguments: Namespace) -> int:
    """Write the snapshot to the file, or to standard output."""
    folder = existing_workspace(arguments)
    if folder == MEMORY:
        raise InvalidParameter(
            "workspace",
            f"{MEMORY} would be a new, empty workspace. The path of a running server's workspace is in its ready file.",
        )
    with reach_workspace(folder) as workspace:
        taken = workspace.run(commands.snapshot, None)
    content = write_seed(taken)
    if arguments.output is None:
        sys.stdout.write(content.decode())
        sys.stdout.flush()
        return 0
    write_file(arguments.output, content, owner_only=True)
    geofences, users = count(len(taken["geofences"]), "geofence"), count(len(taken["users"]), "user")
    note(f"{geofences} and {users} written to {arguments.output}")
    return 0
