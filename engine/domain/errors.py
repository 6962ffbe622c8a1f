"""Errors as values that every interface can show.

An error is raised once, where it is known, and shown by each interface in its own way: a status code on the wire,
a red field in a form, a row in an import report, a line on the terminal.
"""


class FencewrightError(Exception):
    """Base of every error that is meant for a user; its text is a whole sentence."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def renamed(message: str, param: str, name: str) -> str:
    """Return a message that names a field, with another name for that field."""
    return f"{name}{message.removeprefix(param)}" if message.startswith(f"{param}: ") else message


class InvalidParameter(FencewrightError):
    """A value that cannot be accepted.

    `param` names the field as the engine does (``external_id``, ``radius_m``), and so does the message, which begins
    with it. Each interface spells it in its own way: the wire, a column of a table, the label of a form.
    """

    def __init__(self, param: str, message: str) -> None:
        super().__init__(message)
        self.param = param


class NotFound(FencewrightError):
    """Nothing has this identifier in this environment."""

    def __init__(self, param: str, message: str) -> None:
        super().__init__(message)
        self.param = param


class Conflict(FencewrightError):
    """The change contradicts what is stored, such as a second geofence with the same tag and external ID."""

    def __init__(self, param: str, message: str) -> None:
        super().__init__(message)
        self.param = param


class StorageUnavailable(FencewrightError):
    """The database could not be read or written (disk full, file removed); nothing was stored."""


class RoutingUnavailable(FencewrightError):
    """The router did not answer in time, or the server that routes for us cannot be reached."""


class GeocodingUnavailable(FencewrightError):
    """The server that geocodes for us did not answer in time, or cannot be reached; or a file of ours is damaged."""


class NoGeocodingData(GeocodingUnavailable):
    """There is nothing to look it up in, so that nobody can say that it is not there; the text says what to run."""


class WorkspaceError(FencewrightError):
    """The workspace cannot be opened or created; the text says why and what to do."""


class WorkspaceBusy(WorkspaceError):
    """Another process has the workspace open."""


class WorkspaceGone(WorkspaceError):
    """The process that had the workspace open does not answer any more; it has not received the request."""


class AnswerLost(WorkspaceError):
    """The process that had the workspace open received a request and ended without a response: it may have done it."""


class WorkspaceStopped(AnswerLost):
    """The process that had the workspace open was stopped and cancelled the request: it has changed nothing."""


class AddressInUse(FencewrightError):
    """The endpoint's address is taken by another program."""
