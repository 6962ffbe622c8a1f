"""Files in buckets of S3 and of services that speak its protocol.

Credentials and the endpoint come from the environment: ``AWS_ACCESS_KEY_ID``, ``AWS_SECRET_ACCESS_KEY``,
``AWS_SESSION_TOKEN``, ``AWS_REGION``, ``AWS_ENDPOINT_URL``, ``AWS_ALLOW_HTTP``; ``AWS_SKIP_SIGNATURE`` reads public
buckets without credentials.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import cache
from typing import IO, TYPE_CHECKING, Final

from engine.backtest.reading.names import HISTORY
from engine.backtest.reading.ranges import HistoryChanged, State, buffered
from engine.domain.errors import FencewrightError, InvalidParameter

if TYPE_CHECKING:
    from obstore.store import S3Store

_SCHEME: Final = "s3://"
_BUCKET: Final = re.compile(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?", re.DOTALL)
_CODE: Final = re.compile(r"<Code>([A-Za-z0-9]{1,64})</Code>")
_PATTERN: Final = re.compile(r"[*?\[]")


def is_address(item: str) -> bool:
    """Return whether a part of a history is in a bucket."""
    return item.lower().startswith(_SCHEME)


def listed(address: str) -> dict[str, State]:
    """Return the objects at an address, below it, or that match its pattern, with their states.

    Raises `InvalidParameter` naming ``history`` for an invalid address, or `FencewrightError` with the reason.
    """
    import obstore

    bucket, key = _parts(address)
    pattern = _PATTERN.search(key)
    prefix = key[: pattern.start()].rpartition("/")[0] if pattern else key.rstrip("/")
    with _errors():
        objects = [each for some in obstore.list(_store(bucket), prefix or None) for each in some]
        if not objects and key:
            head = obstore.head(_store(bucket), key)
            objects = [head]
    states = {each["path"]: State(each["size"], each["e_tag"] or str(each["last_modified"])) for each in objects}
    wanted = (name for name in states if not pattern or fnmatchcase(name, key))
    return {f"{_SCHEME}{bucket}/{name}": states[name] for name in wanted}


def opened(address: str, state: State) -> IO[bytes]:
    """Open an object in a state; reading raises `HistoryChanged` if it has another one."""
    import obstore
    from obstore.exceptions import NotFoundError, PreconditionError

    bucket, key = _parts(address)

    def fetch(start: int, end: int) -> bytes:
        try:
            with _errors((NotFoundError, PreconditionError)):
                found = obstore.get(_store(bucket), key, options={"range": (start, end), "if_match": state.version})
                return bytes(found.bytes())
        except PreconditionError:
            raise HistoryChanged(f"{address} changed after it was checked; start the back-test again.") from None
        except (NotFoundError, FileNotFoundError):
            raise HistoryChanged(f"{address} disappeared after it was checked.") from None

    return buffered(state.size, fetch)


def _parts(address: str) -> tuple[str, str]:
    """Return the bucket and the key of an address."""
    matched = _BUCKET.fullmatch(address)
    if matched is None:
        raise InvalidParameter(HISTORY, f"{HISTORY}: {address} is not an address such as s3://bucket/folder.")
    return matched[1], matched[2] or ""


@cache
def _store(bucket: str) -> "S3Store":
    # Imported here because most back-tests read local files.
    from obstore.store import S3Store

    return S3Store(bucket)


@contextmanager
def _errors(kept: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Raise the errors of the store as ones for users, except for those that are `kept`."""
    from obstore.exceptions import BaseError, NotFoundError, PermissionDeniedError, UnauthenticatedError

    try:
        yield
    except kept:
        raise
    except (NotFoundError, FileNotFoundError):
        if kept:
            raise
        raise FencewrightError("there is no such bucket or object.") from None
    except (PermissionDeniedError, UnauthenticatedError, PermissionError):
        raise FencewrightError("access is denied; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.") from None
    except (BaseError, OSError, ValueError) as error:
        # The messages of these errors may repeat the settings.
        code = _CODE.search(str(error))
        if code and code[1] == "NoSuchBucket":
            raise FencewrightError("there is no such bucket or object.") from None
        raise FencewrightError(f"the bucket cannot be read ({code[1] if code else type(error).__name__}).") from None


def forget_stores() -> None:
    """Read the environment again for the next address."""
    _store.cache_clear()
