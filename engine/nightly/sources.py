"""Sources of the files of a sync, fetched by HTTP or from an S3-compatible service.

Both use the guarded client. A request to S3 is a URL that is presigned here, so the secret never leaves this computer.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from engine.domain.errors import FencewrightError
from engine.domain.nightly.settings import FileOptions, SyncProtocol, SyncSettings
from engine.outbound.questions import Bounds, Question, Reply, RequestFailed
from engine.outbound.urls import shown_url

if TYPE_CHECKING:
    from engine.outbound.client import GuardedClient

MAX_ETAG: Final = 256
"""Maximum length of a stored ETag; with a longer one, the file is identified by its content alone."""

MAX_FILE: Final = 64 * 1024 * 1024
BY_HTTP: Final = Bounds(MAX_FILE, 300.0, redirects=5, max_ratio=100)
BY_S3: Final = Bounds(MAX_FILE, 300.0, max_ratio=100)
_SIGNED_FOR: Final = timedelta(minutes=10)
_CODE: Final = re.compile(rb"<Code>([A-Za-z0-9]{1,64})</Code>")
_REASONS: Final = {
    "InvalidAccessKeyId": "cannot be read: the access key ID is unknown",
    "SignatureDoesNotMatch": "cannot be read: the secret access key does not belong to the access key ID",
    "AccessDenied": "cannot be read: the access key lacks the permission GetObject",
    "NoSuchKey": "cannot be read: the bucket has no object with this key",
    "NoSuchBucket": "cannot be read: the bucket does not exist",
    "RequestTimeTooSkewed": "cannot be read: the clock of this computer is wrong",
    "RequestExpired": "cannot be read: the clock of this computer is wrong",
}
_OTHER_REGION: Final = ("PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed")


class Fetched(Struct, frozen=True):
    """A file in its current version; `data` is None if the file is unchanged since the known ETag."""

    data: bytes | None
    etag: str


class Source(Struct, frozen=True):
    """A file of a sync: its name, its identity among the stored ones, how it is read, and the request for it."""

    name: str
    file_name: str
    identity: str
    options: FileOptions
    question: Callable[[dict[str, str], bool], Question]
    reason: Callable[[Reply], str]

    def fetch(self, client: "GuardedClient", etag: str, private: bool, check: Callable[[], None]) -> Fetched:
        """Return the file, unless it is unchanged since an ETag; raises `RequestFailed`, and any error of `check`."""
        question = self.question({"if-none-match": etag} if etag else {}, private)
        reply = client.ask(question, check)
        if reply.status == 304 and etag:
            return Fetched(None, etag)
        if reply.status != 200:
            raise RequestFailed(f"{question.shown} {self.reason(reply)}.")
        if not reply.is_whole:
            raise RequestFailed(f"{question.shown} has no Content-Length, so it may be incomplete.")
        etag = reply.headers.get("etag", "")
        return Fetched(reply.body, etag if len(etag) <= MAX_ETAG else "")


def sources_of(settings: SyncSettings, secret: str | None) -> Iterator[Source]:
    """Yield the sources of a sync in order."""
    if settings.protocol is SyncProtocol.HTTP:
        return (_by_http(settings, url) for url in settings.urls)
    if secret is None:
        raise FencewrightError("The secret access key is not on this computer; set it again.")
    return (_by_s3(settings, secret, key) for key in settings.object_keys)


def identities_of(settings: SyncSettings, files: Iterable[str]) -> tuple[str, ...]:
    """Return the identities of files of a sync, given by their URLs or object keys."""
    return tuple(
        _hashed("HTTP", file) if settings.protocol is SyncProtocol.HTTP else _of_s3(settings, file) for file in files
    )


def _of_s3(settings: SyncSettings, key: str) -> str:
    return _hashed("S3", settings.endpoint or "", settings.region or "", settings.bucket or "", key)


def _by_http(settings: SyncSettings, url: str) -> Source:
    def question(headers: dict[str, str], private: bool) -> Question:
        return Question(url=url, bounds=BY_HTTP, headers=headers, private=private)

    name = unquote(urlsplit(url).path).rstrip("/").rpartition("/")[2] or urlsplit(url).netloc
    return Source(
        shown_url(url),
        name,
        _hashed("HTTP", url),
        settings.options_of(url),
        question,
        lambda reply: f"answered with the status {reply.status}",
    )


def _by_s3(settings: SyncSettings, secret: str, key: str) -> Source:
    def question(headers: dict[str, str], private: bool) -> Question:
        name = f"The object {key} of the bucket {settings.bucket}"
        return Question(url=_signed(settings, secret, key), bounds=BY_S3, headers=headers, private=private, name=name)

    name, options = key.rpartition("/")[2] or key, settings.options_of(key)
    return Source(f"s3://{settings.bucket}/{key}", name, _of_s3(settings, key), options, question, _s3_reason)


def _signed(settings: SyncSettings, secret: str, key: str) -> str:
    # Imported here because most workspaces have nothing to sign.
    import obstore
    from obstore.exceptions import BaseError
    from obstore.store import S3Store

    try:
        store = S3Store(
            settings.bucket,
            region=settings.region,
            access_key_id=settings.access_key_id,
            secret_access_key=secret,
            endpoint=settings.endpoint,
            virtual_hosted_style_request=settings.endpoint is None and "." not in (settings.bucket or ""),
            client_options={"allow_http": True},
        )
        return obstore.sign(store, "GET", key, _SIGNED_FOR)
    except (BaseError, ValueError) as error:
        # The error messages may repeat the settings.
        raise RequestFailed(f"The object {key} cannot be asked for: {type(error).__name__}.") from None


def _s3_reason(reply: Reply) -> str:
    found = _CODE.search(reply.body[:4096])
    code = found[1].decode() if found else ""
    region = reply.headers.get("x-amz-bucket-region", "")
    if code in _OTHER_REGION or reply.status in (301, 307):
        suffix = f", {region}" if re.fullmatch(r"[a-z0-9-]{1,40}", region) else ""
        return f"cannot be read: the bucket is in another region{suffix}"
    return _REASONS.get(code, f"cannot be read: the service answered {reply.status}{f' {code}' if code else ''}")


def _hashed(*parts: str) -> str:
    return sha256("\0".join(parts).encode()).hexdigest()
