"""Errors as values that every interface can show.

An error is raised once, at its source, and shown by each interface in its own way: a status code on the wire, a red
field in a form, a row in an import report, a line on the terminal.
"""


class FencewrightError(Exception):
    """Base class of all errors for users; the text is a complete sentence."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __reduce__(self) -> tuple[object, ...]:
        # The arguments of subclasses differ from `args`, from which an exception is created by default.
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[FencewrightError], args: tuple[object, ...], fields: dict[str, object]) -> FencewrightError:
    """Return an error that another process has sent."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


def renamed(message: str, param: str, name: str) -> str:
    """Return a message about a field with another name for that field."""
    return f"{name}{message.removeprefix(param)}" if message.startswith(f"{param}: ") else message


class InvalidParameter(FencewrightError):
    """Raised for a value that cannot be accepted.

    `param` names the field as the engine does (``external_id``, ``radius_m``), and so does the message, which begins
    with it. Each interface uses its own spelling: that of the wire, a column of a table, the label of a form.
    """

    def __init__(self, param: str, message: str) -> None:
        super().__init__(message)
        self.param = param


class NotFound(FencewrightError):
    """Raised if no record in this environment has the identifier."""

    def __init__(self, param: str, message: str) -> None:
        super().__init__(message)
        self.param = param


class Conflict(FencewrightError):
    """Raised if a change contradicts the stored data, such as a second geofence with the same tag and external ID."""

    def __init__(self, param: str, message: str) -> None:
        super().__init__(message)
        self.param = param


class StorageUnavailable(FencewrightError):
    """Raised if the database could not be read or written (disk full, file removed); nothing was stored."""


class RoutingUnavailable(FencewrightError):
    """Raised if the router did not answer in time, or a remote routing server cannot be reached."""


class GeocodingUnavailable(FencewrightError):
    """Raised if a remote geocoding server did not answer in time or cannot be reached, or a data file is damaged."""


class NoGeocodingData(GeocodingUnavailable):
    """Raised without data to search, in which case absence cannot be determined. The text names the command to run."""


class WorkspaceError(FencewrightError):
    """Raised if the workspace cannot be opened or created; the text has the reason and a remedy."""


class WorkspaceBusy(WorkspaceError):
    """Raised if another process has the workspace open."""


class WorkspaceUnreachable(WorkspaceError):
    """Raised if the process with the open workspace stopped answering before it received the request."""


class AnswerLost(WorkspaceError):
    """Raised if the process with the open workspace ended without a response; it may have carried out the request."""


class WorkspaceStopped(AnswerLost):
    """Raised if the process with the open workspace was stopped and cancelled the request, which changed nothing."""


class AddressInUse(FencewrightError):
    """Raised if another program uses the endpoint's address."""
