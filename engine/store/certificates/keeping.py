"""The certificate authority of a workspace, and the certificate that its endpoint uses for TLS.

Users have to make their devices trust the authority, so it is created once and kept. The endpoint's certificate is
issued again whenever its names change or it is about to expire, which does not affect devices.
"""

import logging
import os
from collections.abc import Iterable
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.domain.errors import WorkspaceError
from engine.domain.ports import Clock, SystemClock
from engine.domain.values import replace
from engine.store.certificates.issuing import is_for_servers_only, is_permitted, new_authority, new_server
from engine.store.keys import write_private

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

FOLDER: Final = "tls"
AUTHORITY: Final = "authority.pem"
"""Key and certificate in one file, so that a killed process cannot leave only one of them."""

CERTIFICATE: Final = "ca.pem"
"""The authority's certificate without its key, for clients on this machine."""

SERVER: Final = "server.pem"

DER_SUFFIXES: Final = (".crt", ".cer", ".der")
"""Suffixes of files that contain a certificate in DER format."""

AUTHORITY_LIFE: Final = timedelta(days=3_650)
SERVER_LIFE: Final = timedelta(days=397)
"""iOS rejects certificates that are valid for more than 398 days."""

RENEWED_BEFORE: Final = timedelta(days=30)
BACKDATED: Final = timedelta(days=1)
"""The clocks of devices and emulators may be slow."""

log = logging.getLogger(__name__)

_LOCK: Final = Lock()
"""Lock for this process, in which drafts of a file share a name. Other processes use other names."""


class AuthorityCertificate(Struct, frozen=True):
    """The certificate that devices must trust; `file` is its PEM file in the workspace."""

    file: Path
    pem: bytes
    der: bytes
    fingerprint: str
    """SHA-256 fingerprint in the format shown by phones."""

    expires_at: datetime


class ServerCertificate(Struct, frozen=True):
    """A certificate for an endpoint and its key, in one file."""

    file: Path
    names: frozenset[str]
    renew_at: datetime


class Certificates:
    """Creates and stores the certificates of the workspace in `folder`. Thread-safe."""

    def __init__(self, folder: Path, clock: Clock | None = None) -> None:
        self._folder = folder / FOLDER
        self._clock = clock or SystemClock()
        self._reported: frozenset[str] = frozenset()

    def now(self) -> datetime:
        """Return the current time of the clock used for expiry."""
        return self._clock.now()

    def version(self) -> int | None:
        """Return a number that changes when any process renews the authority, or None if there is no authority."""
        try:
            return (self._folder / AUTHORITY).stat().st_mtime_ns
        except OSError:
            return None

    def authority(self, names: Iterable[str] = ()) -> AuthorityCertificate:
        """Return the authority's certificate, creating it if it does not exist or is about to expire.

        A new authority can certify `names` in addition to private networks. Raises `WorkspaceError` if the file is
        damaged or cannot be written.
        """
        with _LOCK:
            return self._authority(_certifiable(names))[0]

    def renew(self, names: Iterable[str] = ()) -> AuthorityCertificate:
        """Replace the authority by a new one, which devices must trust again; raises `WorkspaceError`."""
        with _LOCK:
            self._write(self._folder / AUTHORITY, self._new_authority(_certifiable(names)))
            return self._authority(frozenset())[0]

    def for_names(self, names: Iterable[str]) -> ServerCertificate:
        """Return a certificate for host names and addresses: the stored one if it fits, or a new one.

        Raises `WorkspaceError`.
        """
        wanted = _certifiable(names)
        with _LOCK:
            authority, key = self._authority(wanted)
            permitted = self._permitted(wanted, authority)
            kept = self._kept(permitted, authority)
            return replace(kept or self._issue(permitted, authority, key), names=wanted)

    def _permitted(self, names: frozenset[str], authority: AuthorityCertificate) -> frozenset[str]:
        """Return the names that the authority can certify. Devices would reject a certificate with any other name."""
        from cryptography.x509 import load_pem_x509_certificate

        certificate = load_pem_x509_certificate(authority.pem)
        permitted = frozenset(name for name in names if is_permitted(certificate, name))
        beyond = names - permitted
        if beyond and beyond != self._reported:
            log.warning(
                "HTTPS does not work for %s: the certificate authority of the workspace was created for other names. "
                "Renew it, for example with 'fencewright certificate --renew%s'; devices must then trust the new one.",
                ", ".join(sorted(beyond)),
                "".join(f" --allow-host {name}" for name in self._to_be_named(names)),
            )
        self._reported = beyond
        return permitted

    def _to_be_named(self, names: frozenset[str]) -> list[str]:
        """Return the names that an authority can certify only if it is created for them."""
        from cryptography.x509 import load_pem_x509_certificate

        unnamed = load_pem_x509_certificate(self._new_authority(frozenset()))
        return sorted(name for name in names if not is_permitted(unnamed, name))

    def _new_authority(self, names: frozenset[str]) -> bytes:
        now = self.now()
        return new_authority(now - BACKDATED, now + AUTHORITY_LIFE, names)

    def _authority(self, names: frozenset[str]) -> tuple[AuthorityCertificate, bytes]:
        """Return the authority, created for `names` if it does not exist, and the PEM of its key and certificate."""
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.serialization import Encoding
        from cryptography.x509 import load_pem_x509_certificate

        file = self._folder / AUTHORITY
        content = self._read_or_make(file, names)
        try:
            certificate = load_pem_x509_certificate(content)
            _check_key(content, certificate)
        except (ValueError, TypeError) as error:
            raise WorkspaceError(
                f"The certificate authority in {file} is damaged. Restore the file, or remove it to create a new "
                "one, which devices must then trust."
            ) from error
        if certificate.not_valid_after_utc - self.now() < RENEWED_BEFORE:
            log.warning("The certificate authority of the workspace expires; devices must trust the new one.")
            return self._renew_authority(file, names)
        pem = certificate.public_bytes(Encoding.PEM)
        public = self._folder / CERTIFICATE
        self._put(public, pem)
        shown = AuthorityCertificate(
            public,
            pem,
            certificate.public_bytes(Encoding.DER),
            certificate.fingerprint(SHA256()).hex(":").upper(),
            certificate.not_valid_after_utc,
        )
        return shown, content

    def _renew_authority(self, file: Path, names: frozenset[str]) -> tuple[AuthorityCertificate, bytes]:
        self._write(file, self._new_authority(names))
        return self._authority(names)

    def _read_or_make(self, file: Path, names: frozenset[str]) -> bytes:
        try:
            return file.read_bytes()
        except FileNotFoundError:
            self._make(file, names)
        except OSError as error:
            raise _unusable(file, error) from error
        return file.read_bytes()

    def _make(self, file: Path, names: frozenset[str]) -> None:
        """Create an authority. If another process creates one at the same time, the first one is kept."""
        draft = file.with_name(f"{AUTHORITY}.{token_hex(4)}")
        try:
            self._write(draft, self._new_authority(names))
            _put_first(draft, file)
        except OSError as error:
            raise _unusable(file, error) from error
        finally:
            draft.unlink(missing_ok=True)

    def _kept(self, names: frozenset[str], authority: AuthorityCertificate) -> ServerCertificate | None:
        """Return the stored certificate if it was issued by this authority for exactly these names."""
        from cryptography.x509 import load_pem_x509_certificate

        file = self._folder / SERVER
        try:
            content = file.read_bytes()
            certificate = load_pem_x509_certificate(content)
            _check_key(content, certificate)
            certificate.verify_directly_issued_by(load_pem_x509_certificate(authority.pem))
        except Exception:  # noqa: BLE001 - whatever is wrong with it, a new one is issued
            return None
        renew_at = certificate.not_valid_after_utc - RENEWED_BEFORE
        is_valid = certificate.not_valid_before_utc <= self.now() < renew_at
        fits = is_valid and is_for_servers_only(certificate) and _names_of(certificate) == names
        return ServerCertificate(file, names, renew_at) if fits else None

    def _issue(self, names: frozenset[str], authority: AuthorityCertificate, key: bytes) -> ServerCertificate:
        begins = self.now() - BACKDATED
        ends = min(begins + SERVER_LIFE, authority.expires_at)
        file = self._folder / SERVER
        self._write(file, new_server(key, begins, ends, names) + authority.pem)
        return ServerCertificate(file, names, ends - RENEWED_BEFORE)

    def _put(self, file: Path, content: bytes) -> None:
        """Write a file if its content differs."""
        try:
            if file.read_bytes() == content:
                return
        except OSError:
            pass
        self._write(file, content)

    def _write(self, file: Path, content: bytes) -> None:
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private(file, content)
        except OSError as error:
            raise _unusable(file, error) from error


def _put_first(draft: Path, file: Path) -> None:
    """Rename a draft to its final name, unless that file exists by then."""
    try:
        os.link(draft, file)
    except FileExistsError:
        return
    except OSError:
        # Some file systems do not support links.
        if not file.exists():
            draft.replace(file)


def _unusable(file: Path, error: OSError) -> WorkspaceError:
    return WorkspaceError(f"The certificate in {file} cannot be used: {error.strerror or error}.")


def _check_key(content: bytes, certificate: "Certificate") -> None:
    """Raise `ValueError` unless the key in a PEM file belongs to the certificate."""
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    if load_pem_private_key(content, None).public_key() != certificate.public_key():
        raise ValueError("another key")


def _certifiable(names: Iterable[str]) -> frozenset[str]:
    return frozenset(filter(_can_be_certified, names))


def _can_be_certified(name: str) -> bool:
    """Return whether a certificate can hold a name or address. Machine names are not always valid host names."""
    from idna import IDNAError, encode

    try:
        ip_address(name)
    except ValueError:
        try:
            encode(name, uts46=True)
        except IDNAError:
            return False
    return True


def _names_of(certificate: "Certificate") -> frozenset[str]:
    from cryptography.x509 import DNSName, IPAddress, SubjectAlternativeName

    names = certificate.extensions.get_extension_for_class(SubjectAlternativeName).value
    addresses = map(str, names.get_values_for_type(IPAddress))
    return frozenset((*names.get_values_for_type(DNSName), *addresses))
