"""Settings of the nightly sync of an environment, except its secrets, which are stored separately."""

import re
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET, Unset
from engine.domain.imports import NO_REPAIRS, Encoding, ImportOptions, Repair
from engine.domain.values import replace

MAX_FILES: Final = 50
MAX_NAME: Final = 1_024
MAX_SECRET: Final = 1_024

_EMAIL: Final = re.compile(r"[^\s@<>()\[\],;:\"\\]+@[^\s@<>()\[\],;:\"\\]+")
_BUCKET: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,254}", re.ASCII)
_REGION: Final = re.compile(r"[A-Za-z0-9-]{1,64}", re.ASCII)
_HOST: Final = re.compile(r"(?!\[|[^:]*:[^:]*$)[^\s/@?#\\\]]{1,253}")
"""A name or an address without a port. An IPv6 address has several colons."""


class SyncProtocol(StrEnum):
    """The protocol to fetch the files of a sync."""

    HTTP = "HTTP"
    S3 = "AWS S3"


class SmtpSecurity(StrEnum):
    """Encryption of the connection to a mail server."""

    STARTTLS = "starttls"
    TLS = "tls"
    NONE = "none"


class FileOptions(Struct, frozen=True, kw_only=True):
    """How a file of a sync is read: its URL or object key, and the options of an import with the same names."""

    file: str
    layer: str | None = None
    sheet: str | None = None
    encoding: Encoding | None = None
    mapping: dict[str, str] = {}
    fixed: dict[str, str] = {}
    id: str | None = None
    metadata: tuple[str, ...] = ()
    repairs: frozenset[Repair] = NO_REPAIRS
    line_width_m: float | None = None

    def import_options(self) -> ImportOptions:
        """Return the options for importing the file."""
        return ImportOptions(
            layer=self.layer,
            sheet=self.sheet,
            encoding=self.encoding,
            mapping=self.mapping,
            fixed=self.fixed,
            id=self.id,
            metadata=self.metadata,
            repairs=self.repairs,
            line_width_m=self.line_width_m,
            keep_good_rows=True,
        )


_PORTS: Final = {SmtpSecurity.STARTTLS: 587, SmtpSecurity.TLS: 465, SmtpSecurity.NONE: 25}


class SyncSettings(Struct, frozen=True, kw_only=True):
    """The settings of one environment; `hour` is in its `time_zone`, or in this computer's if it is None."""

    enabled: bool = False
    notification_email: str | None = None
    protocol: SyncProtocol = SyncProtocol.HTTP
    urls: tuple[str, ...] = ()
    region: str | None = None
    bucket: str | None = None
    object_keys: tuple[str, ...] = ()
    file_options: tuple[FileOptions, ...] = ()
    """Options of single files; the others are read without any."""
    access_key_id: str | None = None
    endpoint: str | None = None
    """The URL of an S3-compatible service, or None for AWS."""
    hour: int = 2
    time_zone: str | None = None
    delete_missing: bool = False
    """Whether to delete geofences that an earlier file created and that are no longer in it."""
    smtp_host: str | None = None
    smtp_port: int | None = None
    smtp_security: SmtpSecurity = SmtpSecurity.STARTTLS
    smtp_user: str | None = None
    smtp_from: str | None = None

    @property
    def mail_port(self) -> int:
        """The port of the mail server."""
        return self.smtp_port or _PORTS[self.smtp_security]

    @property
    def mail_sender(self) -> str:
        """The sender address of e-mails."""
        return self.smtp_from or f"fencewright@{self.smtp_host}"

    def options_of(self, file: str) -> FileOptions:
        """Return the options of a file, given by its URL or object key."""
        return next((each for each in self.file_options if each.file == file), FileOptions(file=file))


DEFAULT_SYNC: Final = SyncSettings()


class SyncChange(Struct, frozen=True, kw_only=True):
    """The settings to change. A field that is `UNSET` keeps its value, None resets it. The last two are the secrets."""

    enabled: bool | Unset | None = UNSET
    notification_email: str | Unset | None = UNSET
    protocol: SyncProtocol | Unset | None = UNSET
    urls: tuple[str, ...] | Unset | None = UNSET
    region: str | Unset | None = UNSET
    bucket: str | Unset | None = UNSET
    object_keys: tuple[str, ...] | Unset | None = UNSET
    file_options: tuple[FileOptions, ...] | Unset | None = UNSET
    access_key_id: str | Unset | None = UNSET
    endpoint: str | Unset | None = UNSET
    hour: int | Unset | None = UNSET
    time_zone: str | Unset | None = UNSET
    delete_missing: bool | Unset | None = UNSET
    smtp_host: str | Unset | None = UNSET
    smtp_port: int | Unset | None = UNSET
    smtp_security: SmtpSecurity | Unset | None = UNSET
    smtp_user: str | Unset | None = UNSET
    smtp_from: str | Unset | None = UNSET
    secret_access_key: str | Unset | None = UNSET
    smtp_password: str | Unset | None = UNSET

    def secrets(self) -> dict[str, str | None]:
        """Return the secrets to change."""
        given = {name: getattr(self, name) for name in SECRETS}
        return {name: value or None for name, value in given.items() if value is not UNSET}


SECRETS: Final = ("secret_access_key", "smtp_password")
_MAIL_SERVER: Final = ("smtp_host", "smtp_port", "smtp_security", "smtp_user")


def changed_sync(settings: SyncSettings, change: SyncChange) -> SyncSettings:
    """Return the settings after a change. Raises `InvalidParameter` naming the setting if a value is invalid.

    The options of a file are forgotten with the file, unless the change also gives options.
    """
    given = {name: getattr(change, name) for name in SyncSettings.__struct_fields__}
    chosen = {
        name: getattr(DEFAULT_SYNC, name) if value is None or value == "" else value
        for name, value in given.items()
        if value is not UNSET
    }
    for name, secret in change.secrets().items():
        if secret is not None and (len(secret) > MAX_SECRET or not secret.isprintable()):
            raise InvalidParameter(name, f"{name}: must have at most {MAX_SECRET} printable characters.")
    after = replace(settings, **chosen)
    if change.file_options is UNSET:
        files = {*after.urls, *after.object_keys}
        after = replace(after, file_options=tuple(each for each in after.file_options if each.file in files))
    return _checked(after)


def changed_files(before: SyncSettings, after: SyncSettings) -> tuple[str, ...]:
    """Return the files whose options differ."""
    files = dict.fromkeys(each.file for each in (*before.file_options, *after.file_options))
    return tuple(file for file in files if before.options_of(file) != after.options_of(file))


def other_mail_server(before: SyncSettings, after: SyncSettings) -> bool:
    """Return whether the mail server has changed, so that its password must not be used any more."""
    return before.smtp_host is not None and any(getattr(before, name) != getattr(after, name) for name in _MAIL_SERVER)


def check_complete(settings: SyncSettings) -> None:
    """Raise `InvalidParameter` naming a setting that a sync still requires."""
    if settings.protocol is SyncProtocol.HTTP:
        needed: tuple[str, ...] = ("urls",)
    else:
        needed = ("region", "bucket", "object_keys", "access_key_id")
    for name in needed:
        if not getattr(settings, name):
            raise InvalidParameter(name, f"{name}: is required for a sync by {settings.protocol}.")
    if settings.notification_email and not settings.smtp_host:
        raise InvalidParameter("smtp_host", "smtp_host: is required to send the notification e-mail.")


def _checked(settings: SyncSettings) -> SyncSettings:
    for param in ("notification_email", "smtp_from"):
        value = getattr(settings, param)
        if value is not None and not (len(value) <= 254 and _EMAIL.fullmatch(value) and value.isprintable()):
            raise InvalidParameter(param, f"{param}: must be one e-mail address such as ops@example.com.")
    for param, pattern, example in (
        ("region", _REGION, "a region such as eu-central-1"),
        ("bucket", _BUCKET, "the name of a bucket"),
        ("smtp_host", _HOST, "a host name such as smtp.example.com, without a port, which is a setting of its own"),
    ):
        value = getattr(settings, param)
        if value is not None and not pattern.fullmatch(value):
            raise InvalidParameter(param, f"{param}: must be {example}.")
    _check_names("object_keys", settings.object_keys)
    _check_names("urls", settings.urls)
    for param in ("access_key_id", "smtp_user"):
        _check_names(param, (getattr(settings, param) or "-",))
    if not 0 <= settings.hour <= 23:
        raise InvalidParameter("hour", f"hour: must be within [0, 23], not {settings.hour}.")
    if settings.smtp_port is not None and not 1 <= settings.smtp_port <= 65_535:
        raise InvalidParameter("smtp_port", "smtp_port: must be within [1, 65535].")
    if settings.time_zone is not None:
        _check_zone(settings.time_zone)
    if settings.enabled:
        check_complete(settings)
    return settings


def _check_names(param: str, names: tuple[str, ...]) -> None:
    if len(names) > MAX_FILES:
        raise InvalidParameter(param, f"{param}: at most {MAX_FILES} are allowed, not {len(names)}.")
    for name in names:
        if not name.strip() or len(name) > 2 * MAX_NAME or not name.isprintable():
            raise InvalidParameter(param, f"{param}: each must have 1 to {2 * MAX_NAME} printable characters.")
    if len(set(names)) < len(names):
        raise InvalidParameter(param, f"{param}: each must be given once.")


def _check_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (LookupError, OSError, ValueError):  # an unknown zone, a folder of the database, or a path outside of it
        raise InvalidParameter("time_zone", "time_zone: must be a time zone such as Europe/Zurich.") from None


def last_due(settings: SyncSettings, now: datetime) -> datetime:
    """Return the last moment, up to `now`, at which a sync was due."""
    today = _local_date(settings, now)
    moment = _moment(settings, today)
    return moment if moment <= now else _moment(settings, today - timedelta(days=1))


def next_due(settings: SyncSettings, now: datetime) -> datetime:
    """Return the first moment after `now` at which a sync is due."""
    today = _local_date(settings, now)
    moment = _moment(settings, today)
    return moment if moment > now else _moment(settings, today + timedelta(days=1))


def _local_date(settings: SyncSettings, now: datetime) -> date:
    return now.astimezone(None if settings.time_zone is None else ZoneInfo(settings.time_zone)).date()


def _moment(settings: SyncSettings, day: date) -> datetime:
    zone = None if settings.time_zone is None else ZoneInfo(settings.time_zone)
    # Without a zone, the time is in the zone of this computer.
    local = datetime(day.year, day.month, day.day, settings.hour, tzinfo=zone)
    return local.astimezone(UTC)
